"""Inference for one proportion that a trusted curator releases with Laplace noise of scale 1/(n alpha) (M25).

There are three ways: the normal approximation (Vu and Slavkovic 2009), the fiducial law, and for a count with Tulap
noise the most powerful tests (tulap.py). `alpha` None is a proportion without noise.

The fiducial law asks which share would have given the release. Fresh noise y leaves the proportion t = released - y. Of
n uniform numbers k = n t lie below the share, so the share is between the k-th and the next number, whose laws are
Beta(k, n-k+1) and Beta(k+1, n-k). A rule selects the place between: `low` and `high` take the ends, `half` takes Beta(k
+ 1/2, n-k + 1/2). If t is below 0 or above 1, the share is 0 or 1. Without noise `half` is Jeffreys' law, and `low` for
the lower and `high` for the upper limit (`outer`) give Clopper and Pearson's interval. With noise `outer` is wider and
covers more often.
"""

import math
from collections.abc import Callable
from functools import cache, lru_cache
from statistics import NormalDist
from typing import Literal

import numpy as np
import scipy

from ldp.arrays import Values
from ldp.central import tulap
from ldp.inference import intervals
from ldp.inference.intervals import Interval, window

BetaRule = Literal["low", "half", "high"]

_SHIFTS = {"low": (0.0, 1.0), "half": (0.5, 0.5), "high": (1.0, 0.0)}
_PANELS, _NODES, _FARTHEST = 64, 8, 40.0
_TOLERANCE = 1e-10


def normal_interval(released: float, n: int, alpha: float | None, confidence: float) -> Interval:
    """Return all shares within z standard errors of the release. The standard error is that at the share.

    n (released - s)^2 <= z^2 (2/(n alpha^2) + s - s^2), cut to [0, 1].
    """
    noise = 0.0 if alpha is None else 2 / (n * alpha**2)
    return intervals.within(released, n, confidence, noise, 1.0, 1.0)


def fiducial_cdf(share: float, released: float, n: int, alpha: float | None, rule: BetaRule = "half") -> float:
    """Return the fiducial chance of shares up to this one, 0 <= share < 1, by integration over the noise."""
    if alpha is None:
        return float(_beta_cdf(np.array([min(max(released, 0.0), 1.0)]), n, share, rule)[0])
    distance = n * alpha * released
    below = scipy.stats.laplace.sf(distance)  # t < 0
    # At distance x = n alpha |t - released|, on either side of the release, the noise has weight e^-x/2.
    total = float(below)
    for sign, first, last in ((-1, distance - n * alpha, distance), (1, -distance, n * alpha - distance)):
        x, weights = _nodes(max(first, 0.0), last)
        t = np.clip(released + sign * x / (n * alpha), 0.0, 1.0)
        total += float((weights * np.exp(-x) / 2) @ _beta_cdf(t, n, share, rule)) if len(x) else 0.0
    return total


def _beta_cdf(t: Values, n: int, share: float, rule: BetaRule) -> Values:
    before, after = _SHIFTS[rule]
    a, b = n * t + before, n * (1 - t) + after
    inside = scipy.special.betainc(np.maximum(a, 1e-300), np.maximum(b, 1e-300), share)
    return np.where(a <= 0, 1.0, np.where(b <= 0, 0.0, inside))


def _nodes(first: float, last: float) -> tuple[Values, Values]:
    """Return the nodes and weights of Gauss and Legendre on panels that are narrow where e^-x is large."""
    last = min(last, first + _FARTHEST)
    if last <= first:
        return np.zeros(0), np.zeros(0)
    nodes, weights = _legendre()
    edges = first + (last - first) * np.linspace(0, 1, _PANELS + 1) ** 2
    middle, half = (edges[1:] + edges[:-1]) / 2, (edges[1:] - edges[:-1]) / 2
    return (middle[:, None] + half[:, None] * nodes).ravel(), (half[:, None] * weights).ravel()


@cache
def _legendre() -> tuple[Values, Values]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return nodes, weights


def fiducial_quantile(level: float, released: float, n: int, alpha: float | None, rule: BetaRule = "half") -> float:
    """Return the share up to which the fiducial law has the chance `level`; 0 or 1 if an end alone has that chance."""

    def lack(share: float) -> float:
        return fiducial_cdf(share, released, n, alpha, rule) - level

    if lack(0.0) >= 0:
        return 0.0
    if lack(1 - _TOLERANCE) <= 0:
        return 1.0
    return float(scipy.optimize.brentq(lack, 0.0, 1 - _TOLERANCE, xtol=_TOLERANCE))


def fiducial_interval(
    released: float, n: int, alpha: float | None, confidence: float, rule: BetaRule = "half"
) -> Interval:
    """Return the equal-tailed interval of the fiducial law, by integration, so no random draw decides."""
    tail = (1 - confidence) / 2
    low, high = (fiducial_quantile(level, released, n, alpha, rule) for level in (tail, 1 - tail))
    return Interval(low, high)


