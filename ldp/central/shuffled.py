"""What shuffled reports keep: the clones bound (Feldman, McMillan and Talwar 2021, 2023).

It holds for readers of releases, who see many reports mixed and no sender, and never against the server: whoever
receives the reports one by one has alpha and nothing better.

Let x and x' be two answers of one respondent, P and P' the laws of the report, within e^alpha. Where P >= P' put
u = (P - P')/(e^alpha - 1), likewise u' where P' > P; both have the same total p <= 1/(e^alpha + 1). Then

    P = e^alpha u + u' + rest,   P' = u + e^alpha u' + rest,

and every other respondent's law is at least e^-alpha max(P, P') >= u + u'. So each of the n-1 others sends a report
from u or from u' with chance 2p: a clone that looks like one of the two. The worst case is p = 1/(e^alpha + 1). Among C
clones a fair half, A, falls to u; the reader sees at best the two counts, (A+1, C-A) or (A, C-A+1), the first with
chance e^alpha/(e^alpha+1) if the answer is x, else with 1/(e^alpha+1).
The first paper has the clones' chance e^-alpha instead, which is smaller.
"""

import math

import numpy as np
import numpy.typing as npt
from scipy import special, stats

from ldp.central.composition import least

Chances = npt.NDArray[np.float64]


def clone_chance(alpha: float) -> float:
    """The chance that another respondent's report is a clone: 2/(e^alpha + 1)."""
    return 2 * float(special.expit(-alpha))


def first_clone_chance(alpha: float) -> float:
    """The chance in the first paper, e^-alpha; its figures are the ones often quoted."""
    return math.exp(-alpha)


def delta(kept: float, alpha: float, n: int, clones: float | None = None) -> float:
    """The delta that n shuffled reports, each with its own alpha, keep at alpha `kept`; `clones` as `clone_chance`."""
    chance = clone_chance(alpha) if clones is None else clones
    counts, chances = _window(n - 1, chance)
    return min(1.0, float(chances @ _given(counts, kept, alpha)) + _LEFT_OUT)


def guarantee(alpha: float, n: int, delta_: float, clones: float | None = None) -> float:
    """The least alpha that n shuffled reports keep up to delta by this bound; never more than the reports' own."""
    return least(lambda kept: delta(kept, alpha, n, clones), delta_, alpha)


def closed_form(alpha: float, n: int, delta_: float) -> float:
    """The coarse theorem in closed form (2023), for alpha <= ln(n/(8 ln(2/delta)) - 1); elsewhere alpha itself."""
    room = n / (8 * math.log(2 / delta_)) - 1
    if room <= 0 or alpha > math.log(room):
        return alpha
    root = 4 * math.sqrt(2 * math.log(4 / delta_) / ((math.exp(alpha) + 1) * n))
    return min(alpha, math.log1p(math.expm1(alpha) * (root + 4 / n)))


# The number of clones beyond this many standard deviations is left out, and its chance counted as lost.
_REACH = 8.0
_LEFT_OUT = 3e-14


def _window(trials: int, chance: float) -> tuple[Chances, Chances]:
    """A binomial law but for chances below _LEFT_OUT in all (Bernstein: 2 exp(-r^2/2/(1 + r/(3 sd))), r^2/2 = 32)."""
    deviation = math.sqrt(trials * chance * (1 - chance))
    reach = _REACH * deviation + 32
    counts = np.arange(max(0, math.floor(trials * chance - reach)), min(trials, math.ceil(trials * chance + reach)) + 1)
    return counts.astype(np.float64), stats.binom.pmf(counts, trials, chance)


def _given(counts: Chances, kept: float, alpha: float) -> Chances:
    """Delta for each number of clones c.

    If k of the c+1 stand on the first side, the ratio of the two laws is (e^alpha k + c+1-k)/(k + e^alpha (c+1-k)),
    which grows with k: delta is a difference of two tails, those of k = B + 1 and k = B for B ~ Binomial(c, 1/2).
    """
    e, e_kept = math.exp(alpha), math.exp(kept)
    if e_kept >= e:
        return np.zeros_like(counts)
    first = np.floor((counts + 1) * (e * e_kept - 1) / ((e - 1) * (e_kept + 1))) + 1
    more, same = stats.binom.sf(first - 2, counts, 0.5), stats.binom.sf(first - 1, counts, 0.5)
    mine, other = (e * more + same) / (e + 1), (more + e * same) / (e + 1)
    return np.asarray(np.maximum(mine - e_kept * other, 0.0))
