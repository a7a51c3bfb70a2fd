"""Confidence intervals for the share of one category, and for all shares of a question together (M15).

`exact` inverts the exact law of a total of 0/1 scores (for integer scores see convolution.py). `score` inverts the
normal approximation with the variance of M12 solved in the share. `fiducial`, `jeffreys` and `wald` are there to
compare: they keep no promise for few reports. Each holds for one look at the data (for many see sequences.py). Two
targets: the share in a population of which the respondents are a sample, and the share among exactly these n
respondents. Every interval is cut to [0, 1].

Intervals of d shares that hold all together are pointwise ones at a higher confidence: `bonferroni`, whatever the
method and the dependence, or `max_t`, which knows the covariances of M13 and is narrower, by normal approximation.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special, stats

from ldp.inference.estimates import Matrix, Target, unit_variances
from ldp.scores import ScoreLaw

Draws = npt.NDArray[np.float64] | npt.NDArray[np.int64]


class Interval(NamedTuple):
    low: float
    high: float


def bonferroni(confidence: float, d: int) -> float:
    """The confidence of each of d intervals that hold all together with the given one."""
    return 1 - (1 - confidence) / d


def max_t(covariance: Matrix, confidence: float, generator: np.random.Generator, draws: int = 20_000) -> float:
    """The confidence of each of d normal intervals that hold all together, from the covariance (d, d) of the estimates.

    It is that of |Z| <= c, where c is the order statistic number ceil(confidence (draws+1)) of max |Z_j| over draws of
    Z with the estimates' correlations, so that the chance draws cost no coverage on average. Never above
    confidence^(1/d), which suffices whatever the correlations are (Sidak 1967).
    """
    scale = np.sqrt(np.diag(covariance))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    largest = np.abs(generator.standard_normal((draws, len(root))) @ root.T).max(axis=1)
    rank = min(math.ceil(confidence * (draws + 1)), draws)
    critical = np.partition(largest, rank - 1)[rank - 1]
    return float(min(1 - 2 * special.ndtr(-critical), confidence ** (1 / len(root))))


def exact(total: int, n: int, law: ScoreLaw, confidence: float, target: Target) -> Interval:
    """The equal-tailed interval that no share covers less often than promised, for 0/1 scores."""
    if not (law.binary and 0 <= total <= n):
        raise ValueError("the exact interval takes a total of n scores that are 0 or 1")
    tail = (1 - confidence) / 2
    invert = _population_exact if target == "population" else _respondents_exact
    return invert(total, n, law, tail)


def _population_exact(total: int, n: int, law: ScoreLaw, tail: float) -> Interval:
    """Clopper and Pearson (1934) on pi = q + (p - q) theta: the total is Binomial(n, pi)."""
    low = special.betaincinv(total, n - total + 1, tail) if total > 0 else 0.0
    high = special.betaincinv(total + 1, n - total, 1 - tail) if total < n else 1.0
    p, q = float(law.a), float(law.b)
    return cut((low - q) / (p - q), (high - q) / (p - q))


def _respondents_exact(total: int, n: int, law: ScoreLaw, tail: float) -> Interval:
    """With m of n respondents in the category the total is Binomial(m, p) + Binomial(n - m, q): invert it in m.

    The total grows stochastically with m, so the kept m are a range. Where even m = n (or 0) is refused from one
    side, the interval is that end point.
    """
    near = score(total, n, law, 1 - 2 * tail, "respondents")
    low = first(lambda m: tails(total, n, m, law)[1] > tail, n, round(n * near.low))
    high = first(lambda m: tails(total, n, m, law)[0] <= tail, n, round(n * near.high)) - 1
    return Interval(min(low, n) / n, max(high, 0) / n)


def first(holds: Callable[[int], bool], n: int, guess: int) -> int:
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


def tails(total: int, n: int, m: int, law: ScoreLaw) -> tuple[float, float]:
    """P(X + Y <= total) and P(X + Y >= total) for X ~ Binomial(m, p) and Y ~ Binomial(n - m, q)."""
    x, x_weights = window(m, float(law.a))
    y, y_weights = window(n - m, float(law.b))
    below = np.concatenate(([0.0], np.cumsum(y_weights)))
    above = np.concatenate((np.cumsum(y_weights[::-1])[::-1], [0.0]))
    at_most = np.clip(total - x - y[0] + 1, 0, len(y))
    at_least = np.clip(total - x - y[0], 0, len(y))
    return float(x_weights @ below[at_most]), float(x_weights @ above[at_least])


def window(trials: int, chance: float) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """A binomial law where it matters: beyond 10 standard deviations (plus 40) less than 1e-20 is left out."""
    reach = 10 * math.sqrt(trials * chance * (1 - chance)) + 40
    low, high = math.floor(trials * chance - reach), math.ceil(trials * chance + reach)
    counts = np.arange(max(0, low), min(trials, high) + 1)
    return counts, stats.binom.pmf(counts, trials, chance)


def score(total: float, n: int, law: ScoreLaw, confidence: float, target: Target) -> Interval:
    """All shares within z standard errors of the estimate, the standard error taken at the share itself.

    For 0/1 scores and the population it is Wilson's interval (1927) on pi, mapped.
    """
    gap_squared, v_a, v_b = float(law.gap) ** 2, float(law.v_a), float(law.v_b)
    sampling = 1.0 if target == "population" else 0.0
    return within(
        _estimate(total, n, law), n, confidence, v_b / gap_squared, (v_a - v_b) / gap_squared + sampling, sampling
    )


def within(estimate: float, n: int, confidence: float, constant: float, linear: float, square: float) -> Interval:
    """All s in [0, 1] with n (estimate - s)^2 <= z^2 (constant + linear s - square s^2)."""
    z_squared = special.ndtri((1 + confidence) / 2) ** 2
    c = n + z_squared * square
    b = 2 * n * estimate + z_squared * linear
    a = n * estimate**2 - z_squared * constant
    # Where no share at all is within reach the roots are complex; the vertex is then the share nearest to it.
    root = math.sqrt(max(b**2 - 4 * c * a, 0.0))
    return cut((b - root) / (2 * c), (b + root) / (2 * c))


def wald(total: float, n: int, law: ScoreLaw, confidence: float, target: Target) -> Interval:
    """The estimate and z standard errors to both sides, the standard error taken at the estimate cut to [0, 1]."""
    estimate = _estimate(total, n, law)
    variance = unit_variances(np.clip(np.array(estimate), 0.0, 1.0), law, target) / n
    reach = special.ndtri((1 + confidence) / 2) * math.sqrt(variance)
    return cut(estimate - reach, estimate + reach)


def fiducial(
    total: float, n: int, noise: Draws, confidence: float, target: Target, generator: np.random.Generator
) -> Interval:
    """The just-identified simulation interval for scores that are 0 or 1 plus noise of their own (M5 by sum, M6).

    `noise` holds draws of the noise total of n reports (convolution.total_draws). Each leaves t = (total - noise)/n
    for the share among the respondents and, for t in [0, 1], Beta(n t + 1/2, n (1-t) + 1/2) for the population's.
    """
    t = (total - np.asarray(noise, dtype=np.float64)) / n
    drawn = np.clip(t, 0.0, 1.0)
    if target == "population":
        beta = generator.beta(n * drawn + 0.5, n * (1 - drawn) + 0.5)
        drawn = np.where((t < 0) | (t > 1), drawn, beta)
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high))


def jeffreys(total: int, n: int, law: ScoreLaw, confidence: float) -> Interval:
    """The fiducial interval of 0/1 scores, population: pi is Beta(S + 1/2, n - S + 1/2), mapped to the share."""
    low, high = stats.beta.ppf([(1 - confidence) / 2, (1 + confidence) / 2], total + 0.5, n - total + 0.5)
    return cut((low - float(law.b)) / float(law.gap), (high - float(law.b)) / float(law.gap))


def _estimate(total: float, n: int, law: ScoreLaw) -> float:
    return (total / n - float(law.b)) / float(law.gap)


def cut(low: float, high: float) -> Interval:
    """What lies in [0, 1]."""
    return Interval(float(min(max(low, 0.0), 1.0)), float(min(max(high, 0.0), 1.0)))