def outer(released: float, n: int, alpha: float | None, confidence: float) -> Interval:
    """Return the interval from the lower limit of `low` to the upper limit of `high`, which contains that of any
    rule."""
    tail = (1 - confidence) / 2
    low = fiducial_quantile(tail, released, n, alpha, "low")
    return Interval(low, fiducial_quantile(1 - tail, released, n, alpha, "high"))


# Coverage, without simulation -----------------------------------------------------------------------------------------

IntervalMethod = Literal["normal", "fiducial", "outer"]
_INTERVALS = {"normal": normal_interval, "fiducial": fiducial_interval, "outer": outer}


def coverage(method: IntervalMethod, n: int, alpha: float | None, share: float, confidence: float) -> float:
    """Return the chance that the method's interval contains the share, 0 < share < 1, over answers and noise."""
    counts, chances = window(n, share)
    if alpha is None:
        ends_of = [_INTERVALS[method](count / n, n, None, confidence) for count in counts]
        return float(chances @ np.array([low <= share <= high for low, high in ends_of]))
    first, last = releases(method, n, alpha, share, confidence)
    noise = scipy.stats.laplace(scale=1 / (n * alpha))
    return float(chances @ (noise.cdf(last - counts / n) - noise.cdf(first - counts / n)))


def releases(method: IntervalMethod, n: int, alpha: float, share: float, confidence: float) -> tuple[float, float]:
    """Return the least and the largest release whose interval contains the share.

    The fiducial chance of shares up to this one falls with the release. The interval contains the share between the
    releases where that chance falls to 1 - tail and to tail.
    """
    if method == "normal":
        deviation = math.sqrt(share * (1 - share) / n + 2 / (alpha * n) ** 2)
        reach = NormalDist().inv_cdf((1 + confidence) / 2) * deviation
        return share - reach, share + reach
    tail, rules = (1 - confidence) / 2, _RULES[method]
    first, last = (_falls_to(level, n, alpha, share, rule) for level, rule in zip((1 - tail, tail), rules, strict=True))
    return first, last


_RULES: dict[str, tuple[BetaRule, BetaRule]] = {"fiducial": ("half", "half"), "outer": ("high", "low")}


@lru_cache(maxsize=64)
def _falls_to(level: float, n: int, alpha: float, share: float, rule: BetaRule) -> float:
    """Return the release at which the fiducial chance of shares up to this one falls to the level."""
    far = _FARTHEST / (n * alpha)
    excess: Callable[[float], float] = lambda r: fiducial_cdf(share, r, n, alpha, rule) - level  # noqa: E731
    return float(scipy.optimize.brentq(excess, -far, 1 + far, xtol=_TOLERANCE))


# Power ----------------------------------------------------------------------------------------------------------------
#
# The chance, without simulation, that a test rejects "the share is at most `null`" at the true share `share`. At `null`
# this is the test's size. A curator releases the count with the noise of `alpha`; a large release leads to rejection.


def normal_power(n: int, null: float, share: float, alpha: float | None, level: float) -> float:
    """Return the power of the test that rejects releases above `null` by z standard errors, taken at `null`."""
    noise = 0.0 if alpha is None else 2 / (alpha * n) ** 2
    deviation = math.sqrt(null * (1 - null) / n + noise)
    return _above(null + NormalDist().inv_cdf(1 - level) * deviation, n, share, alpha)


def fiducial_power(
    n: int, null: float, share: float, alpha: float | None, level: float, rule: BetaRule = "half"
) -> float:
    """Return the power of the test that rejects if shares up to `null` have at most the fiducial chance `level`."""
    if alpha is None:
        counts, chances = window(n, share)
        refused = [fiducial_cdf(null, count / n, n, None, rule) <= level for count in counts]
        return float(chances @ np.array(refused))
    return _above(_falls_to(level, n, alpha, null, rule), n, share, alpha)


def most_powerful(n: int, null: float, share: float, alpha: float | None, level: float) -> float:
    """Return the power of the most powerful test, whose size is exactly the level (tulap.py). Without privacy this is
    the binomial test with a coin at the border."""
    if alpha is not None:
        return tulap.power(n, null, share, alpha, level)
    border = int(scipy.stats.binom.isf(level, n, null))
    coin = (level - scipy.stats.binom.sf(border, n, null)) / scipy.stats.binom.pmf(border, n, null)
    return float(scipy.stats.binom.sf(border, n, share) + coin * scipy.stats.binom.pmf(border, n, share))


def _above(critical: float, n: int, share: float, alpha: float | None) -> float:
    """Return the chance that the released proportion exceeds a critical value."""
    counts, chances = window(n, share)
    beyond = (
        counts / n > critical if alpha is None else scipy.stats.laplace.sf(critical - counts / n, scale=1 / (n * alpha))
    )
    return float(chances @ beyond)
