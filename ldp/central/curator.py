"""What a trusted curator could publish at the same alpha, for comparison and for teaching (M23, M24).

A curator sees every answer and randomizes once. NOT for release: laws are floating-point numbers, which is what M1
forbids where an answer must be protected. Two data sets are neighbours when one person's answer differs.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

# M23: the comparison --------------------------------------------------------------------------------------------------


def laplace_scale(sensitivity: float, alpha: float) -> float:
    """The scale of Laplace noise for a number that one person's answer changes by `sensitivity` at most."""
    return sensitivity / alpha


def variance(spread: float, n: int, alpha: float, sensitivity: float = 1.0) -> float:
    """The variance of a mean over n people with Laplace noise: sampling and noise.

    `spread` is the variance of one person's value: share (1 - share) for a proportion. One person changes the total by
    `sensitivity`, or all totals together when several are published: 1 for one proportion, 2 for all shares of a
    question.
    """
    return spread / n + 2 * (laplace_scale(sensitivity, alpha) / n) ** 2


def two_point_bound(n: int, alpha: float) -> float:
    """Every alpha-private curator's expected absolute error of a proportion is this large for some proportion.

    Two populations at total variation t differ in n t answers on average, which weakens e^alpha to e^{alpha n t} in
    the mean (Jensen), so the error is at least t/4 e^{-alpha n t}: 1/(4 e n alpha) at t = 1/(n alpha).
    """
    distance = min(1.0, 1 / (n * alpha))
    return distance / 4 * math.exp(-alpha * n * distance)


def price(variance: float, other: float) -> float:
    """How many times wider the intervals are with one variance than with another."""
    return math.sqrt(variance / other)


# M24: mechanisms of a curator -----------------------------------------------------------------------------------------


def exponential(utilities: Sequence[float], alpha: float, sensitivity: float = 1.0) -> list[float]:
    """The law of the exponential mechanism: outcome t with chance proportional to exp(alpha u(t)/(2 sensitivity)).

    `sensitivity` is the most that one person's answer changes any utility (McSherry and Talwar 2007).
    """
    return _normalized([alpha * utility / (2 * sensitivity) for utility in utilities])


def shortfall(alpha: float, outcomes: int, failure: float, sensitivity: float = 1.0) -> float:
    """With chance 1 - failure the exponential mechanism's outcome has a utility less than this below the largest."""
    return 2 * sensitivity / alpha * math.log(outcomes / failure)


def noisy_max(counts: Sequence[float], noise: Callable[[], float]) -> int:
    """Report noisy max: the index of the largest count after each gets noise, and nothing else of the noise.

    With Laplace noise of scale 1/alpha it is alpha-private where a person can only raise counts, or only lower them,
    by 1 at most (somebody joins or leaves). Where an answer is replaced the scale is 2/alpha.
    """
    noisy = [count + noise() for count in counts]
    return noisy.index(max(noisy))


def inverse_sensitivity(distances: Sequence[int], alpha: float) -> list[float]:
    """The law over outcomes t, from the number of answers that must change before the truth is t (Asi and Duchi 2020).

    The chance is proportional to exp(-alpha D/2). A neighbour changes every D by 1 at most; of two outcomes one has D
    = 0, and when the other's grows its own stays, so exp(-alpha D) suffices.
    """
    rate = alpha if len(distances) == 2 else alpha / 2
    return _normalized([-rate * distance for distance in distances])


def majority(yes: int, n: int, alpha: float) -> float:
    """The chance that the inverse sensitivity mechanism says "more than half said yes"."""
    needed = n // 2 + 1
    return inverse_sensitivity([max(yes - needed + 1, 0), max(needed - yes, 0)], alpha)[1]


class Piece(NamedTuple):
    """A stretch of numbers on which a density is constant, and its chance."""

    low: float
    high: float
    chance: float


def quantile(values: Sequence[float], level: float, low: float, high: float, alpha: float) -> list[Piece]:
    """The law of a private quantile on [low, high], piece by piece between sorted values (Smith 2011).

    The exponential mechanism with the utility -|number of values below t - level n|, which a replaced value changes
    by 1 at most. Values outside are clamped. Between equal values there is no room: where many are equal, blur them
    first.
    """
    points = [low, *sorted(min(max(value, low), high) for value in values), high]
    logs = [
        math.log(right - left) - alpha / 2 * abs(below - level * len(values)) if right > left else -math.inf
        for below, (left, right) in enumerate(pairwise(points))
    ]
    return [
        Piece(left, right, chance)
        for (left, right), chance in zip(pairwise(points), _normalized(logs), strict=True)
        if right > left
    ]


def blurred(values: Sequence[float], width: float, uniform: Callable[[], float]) -> list[float]:
    """Each value moved by its own uniform amount up to width/2, which makes room in an atom (Lalanne et al. 2022).

    What is done to each value by itself leaves neighbours neighbours. `uniform` gives numbers in [0, 1).
    """
    return [value + width * (uniform() - 0.5) for value in values]


def _normalized(logs: Sequence[float]) -> list[float]:
    top = max(logs)
    weights = [math.exp(log - top) for log in logs]
    total = math.fsum(weights)
    return [weight / total for weight in weights]
