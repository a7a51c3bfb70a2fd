"""Confidence intervals for one category's share, and for all shares of a question at once (M15).

`exact` inverts the exact law of a total of 0/1 scores (convolution.py has integer scores). `score` inverts the normal
approximation with the variance of M12 at the share. It has no guarantee for few reports; the search for the exact
interval begins there. Each interval is for one look at the data (sequences.py has many looks). The target is the share
in a population, with the respondents as a sample, or the share among exactly these n respondents. Intervals are cut to
[0, 1].

If an estimate is far outside the possible range, a cut interval is short or a point, although almost nothing is known.
So the published interval is united with that of the nearest possible estimate (M37). The union never covers less, and
is as wide as at the edge. `nearest` moves a total, `clipped` an interval.

Intervals of d shares that hold at once are single intervals at a higher confidence (`bonferroni`), for any method and
dependence.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from ldp.arrays import Integers, Values
from ldp.scores import ScoreMoments, Target

# Chances beyond these are set to these. They are far from every tail in use.
LEAST, MOST = 1e-250, 1 - 1e-16

# Newton's steps end within a tenth of this, or after so many.
_CLOSE, _STEPS = 1e-10, 200


class Interval(NamedTuple):
    low: float
    high: float


def bonferroni(confidence: float, d: int) -> float:
    """Return the confidence that each of d intervals needs so that all hold at once with this confidence."""
    return 1 - (1 - confidence) / d


def z(confidence: float) -> float:
    """Return the half-width of a two-sided normal interval in standard errors."""
    return float(scipy.special.ndtri((1 + confidence) / 2))


def excess(chances: npt.ArrayLike, tails: npt.ArrayLike) -> Values:
    """Return the normal quantiles of chances minus those of tails, same shape. Along a limit this is nearly a straight
    line, so few evaluations find its root."""
    return np.asarray(scipy.special.ndtri(np.clip(chances, LEAST, MOST)) - scipy.special.ndtri(tails))


# A page needs the same interval for each of its figures, every time it is opened.
@lru_cache(maxsize=4096)
def exact(total: int, n: int, moments: ScoreMoments, confidence: float, target: Target) -> Interval:
    """Return the equal-tailed interval of a share for 0/1 scores (M15, M37). Its coverage is at least the confidence at
    every share. ValueError for other scores."""
    if not (moments.binary and 0 <= total <= n):
        raise ValueError("the exact interval takes a total of n scores that are 0 or 1")
    tail = (1 - confidence) / 2
    invert = _population_exact if target == "population" else _respondents_exact
    return union(invert(each, n, moments, tail) for each in {total, nearest(total, n, moments)})


def clopper_pearson(total: int, n: int, tail: float) -> Interval:
    """Return Clopper and Pearson's limits (1934) of pi for a Binomial(n, pi) total, each wrong with chance at most
    `tail`."""
    low = scipy.special.betaincinv(total, n - total + 1, tail) if total > 0 else 0.0
    high = scipy.special.betaincinv(total + 1, n - total, 1 - tail) if total < n else 1.0
    return Interval(float(low), float(high))


def _population_exact(total: int, n: int, moments: ScoreMoments, tail: float) -> Interval:
    """Return Clopper and Pearson's limits of pi = q + (p - q) theta as limits of theta."""
    (low, high), p, q = clopper_pearson(total, n, tail), float(moments.a), float(moments.b)
    return cut((low - q) / (p - q), (high - q) / (p - q))


def _respondents_exact(total: int, n: int, moments: ScoreMoments, tail: float) -> Interval:
    """Return the range of m/n that neither tail rejects, where m of the n respondents are in the category.

    The total is Binomial(m, p) + Binomial(n - m, q) and grows stochastically with m, so these m are a range. If even
    m = n (or 0) is rejected from one side, the interval is that end point.
    """
    near = score(total, n, moments, 1 - 2 * tail, "respondents")
    low = first(lambda m: tails(total, n, m, moments)[1] > tail, n, round(n * near.low))
    high = first(lambda m: tails(total, n, m, moments)[0] <= tail, n, round(n * near.high)) - 1
    return Interval(min(low, n) / n, max(high, 0) / n)


def root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Return the point where a rising function changes sign; an end point if it does not."""
    if rising(low) >= 0:
        return low
    if rising(high) <= 0:
        return high
    return float(scipy.optimize.brentq(rising, low, high, xtol=1e-14))


def roots_near(rising: Callable[[Values], tuple[Values, Values]], guesses: Values, low: float, high: float) -> Values:
    """Return the `root` of each of several nearly straight functions, by Newton's steps from `guesses`, same shape.
    `rising` returns each function's value and slope at its own point. Roots are right to about _CLOSE/10."""
    lows, highs = np.full(len(guesses), low), np.full(len(guesses), high)
    if low == 0:
        highs = np.where(rising(lows)[0] >= 0, 0.0, highs)
    if high == 1:
        lows = np.where(rising(np.ones(len(guesses)))[0] <= 0, 1.0, lows)
    ahead, before, length = np.clip(guesses, lows, highs), np.zeros(len(guesses)), np.ones(len(guesses))
    for _ in range(_STEPS):
        points = ahead
        values, slopes = rising(points)
        slopes = np.where(slopes > 0, slopes, np.nan)
        lows, highs = np.where(values < 0, points, lows), np.where(values < 0, highs, points)
        ahead = points - values / slopes
        straight = (lows <= ahead) & (ahead <= highs)
        ahead = np.where(straight, ahead, (lows + highs) / 2)
        steps = np.abs(ahead - points)
        # Newton's step misses the root by about half of what the slope changes along it.
        bent = np.where(straight & (before > 0), np.abs(1 - before / slopes) * steps / length, 1.0)
        if np.all((steps < _CLOSE) | (bent * steps < _CLOSE / 10)):
            break
        before, length = slopes, np.maximum(steps, _CLOSE)
    return ahead


