"""What shuffled reports keep: the clones bound (Feldman, McMillan and Talwar 2021, 2023).

It holds for readers of releases, who see many reports mixed and no sender, and never against the server: whoever
receives the reports one by one has alpha and nothing better.

Let x and x' be two answers of one respondent, P and P' the laws of the report, within e^alpha. They are what binary
randomized response makes of two laws Q = (e^alpha P - P')/(e^alpha - 1) and Q', the same the other way round:

    P = (e^alpha Q + Q')/(e^alpha + 1),   P' = (Q + e^alpha Q')/(e^alpha + 1),   Q + Q' = P + P'

Every other respondent's law is at least e^-alpha max(P, P') >= e^-alpha (Q + Q')/2: with chance e^-alpha the report is
a clone, from Q or from Q' alike. Of C clones, C ~ Binomial(n-1, e^-alpha), a fair half, A, comes from Q. A reader sees
at best the two counts, (A+1, C-A) or (A, C-A+1), the first with chance e^alpha/(e^alpha+1) if the answer is x, else
with 1/(e^alpha+1): all else can be drawn from the counts without knowing the answer.

The second paper shows that the clones' chance may be 2/(e^alpha+1), which is larger. That is seen at once where Q and
Q' never give the same report, as in randomized response on two options: then max(P, P') is e^alpha (Q +
Q')/(e^alpha+1). For other laws it rests on that paper, and on enumerations that agree with it.
"""

import math

import numpy as np
import scipy

from ldp.arrays import Values
from ldp.central.composition import least
from ldp.inference.intervals import window

# What the window of likely numbers of clones leaves out.
_LEFT_OUT = 1e-20


def clone_chance(alpha: float) -> float:
    """The chance that another respondent's report is a clone, e^-alpha (2021)."""
    return math.exp(-alpha)


def delta(kept: float, alpha: float, n: int, clones: float | None = None) -> float:
    """The delta that n shuffled reports, each with its own alpha, keep at alpha `kept`; `clones` as `clone_chance`."""
    chance = clone_chance(alpha) if clones is None else clones
    counts, chances = window(n - 1, chance)
    return min(1.0, float(chances @ _delta_by_clones(counts.astype(np.float64), kept, alpha)) + _LEFT_OUT)


def guarantee(alpha: float, n: int, delta_: float, clones: float | None = None) -> float:
    """The least alpha that n shuffled reports keep up to delta by this bound; never more than the reports' own."""
    return least(lambda kept: delta(kept, alpha, n, clones), delta_, alpha)


def closed_form(alpha: float, n: int, delta_: float) -> float:
    """The coarse theorem in closed form (2021), for alpha <= ln(n/(16 ln(2/delta))); elsewhere alpha itself."""
    if alpha > math.log(n / (16 * math.log(2 / delta_))):
        return alpha
    e = math.exp(alpha)
    excess = 8 * math.sqrt(e * math.log(4 / delta_) / n) + 8 * e / n
    return min(alpha, math.log1p(math.tanh(alpha / 2) * excess))


def _delta_by_clones(counts: Values, kept: float, alpha: float) -> Values:
    """Delta for each number of clones c.

    If k of the c+1 stand on the first side, the ratio of the two laws is (e^alpha k + c+1-k)/(k + e^alpha (c+1-k)),
    which grows with k: delta is a difference of two tails, those of k = B + 1 and k = B for B ~ Binomial(c, 1/2).
    """
    e, e_kept = math.exp(alpha), math.exp(kept)
    if e_kept >= e:
        return np.zeros_like(counts)
    first = np.floor((counts + 1) * (e * e_kept - 1) / ((e - 1) * (e_kept + 1))) + 1
    more, same = scipy.stats.binom.sf(first - 2, counts, 0.5), scipy.stats.binom.sf(first - 1, counts, 0.5)
    mine, other = (e * more + same) / (e + 1), (more + e * same) / (e + 1)
    return np.asarray(np.maximum(mine - e_kept * other, 0.0))
