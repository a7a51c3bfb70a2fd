"""The alpha that shuffled reports keep (M49): the bound of Feldman, McMillan and Talwar (2023), for every mechanism.

It holds for readers of releases, who see many reports mixed and no sender. It never holds against the server, which
receives reports one by one: there alpha is the only bound.

The paper's erratum takes the proof back except for some mechanisms; this proof covers all. Let P and P' be the laws of
one respondent's report under two answers, and g = e^-alpha max(P, P'). Every other respondent's law is at least g, so a
report comes from g with a chance equal to the mass of g, whatever the answer. Suppose a reader knows which reports do
not come from g, and their content. For the other reports the ratio of the two laws is the ratio of the sums of P/g and
of P'/g. So delta at epsilon is E max(0, Z_1 + ... + Z_n)/n, where Z is (P - e^epsilon P')/g for a report from g and 0
for another (Balle, Bell, Gascon and Nissim 2019). P/g and P'/g lie between 1 and e^alpha. A reader learns no less if
each pair of them is split into corners of this square with the same mean. Then Z has the mean 1 - e^epsilon and values
between 1 - e^(alpha+epsilon) and e^alpha - e^epsilon. A law with chance 1/(e^alpha+1) at each of these two ends, else
0, is a mean-preserving spread of any law of Z, so its sum has the largest positive part. It is the law of clones:
another report is a clone with chance 2/(e^alpha+1), equally on either side. Let A of C clones be on the first side. At
best a reader sees (A+1, C-A) or (A, C-A+1), the former with chance e^alpha/(e^alpha+1) if the answer is the first, and
with chance 1/(e^alpha+1) if it is the other.
"""

import functools
import math

import numpy as np
import scipy

from ldp.arrays import Values
from ldp.central.composition import least
from ldp.inference.intervals import window

# The chance outside the window of likely numbers of clones.
_LEFT_OUT = 1e-20


def clone_chance(alpha: float) -> float:
    """Return the chance that another respondent's report is a clone."""
    return 2 / (math.exp(alpha) + 1)


def delta(kept: float, alpha: float, n: int) -> float:
    """Return the delta that n shuffled reports of this alpha keep at alpha `kept` (M49)."""
    counts, chances = window(n - 1, clone_chance(alpha))
    return min(1.0, float(chances @ _delta_by_clones(counts.astype(np.float64), kept, alpha)) + _LEFT_OUT)


@functools.lru_cache(maxsize=4096)
def guarantee(alpha: float, n: int, delta_: float) -> float:
    """Return the least alpha that n shuffled reports keep up to delta, at most the reports' alpha (M49)."""
    return least(lambda kept: delta(kept, alpha, n), delta_, alpha)


def closed_form(alpha: float, n: int, delta_: float) -> float:
    """Return a coarser bound in closed form (2021), for alpha <= ln(n/(16 ln(2/delta))); otherwise alpha."""
    if alpha > math.log(n / (16 * math.log(2 / delta_))):
        return alpha
    e = math.exp(alpha)
    excess = 8 * math.sqrt(e * math.log(4 / delta_) / n) + 8 * e / n
    return min(alpha, math.log1p(math.tanh(alpha / 2) * excess))


def _delta_by_clones(counts: Values, kept: float, alpha: float) -> Values:
    """Return delta for each number of clones c.

    If k of the c+1 are on the first side, the ratio of the two laws is (e^alpha k + c+1-k)/(k + e^alpha (c+1-k)). It
    grows with k, so delta is a difference of tails at k = B + 1 and k = B, B ~ Binomial(c, 1/2).
    """
    e, e_kept = math.exp(alpha), math.exp(kept)
    if e_kept >= e:
        return np.zeros_like(counts)
    first = np.floor((counts + 1) * (e * e_kept - 1) / ((e - 1) * (e_kept + 1))) + 1
    more, same = scipy.stats.binom.sf(first - 2, counts, 0.5), scipy.stats.binom.sf(first - 1, counts, 0.5)
    mine, other = (e * more + same) / (e + 1), (more + e * same) / (e + 1)
    return np.asarray(np.maximum(mine - e_kept * other, 0.0))
