"""A curator's Laplace mechanism: noise on a number hides what one person changes (M23, M24).

Real noise has density exp(-|y|/scale)/(2 scale), scale = sensitivity/alpha. `release` draws the integer twin exactly,
P(k) proportional to e^{-|k| alpha/sensitivity}, for counts and for sums on a grid.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from ldp.central import draws
from ldp.words import Uniform


def scale(sensitivity: float, alpha: float) -> float:
    """Return the scale of Laplace noise for a number that one person's answer changes by at most `sensitivity`."""
    return sensitivity / alpha


def noise_variance(sensitivity: float, alpha: float) -> float:
    return 2 * scale(sensitivity, alpha) ** 2


def delta(alpha: float, kept: float) -> float:
    """Return the least delta at this alpha of noise with pure alpha `kept`: 1 - e^{-(kept - alpha)/2}, at least 0.

    The ratio exceeds e^alpha below y = D (1 - alpha/kept)/2, across the peak.
    """
    return -math.expm1(-max(kept - alpha, 0.0) / 2)


def error_bound(sensitivity: float, alpha: float, failure: float, numbers: int = 1) -> float:
    """Return the error that no number exceeds with chance 1 - failure, from P(|Y| > y) = e^{-y/scale}.

    `sensitivity` is the sum of the changes of all k numbers. Each may be off with chance 1 - (1-failure)^{1/k}, exact
    because the noises are independent.
    """
    each = -math.expm1(math.log1p(-failure) / numbers)
    return -scale(sensitivity, alpha) * math.log(each)


def release(totals: Sequence[int], alpha: Fraction, uniform: Uniform, sensitivity: int = 1) -> list[int]:
    """Return each total with independent integer noise. `sensitivity` bounds the sum of one person's changes of all
    totals."""
    return [total + draws.laplace(alpha / sensitivity, uniform) for total in totals]


# A trusted curator at the same alpha (M23) ---------------------------------------------------------------------------
#
# A curator sees every answer and randomizes once. Data sets are neighbours if one person's answer differs.


def variance(spread: float, n: int, alpha: float, sensitivity: float = 1.0) -> float:
    """Return the variance of a mean over n people with Laplace noise: sampling plus noise.

    `spread` is the variance of one person's value: share (1 - share) for a proportion. `sensitivity` is the most by
    which one person changes all published totals together: 1 for one proportion, 2 for all shares of a question.
    """
    return spread / n + noise_variance(sensitivity, alpha) / n**2


def price(variance: float, other: float) -> float:
    """Return the ratio of interval widths with one variance and with another."""
    return math.sqrt(variance / other)
