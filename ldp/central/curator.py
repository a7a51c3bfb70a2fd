"""What a trusted curator could publish at the same alpha, set beside local privacy (M23).

A curator sees every answer and randomizes once. Two data sets are neighbours when one person's answer differs.
"""

import math

from ldp.central import laplace


def variance(spread: float, n: int, alpha: float, sensitivity: float = 1.0) -> float:
    """The variance of a mean over n people with Laplace noise: sampling and noise.

    `spread` is the variance of one person's value: share (1 - share) for a proportion. One person changes the total by
    `sensitivity`, or all totals together when several are published: 1 for one proportion, 2 for all shares of a
    question.
    """
    return spread / n + laplace.noise_variance(sensitivity, alpha) / n**2


def price(variance: float, other: float) -> float:
    """How many times wider the intervals are with one variance than with another."""
    return math.sqrt(variance / other)
