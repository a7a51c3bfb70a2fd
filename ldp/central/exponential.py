"""A curator's exponential mechanism (docs/mathematics.md, "Choosing"; McSherry and Talwar 2007).

Outcome t has a chance proportional to exp(alpha u(t)/(2 sensitivity)). `sensitivity` is the most by which one person's
answer changes any utility, so an outcome's weight and the total each change by a factor of at most e^{alpha/2}.
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

    The loss is the distance from the largest utility, so at least one outcome is always accepted.
    """
    top = max(utilities)
    while True:
        proposal = draws.below(len(utilities), uniform)
        if draws.decays(alpha * (top - utilities[proposal]) / (2 * sensitivity), uniform):
            return proposal


def majority(yes: int, n: int, alpha: float) -> float:
    """Return the chance of the outcome "more than half said yes". The utilities are the counts; an answer moves both by
    1."""
    return law([n - yes, yes], alpha)[1]


# A curator's inverse sensitivity mechanism for a majority (Asi and Duchi 2020) --------------------------------------
#
# D(t) is the number of answers that must change before t is the truth. A neighbour changes every D by at most 1, so
# chances proportional to e^{-alpha D/2} keep alpha. Of two outcomes one has D = 0, and its D stays when the other's
# grows, so even e^{-alpha D} keeps alpha.


def majority_error(margin: int, alpha: float) -> float:
    """Return the chance of the wrong side if `margin` answers must change before the other side is right."""
    return 1 / (1 + math.exp(alpha * margin))


def majority_bound(margin: int, alpha: float) -> float:
    """Return the least error chance of any mechanism with this alpha, at this margin on its worse side.

    At the border the two sides are neighbours. Their error chances e and e' satisfy e >= e^-alpha (1 - e') and the
    reverse, so the larger is at least 1/(e^alpha + 1). Each further answer divides it by at most e^alpha.
    """
    return math.exp(-alpha * (margin - 1)) / (math.exp(alpha) + 1)
