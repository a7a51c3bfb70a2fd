"""Half-widths against the number of people: now, with a trusted curator, without privacy, and the least possible."""

import math
from fractions import Fraction
from typing import NamedTuple

from ldp import bounds
from ldp.central import curator
from ldp.kinds import KINDS
from ldp.planning.candidates import PlannedQuestion, candidate
from ldp.planning.outlook import quantile
from ldp.planning.thirds import CONFIDENCE, half_width


class Point(NamedTuple):
    """Half-widths for n people, as in ldp.planning.thirds. `bound`, None where none is known: with the least standard
    error that any method with this alpha can have in the worst case (M20 for two categories, M19)."""

    n: int
    local: float
    curator: float
    without_privacy: float
    bound: float | None


def point(question: PlannedQuestion, alpha: Fraction, n: int, confidence: float = CONFIDENCE) -> Point:
    kind, size = KINDS[question.kind], question.size
    z, plain = quantile(confidence, kind.together(size, size.d == 2)), kind.without_privacy(size).expected
    trusted = curator.variance(plain, n, float(alpha), kind.sensitivity(size))
    least = _least_variance(question, alpha, n)
    return Point(
        n,
        half_width(question, alpha, n, confidence),
        z * math.sqrt(trusted),
        z * math.sqrt(plain / n),
        None if least is None else z * math.sqrt(least),
    )


def _least_variance(question: PlannedQuestion, alpha: Fraction, n: int) -> float | None:
    """The least variance of one share. That of a mean is about the worst numbers, and a plan about numbers spread
    evenly."""
    efficiency, d = candidate(question, alpha).efficiency, question.size.d
    if efficiency is None or KINDS[question.kind].answers(question.size) < 2:
        return None
    return bounds.share_bound(float(alpha), n) if d == 2 else bounds.sharp_constant(float(alpha), d) / d / n


def curve(question: PlannedQuestion, alpha: Fraction, first: int, last: int, points: int) -> list[Point]:
    """From `first` to `last` people in equal ratios."""
    ratio = math.log(last / first) / (points - 1)
    return [point(question, alpha, round(first * math.exp(ratio * k))) for k in range(points)]
