"""The Laplace mechanism of a curator: a number, and noise that hides what one person changes (M23, M24).

In real numbers the noise has density exp(-|y|/scale)/(2 scale), scale = sensitivity/alpha. `release` draws its integer
twin, P(k) proportional to e^{-|k| alpha/sensitivity}, exactly: for counts, and for sums on a grid.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from ldp.central import draws
from ldp.words import Uniform


def scale(sensitivity: float, alpha: float) -> float:
    """Return the scale of Laplace noise for a number that one person's answer changes by `sensitivity` at most."""
    return sensitivity / alpha


def noise_variance(sensitivity: float, alpha: float) -> float:
    return 2 * scale(sensitivity, alpha) ** 2


def delta(alpha: float, kept: float) -> float:
    """Return the least delta at this alpha of noise that keeps the alpha `kept` purely: 1 - e^{-(kept - alpha)/2}, or
    0.

    The ratio exceeds e^alpha below y = D (1 - alpha/kept)/2, on the other side of the peak.
    """
    return -math.expm1(-max(kept - alpha, 0.0) / 2)


def error_bound(sensitivity: float, alpha: float, failure: float, numbers: int = 1) -> float:
    """Return the error that none of the numbers exceeds with chance 1 - failure: P(|Y| > y) = e^{-y/scale}.

    `sensitivity` is the sum of the changes of all numbers. Each is allowed to be off with chance 1 - (1-failure)^{1/k},
    exact because their noises are independent.
    """
    each = -math.expm1(math.log1p(-failure) / numbers)
    return -scale(sensitivity, alpha) * math.log(each)


def release(totals: Sequence[int], alpha: Fraction, uniform: Uniform, sensitivity: int = 1) -> list[int]:
    """Return each total with its own integer noise; `sensitivity` bounds the sum of the changes that one person
    makes."""
    return [total + draws.laplace(alpha / sensitivity, uniform) for total in totals]


# What a trusted curator could publish at the same alpha (M23) ---------------------------------------------------------
#
# A curator sees every answer and randomizes once. Two data sets are neighbours when one person's answer differs.


def variance(spread: float, n: int, alpha: float, sensitivity: float = 1.0) -> float:
    """Return the variance of a mean over n people with Laplace noise: sampling and noise.

    `spread` is the variance of one person's value: share (1 - share) for a proportion. One person changes the total by
    `sensitivity`, or all totals together when several are published: 1 for one proportion, 2 for all shares of a
    question.
    """
    return spread / n + noise_variance(sensitivity, alpha) / n**2


def price(variance: float, other: float) -> float:
    """Return how many times wider the intervals are with one variance than with another."""
    return math.sqrt(variance / other)
