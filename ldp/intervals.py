"""Confidence intervals for the share of one category, and for all shares of a question together (M15).

`exact` inverts the exact law of a total of 0/1 scores. `score` inverts the normal approximation with the variance of
M12 solved in the share, for scores that are not 0/1. Both know two targets: the share in a population of which the
respondents are a sample, and the share among exactly these n respondents. Every interval is cut to [0, 1].
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from ldp.estimates import Target
from ldp.scores import ScoreLaw


class Interval(NamedTuple):
    low: float
    high: float


def method(law: ScoreLaw) -> str:
    """The default method for a score: "exact" where it is 0 or 1, else "score"."""
    return "exact" if law.binary else "score"


def interval(total: int, n: int, law: ScoreLaw, confidence: float, target: Target) -> Interval:
    """The interval by the default method of the score. `total` is the sum of n scores, 0 < confidence < 1."""
    return (exact if law.binary else score)(total, n, law, confidence, target)


def bonferroni(confidence: float, d: int) -> float:
    """The confidence of each of d intervals that hold all together with the given one."""
    return 1 - (1 - confidence) / d


def exact(total: int, n: int, law: ScoreLaw, confidence: float, target: Target) -> Interval:
    """The equal-tailed interval that no share covers less often than promised, for 0/1 scores."""
    if not (law.binary and 0 <= total <= n):
        raise ValueError("the exact interval takes a total of n scores that are 0 or 1")
    tail = (1 - confidence) / 2
    invert = _population_exact if target == "population" else _respondents_exact
    return invert(total, n, law, tail)


def _population_exact(total: int, n: int, law: ScoreLaw, tail: float) -> Interval:
    """Clopper and Pearson (1934) on pi = q + (p - q) theta: the total is Binomial(n, pi)."""
    low = stats.beta.ppf(tail, total, n - total + 1) if total > 0 else 0.0
    high = stats.beta.ppf(1 - tail, total + 1, n - total) if total < n else 1.0
    p, q = float(law.a), float(law.b)
    return _cut((low - q) / (p - q), (high - q) / (p - q))


def _respondents_exact(total: int, n: int, law: ScoreLaw, tail: float) -> Interval:
    """With m of n respondents in the category the total is Binomial(m, p) + Binomial(n - m, q): invert it in m.

    The total grows stochastically with m, so the kept m are a range. Where even m = n (or 0) is refused from one
    side, the interval is that end point.
    """
    near = score(total, n, law, 1 - 2 * tail, "respondents")
    low = _first(lambda m: _tails(total, n, m, law)[1] > tail, n, round(n * near.low))
    high = _first(lambda m: _tails(total, n, m, law)[0] <= tail, n, round(n * near.high)) - 1
    return Interval(min(low, n) / n, max(high, 0) / n)


def _first(holds: Callable[[int], bool], n: int, guess: int) -> int:
    """The first m in 0..n where a condition that stays true holds (n+1 where none), galloping from a guess."""
    low, high, step = -1, n + 1, 1 + math.isqrt(n) // 64
    probe = guess
    while low < probe < high:
        if holds(probe):
            high, probe = probe, probe - step
        else:
            low, probe = probe, probe + step
        step *= 2
    return bisect_left(range(low + 1, high), True, key=holds) + low + 1


def _tails(total: int, n: int, m: int, law: ScoreLaw) -> tuple[float, float]:
    """P(X + Y <= total) and P(X + Y >= total) for X ~ Binomial(m, p) and Y ~ Binomial(n - m, q)."""
    x, x_weights = _window(m, float(law.a))
    y, y_weights = _window(n - m, float(law.b))
    below = np.concatenate(([0.0], np.cumsum(y_weights)))
    above = np.concatenate((np.cumsum(y_weights[::-1])[::-1], [0.0]))
    at_most = np.clip(total - x - y[0] + 1, 0, len(y))
    at_least = np.clip(total - x - y[0], 0, len(y))
    return float(x_weights @ below[at_most]), float(x_weights @ above[at_least])


def _window(trials: int, chance: float) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """A binomial law where it matters: beyond 10 standard deviations (plus 40) less than 1e-20 is left out."""
    reach = 10 * math.sqrt(trials * chance * (1 - chance)) + 40
    low, high = math.floor(trials * chance - reach), math.ceil(trials * chance + reach)
    counts = np.arange(max(0, low), min(trials, high) + 1)
    return counts, stats.binom.pmf(counts, trials, chance)


def score(total: float, n: int, law: ScoreLaw, confidence: float, target: Target) -> Interval:
    """All shares within z standard errors of the estimate, the standard error taken at the share itself.

    A quadratic in s: n g^2 (estimate - s)^2 <= z^2 (s v_a + (1-s) v_b [+ g^2 s (1-s), population only]), g = a - b.
    """
    gap_squared, v_a, v_b = float(law.gap) ** 2, float(law.v_a), float(law.v_b)
    estimate = (total / n - float(law.b)) / float(law.gap)
    z_squared = stats.norm.ppf((1 + confidence) / 2) ** 2
    sampling = gap_squared if target == "population" else 0.0
    square = n * gap_squared + z_squared * sampling
    linear = 2 * n * gap_squared * estimate + z_squared * (v_a - v_b + sampling)
    constant = n * gap_squared * estimate**2 - z_squared * v_b
    # Where no share at all is within reach the roots are complex; the vertex is then the share nearest to it.
    root = math.sqrt(max(linear**2 - 4 * square * constant, 0.0))
    return _cut((linear - root) / (2 * square), (linear + root) / (2 * square))


def _cut(low: float, high: float) -> Interval:
    return Interval(float(min(max(low, 0.0), 1.0)), float(min(max(high, 0.0), 1.0)))
