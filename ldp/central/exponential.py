"""The exponential mechanism of a curator, and report noisy max (M24; McSherry and Talwar 2007).

Outcome t gets a chance proportional to exp(alpha u(t)/(2 sensitivity)), `sensitivity` the most that one person's answer
changes any utility: both the weight and the total then change by e^{alpha/2} at most.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from ldp.central import draws
from ldp.words import Uniform


def law(utilities: Sequence[float], alpha: float, sensitivity: float = 1.0) -> list[float]:
    """The chance of each outcome."""
    return normalized([alpha * utility / (2 * sensitivity) for utility in utilities])


def normalized(logs: Sequence[float]) -> list[float]:
    """Chances from the logarithms of weights."""
    top = max(logs)
    weights = [math.exp(log - top) for log in logs]
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def shortfall(alpha: float, outcomes: int, failure: float, sensitivity: float = 1.0) -> float:
    """With chance 1 - failure the outcome has a utility less than this below the largest."""
    return 2 * sensitivity / alpha * math.log(outcomes / failure)


def draw(utilities: Sequence[int], alpha: Fraction, uniform: Uniform, sensitivity: int = 1) -> int:
    """The index of an outcome, drawn exactly: proposed evenly, accepted with chance exp(-alpha loss/(2 sensitivity)).

    The loss is counted from the largest utility, so that one outcome is always accepted.
    """
    top = max(utilities)
    while True:
        proposal = draws.below(len(utilities), uniform)
        if draws.decays(alpha * (top - utilities[proposal]) / (2 * sensitivity), uniform):
            return proposal


def majority(yes: int, n: int, alpha: float) -> float:
    """The chance that it says "more than half said yes", with the two counts for utilities.

    A changed answer moves both counts by 1.
    """
    return law([n - yes, yes], alpha)[1]


def noisy_max(counts: Sequence[float], noise: Callable[[], float]) -> int:
    """Report noisy max: the index of the largest count after each gets noise, and nothing else of the noise.

    With Laplace noise of scale 1/alpha it is alpha-private where a person can only raise counts, or only lower them,
    by 1 at most (somebody joins or leaves). Where an answer is replaced the scale is 2/alpha.
    """
    noisy = [count + noise() for count in counts]
    return noisy.index(max(noisy))


def draw_max(counts: Sequence[int], alpha: Fraction, uniform: Uniform) -> int:
    """Report noisy max with integer Laplace noise, drawn exactly; of equal ones the first wins.

    Alpha-private where counts only rise, or only fall, by 1: whatever the other noises are, an index wins from some
    noise of its own on, and needing 1 more divides that chance by e^alpha at most.
    """
    return int(noisy_max(counts, lambda: draws.laplace(alpha, uniform)))
