"""How many bins a histogram should have (M22). Bins are fixed before the first answer, so n is the expected number.

For a density f on [0, 1] with |f(x) - f(y)| <= L |x - y|^beta, 0 < beta <= 1, K equal bins and n reports,

    E of the integral of (estimate - f)^2  <=  L^2 K^{-2 beta} + K/n + v K^2/n.

The terms are the flatness of bins, sampling, and randomization; v is n times the variance that randomization adds to
one share: 0 without privacy, r/(1-r)^2 with r = e^{-alpha/2} for bits and thresholds, twice that for sums.
"""

import math

from ldp.scores import ScoreMoments

# A triangle over the whole range has slopes of 4 and -4 when the range is [0, 1].
SMOOTHNESS, STEEPNESS = 1.0, 4.0


def noise(moments: ScoreMoments) -> float:
    """v of a mechanism: n times what randomization adds to the variance of the share of an almost empty bin."""
    return float(moments.v_b) / float(moments.gap) ** 2


def squared_error(bins: float, n: int, v: float, smoothness: float = SMOOTHNESS, steepness: float = STEEPNESS) -> float:
    """The bound on the mean integrated squared error, for a range scaled to [0, 1]."""
    flatness = steepness**2 * math.pow(bins, -2 * smoothness)
    return flatness + bins / n + v * bins**2 / n


def best(
    n: int,
    v: float,
    smoothness: float = SMOOTHNESS,
    steepness: float = STEEPNESS,
    most: int = 256,
) -> int:
    """The number of bins from 2 to `most` with the least bound. The bound is convex in K, so a bisection finds it."""
    low, high = 2, most
    while low < high:
        middle = (low + high) // 2
        rising = squared_error(middle + 1, n, v, smoothness, steepness) >= squared_error(
            middle, n, v, smoothness, steepness
        )
        low, high = (low, middle) if rising else (middle + 1, high)
    return low
