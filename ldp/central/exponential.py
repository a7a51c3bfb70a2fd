"""The exponential mechanism of a curator (docs/mathematics.md, "Choosing"; McSherry and Talwar 2007).

Outcome t gets a chance proportional to exp(alpha u(t)/(2 sensitivity)), `sensitivity` the most that one person's answer
changes any utility: then both the weight and the total change by a factor of at most e^{alpha/2}.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from ldp.central import draws
from ldp.words import Uniform


def law(utilities: Sequence[float], alpha: float, sensitivity: float = 1.0) -> list[float]:
    """Return the chance of each outcome."""
    return normalized([alpha * utility / (2 * sensitivity) for utility in utilities])


def normalized(logs: Sequence[float]) -> list[float]:
    """Return chances from the logarithms of weights."""
    top = max(logs)
    weights = [math.exp(log - top) for log in logs]
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def draw(utilities: Sequence[int], alpha: Fraction, uniform: Uniform, sensitivity: int = 1) -> int:
    """Return the index of an outcome, drawn exactly: proposed evenly, accepted with chance exp(-alpha loss/(2
    sensitivity)).

    The loss is counted from the largest utility, so that one outcome is always accepted.
    """
    top = max(utilities)
    while True:
        proposal = draws.below(len(utilities), uniform)
        if draws.decays(alpha * (top - utilities[proposal]) / (2 * sensitivity), uniform):
            return proposal


def majority(yes: int, n: int, alpha: float) -> float:
    """Return the chance of the outcome "more than half said yes", with the two counts as utilities; an answer moves
    both by 1."""
    return law([n - yes, yes], alpha)[1]


# The inverse sensitivity mechanism of a curator for a majority (Asi and Duchi 2020) -----------------------------------
#
# D(t) is the number of answers that must change before t is the truth. A neighbour changes every D by 1 at most, so
# chances proportional to e^{-alpha D/2} keep alpha. One of two outcomes has D = 0, and when the other's grows its own
# stays, so there e^{-alpha D} keeps alpha too.


def majority_error(margin: int, alpha: float) -> float:
    """Return the chance of the wrong side where `margin` answers must change before the other side is right."""
    return 1 / (1 + math.exp(alpha * margin))


def majority_bound(margin: int, alpha: float) -> float:
    """Return the least chance of an error that any mechanism with this alpha has at this margin on the worse side.

    At the border the two sides are neighbours: the chance e of an error on one and e' on the other fulfil
    e >= e^-alpha (1 - e') and the reverse, so the larger is at least 1/(e^alpha + 1). Each further answer divides it by
    e^alpha at most.
    """
    return math.exp(-alpha * (margin - 1)) / (math.exp(alpha) + 1)
