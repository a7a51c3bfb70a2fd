"""The inverse sensitivity mechanism of a curator: majority, mean and median (M24; Asi and Duchi 2020).

D(t) is the number of answers that must change before t is the truth. A neighbour changes every D by 1 at most, so
chances proportional to e^{-alpha D/2} keep alpha. Of two outcomes one has D = 0, and when the other's grows its own
stays, so there e^{-alpha D} keeps alpha too. Answers are integers 0..top: an option, or a step of a number's grid.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from ldp.central import draws
from ldp.central.exponential import normalized
from ldp.words import Uniform


def law(distances: Sequence[int], alpha: float) -> list[float]:
    """The chance of each outcome, from its D."""
    rate = alpha if len(distances) == 2 else alpha / 2
    return normalized([-rate * distance for distance in distances])


def draw(distances: Sequence[int], alpha: Fraction, uniform: Uniform) -> int:
    """The index of an outcome, drawn exactly from integer weights that keep alpha to the last digit."""
    rate = alpha if len(distances) == 2 else alpha / 2
    weights = draws.decaying(rate, max(distances) + 1)
    return draws.weighted([weights[distance] for distance in distances], uniform)


# Distances ------------------------------------------------------------------------------------------------------------


def majority_distances(yes: int, n: int) -> list[int]:
    """Of "at most half" and "more than half said yes"."""
    needed = n // 2 + 1
    return [max(yes - needed + 1, 0), max(needed - yes, 0)]


def median_distances(answers: Sequence[int], top: int) -> list[int]:
    """Of every median 0..top, the answer number h = (n+1)//2 in order (the lower of two middle ones).

    t is the median where at least h answers are at most t and at least n-h+1 are at least t; each change mends one
    of both lacks, never both, and only one can be lacking.
    """
    n = len(answers)
    h = (n + 1) // 2
    at_most = list(accumulate(answers.count(t) for t in range(top + 1)))
    at_least = [n - below for below in [0, *at_most[:-1]]]
    return [max(0, h - low, n - h + 1 - high) for low, high in zip(at_most, at_least, strict=True)]


def mean_distances(answers: Sequence[int], top: int) -> list[int]:
    """Of every total T = 0..n top; the mean is T/n.

    The total rises fastest by lifting the least answers to the top, so D is the least m whose m least answers have
    room for T - total; likewise downwards with the largest. A last change by less reaches T itself.
    """
    ordered, total = sorted(answers), sum(answers)
    room_up = list(accumulate((top - answer for answer in ordered), initial=0))
    room_down = list(accumulate(reversed(ordered), initial=0))
    return [
        bisect_left(room_up, target - total) if target >= total else bisect_left(room_down, total - target)
        for target in range(len(answers) * top + 1)
    ]


# What they are worth --------------------------------------------------------------------------------------------------


def majority(yes: int, n: int, alpha: float) -> float:
    """The chance that it says "more than half said yes"."""
    return law(majority_distances(yes, n), alpha)[1]


def majority_error(margin: int, alpha: float) -> float:
    """The chance of the wrong side where `margin` answers must change before the other side is right."""
    return 1 / (1 + math.exp(alpha * margin))


def majority_bound(margin: int, alpha: float) -> float:
    """No mechanism that keeps alpha errs less at this margin on both sides.

    Right at the border the two sides are neighbours: the chance e of an error on one and e' on the other fulfil
    e >= e^-alpha (1 - e') and the reverse, so the larger is at least 1/(e^alpha + 1). Each further answer divides it by
    e^alpha at most.
    """
    return math.exp(-alpha * (margin - 1)) / (math.exp(alpha) + 1)


def error(chances: Sequence[float], truth: int) -> float:
    """The root of the mean squared error of a law over 0, 1, 2, ..., about a truth on that scale."""
    return math.sqrt(math.fsum(chance * (k - truth) ** 2 for k, chance in enumerate(chances)))