def first(holds: Callable[[int], bool], n: int, guess: int, step: int = 0) -> int:
    """Return the first m in 0..n from which a condition holds; n+1 if none. The search gallops from a guess, first by
    `step`."""
    low, high, step = -1, n + 1, step or 1 + math.isqrt(n) // 64
    probe = guess
    while low < probe < high:
        if holds(probe):
            high, probe = probe, probe - step
        else:
            low, probe = probe, probe + step
        step *= 2
    return bisect_left(range(low + 1, high), True, key=holds) + low + 1


def tails(total: int, n: int, m: int, moments: ScoreMoments) -> tuple[float, float]:
    """Return P(X + Y <= total) and P(X + Y >= total) for X ~ Binomial(m, p) and Y ~ Binomial(n - m, q)."""
    x, x_weights = window(m, float(moments.a))
    y, y_weights = window(n - m, float(moments.b))
    below = np.concatenate(([0.0], np.cumsum(y_weights)))
    above = np.concatenate((np.cumsum(y_weights[::-1])[::-1], [0.0]))
    at_most = np.clip(total - x - y[0] + 1, 0, len(y))
    at_least = np.clip(total - x - y[0], 0, len(y))
    return float(x_weights @ below[at_most]), float(x_weights @ above[at_least])


def window(trials: int, chance: float) -> tuple[Integers, Values]:
    """Return counts and chances of a binomial law within 10 standard deviations plus 40; less than 1e-20 is left out.

    Chances are products of the odds times (trials - k)/(k + 1), from the likeliest count outward, over their sum. This
    takes a tenth of the time of scipy's pmf and differs by about 1e-16 a factor.
    """
    around = 10 * math.sqrt(trials * chance * (1 - chance)) + 40
    low, high = math.floor(trials * chance - around), math.ceil(trials * chance + around)
    counts = np.arange(max(0, low), min(trials, high) + 1)
    if not 0 < chance < 1:
        return counts, np.where(counts == trials * chance, 1.0, 0.0)
    middle = min(math.floor((trials + 1) * chance), trials) - int(counts[0])
    growth = (trials - counts[:-1]) / (counts[:-1] + 1) * (chance / (1 - chance))
    up, down = np.cumprod(growth[middle:]), np.cumprod(1 / growth[:middle][::-1])[::-1]
    weights = np.concatenate((down, [1.0], up))
    return counts, weights / weights.sum()


def score(total: float, n: int, moments: ScoreMoments, confidence: float, target: Target) -> Interval:
    """Return all shares within z standard errors of the estimate. The standard error is that at the share.

    For 0/1 scores and the population this is Wilson's interval (1927) of pi, mapped to the share.
    """
    gap_squared, v_a, v_b = float(moments.gap) ** 2, float(moments.v_a), float(moments.v_b)
    sampling = 1.0 if target == "population" else 0.0
    estimate = (total / n - float(moments.b)) / float(moments.gap)
    return within(estimate, n, confidence, v_b / gap_squared, (v_a - v_b) / gap_squared + sampling, sampling)


def within(estimate: float, n: int, confidence: float, constant: float, linear: float, square: float) -> Interval:
    """Return all s in [0, 1] with n (estimate - s)^2 <= z^2 (constant + linear s - square s^2)."""
    z_squared = z(confidence) ** 2
    c = n + z_squared * square
    b = 2 * n * estimate + z_squared * linear
    a = n * estimate**2 - z_squared * constant
    # If no share is within reach, the roots are complex, and the vertex is the nearest share.
    root = math.sqrt(max(b**2 - 4 * c * a, 0.0))
    return cut((b - root) / (2 * c), (b + root) / (2 * c))


def cut(low: float, high: float) -> Interval:
    """Return the interval cut to [0, 1]."""
    return Interval(clamp(low), clamp(high))


def clamp(x: float, least: float = 0.0, most: float = 1.0) -> float:
    return float(min(max(x, least), most))


# Impossible estimates (M37) -------------------------------------------------------------------------------------------


def nearest(total: int, n: int, moments: ScoreMoments) -> int:
    """Return the total; if the estimate is below 0 or above 1, the expected total at 0 or 1, rounded (M37)."""
    return clamped(total, n * float(moments.b), n * float(moments.a))


def clamped(total: int, least: float, most: float) -> int:
    """Return the total, moved into the range between two expected totals, which are rounded."""
    return min(max(total, round(least)), round(most))


def union(spans: Iterable[Interval]) -> Interval:
    """Return the interval from the lowest end to the highest."""
    lows, highs = zip(*spans, strict=True)
    return Interval(min(lows), max(highs))


def clipped(span: Interval, estimate: float, least: float = 0.0, most: float = 1.0) -> Interval:
    """Return the union of an uncut interval and its copy moved to the nearest possible estimate, cut to [least, most]
    (M37)."""
    moved = clamp(estimate, least, most) - estimate
    low, high = min(span.low, span.low + moved), max(span.high, span.high + moved)
    return Interval(clamp(low, least, most), clamp(high, least, most))


def clipped_each(low: Values, high: Values, estimates: Values) -> Values:
    """Return `clipped` intervals of many shares, (m, 2)."""
    moved = np.clip(estimates, 0, 1) - estimates
    ends = np.minimum(low, low + moved), np.maximum(high, high + moved)
    return np.asarray(np.clip(np.stack(ends, axis=1), 0, 1))
