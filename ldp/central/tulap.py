"""The most powerful private tests of a share, and their intervals (M25; Awan and Slavkovic 2018, 2020).

The count gets Tulap(0, b, 0) noise, b = e^-alpha: a difference of geometric numbers, spread evenly over unit cells. The
test of "the share is at most t" rejects if the noisy count Z is large. Among alpha-private tests it has the greatest
power at every larger share and every size, because its chance of rejecting grows with the count as fast as privacy
allows. Tests and intervals use only the noisy count, so they cost no privacy.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import scipy

from ldp.arrays import Values
from ldp.inference.hypotheses import Alternative
from ldp.inference.intervals import Interval, window

# Shares this near to 0 or 1 count as the ends, where only the noise is random.
_END = 1e-9
_TOLERANCE = 1e-12


def cdf(x: npt.ArrayLike, alpha: float) -> Values:
    """Return P(N <= x): N = G1 - G2 + U, P(G = k) = (1-b) b^k, U uniform on (-1/2, 1/2)."""
    b = math.exp(-alpha)
    distance = np.abs(np.asarray(x, dtype=np.float64))
    cell = np.floor(distance + 0.5)
    # The law is symmetric. The tail beyond a distance is the cells beyond and a part of the distance's cell.
    beyond = b**cell / (1 + b) * (b + (cell - distance + 0.5) * (1 - b))
    return np.where(np.asarray(x) > 0, 1 - beyond, beyond)


_law = lru_cache(maxsize=4)(window)  # cached while a root at one share is sought


def at_least(z: float, n: int, share: float, alpha: float) -> float:
    """Return P(Z >= z) for a Binomial(n, share) count with Tulap noise."""
    counts, chances = _law(n, share)
    return float(chances @ cdf(counts - z, alpha))


def at_most(z: float, n: int, share: float, alpha: float) -> float:
    """Return P(Z <= z) for a Binomial(n, share) count with Tulap noise."""
    counts, chances = _law(n, share)
    return float(chances @ cdf(z - counts, alpha))


def p_value(z: float, n: int, share: float, alpha: float, alternative: Alternative = "greater") -> float:
    """Return the p-value of "the share is at most ("greater"), at least ("less") or exactly ("two-sided") this one".

    It is uniform at this share. The two-sided test is the most powerful unbiased one (`partner`).
    """
    if alternative == "greater":
        return at_least(z, n, share, alpha)
    if alternative == "less":
        return at_most(z, n, share, alpha)
    low, high = sorted((z, partner(z, n, share, alpha)))
    return min(1.0, at_most(low, n, share, alpha) + at_least(high, n, share, alpha))


def partner(z: float, n: int, share: float, alpha: float) -> float:
    """Return the second critical value of the unbiased test that rejects beyond z on one side.

    An unbiased test has its least chance of rejecting at the share. There the derivative, which is proportional to E[(K
    - n share) 1{rejected}], is zero. Let A(h) = E[(K - n share) 1{Z >= h}] = -E[(K - n share) 1{Z < h}]. The derivative
    is zero if A(low) = A(high). A rises while E[K | Z = h] is below n share, then falls; any point of a level top is
    valid.
    """
    top = _centre(n, share, alpha)
    target = _pull(z, n, share, alpha)
    if z == top or target >= _pull(top, n, share, alpha):
        return top
    sign = -1.0 if z > top else 1.0
    step = abs(z - top) + 1
    while _pull(top + sign * step, n, share, alpha) > target:
        step *= 2
    return float(
        scipy.optimize.brentq(lambda h: _pull(h, n, share, alpha) - target, top, top + sign * step, xtol=_TOLERANCE)
    )  # fmt: skip


def _pull(h: float, n: int, share: float, alpha: float) -> float:
    """Return A(h) (`partner`), computed from the smaller tail."""
    counts, chances = _law(n, share)
    weights = chances * (counts - n * share)
    if h > n * share:
        return float(weights @ cdf(counts - h, alpha))
    return -float(weights @ cdf(h - counts, alpha))


def _centre(n: int, share: float, alpha: float) -> float:
    """Return the point with the largest A (`partner`): E[K | Z = h] = n share."""
    counts, chances = _law(n, share)
    with np.errstate(divide="ignore"):
        logs = np.log(chances)

    def above(h: float) -> float:
        posterior = scipy.special.softmax(logs - alpha * np.floor(np.abs(counts - h) + 0.5))
        return float(posterior @ counts) - n * share

    if not above(-1.0) < 0 < above(n + 1.0):
        return n * share
    return float(scipy.optimize.brentq(above, -1.0, n + 1.0, xtol=_TOLERANCE))


def interval(z: float, n: int, alpha: float, confidence: float, alternative: Alternative = "two-sided") -> Interval:
    """Return all shares that the test does not reject at level 1 - confidence: the most accurate unbiased interval.

    One-sided intervals end at 1 ("greater", a lower limit) or begin at 0 ("less").
    """
    level = 1 - confidence
    if alternative == "greater":
        return Interval(_crossing(lambda s: at_least(z, n, s, alpha) - level, _END, 1 - _END, 0.0, 1.0), 1.0)
    if alternative == "less":
        return Interval(0.0, _crossing(lambda s: level - at_most(z, n, s, alpha), _END, 1 - _END, 0.0, 1.0))

    def excess(share: float) -> float:
        return p_value(z, n, share, alpha, "two-sided") - level

    best = min(max(z / n, _END), 1 - _END)
    if excess(best) < 0:  # z is so far outside 0..n that every share is rejected: return the nearest end
        return Interval(float(round(best)), float(round(best)))
    low = _crossing(excess, _END, best, 0.0, best)
    return Interval(low, _crossing(lambda s: -excess(s), best, 1 - _END, best, 1.0))


def _crossing(rising: Callable[[float], float], low: float, high: float, below: float, above: float) -> float:
    """Return where a function changes its sign; `below` if it is nowhere negative, `above` if nowhere positive."""
    if rising(low) >= 0:
        return below
    if rising(high) <= 0:
        return above
    return float(scipy.optimize.brentq(rising, low, high, xtol=_TOLERANCE))


# Power ----------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def critical_value(n: int, share: float, alpha: float, level: float) -> float:
    """Return the z beyond which "at most this share" is rejected at exactly this level."""
    reach = 10 + math.log(2 / level) / alpha
    return float(
        scipy.optimize.brentq(lambda z: at_least(z, n, share, alpha) - level, -reach - n, n + reach, xtol=_TOLERANCE)
    )  # fmt: skip


def power(n: int, null: float, share: float, alpha: float, level: float) -> float:
    """Return the chance of rejecting "at most `null`" at the true share `share`. At `null` it is exactly the level."""
    return at_least(critical_value(n, null, alpha, level), n, share, alpha)
