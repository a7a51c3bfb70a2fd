"""Which of two designs of a survey is better for its questions and wishes, by the half-widths that it promises."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ldp.kinds import KINDS
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.form_prices import CONFIDENCE, Wanted
from ldp.planning.outlook import HOPELESS, quantile

_ROUNDING = 1e-9


class Merit(NamedTuple):
    """How many wishes are missed, how many questions have no result, how many times its wish the interval is that
    misses it most (1 where none does), and the mean over the questions, by their importance, of the square of how much
    wider intervals are than without privacy."""

    missed: int
    without_result: int
    furthest: float
    error: float

    def is_no_worse_than(self, other: "Merit") -> bool:
        """Whether it misses no wish more, loses no result more, and where it gains neither is as near to the wishes,
        and as precise if it is no nearer."""
        if self.missed > other.missed or self.without_result > other.without_result:
            return False
        if self[:2] != other[:2]:
            return True
        if not math.isclose(self.furthest, other.furthest, rel_tol=_ROUNDING):
            return self.furthest < other.furthest
        return self.error <= other.error * (1 + _ROUNDING)


def merit(wanted: Sequence[Wanted], half_widths: Mapping[int, float]) -> Merit:
    """The merit of a design that promises these half-widths, by question."""
    wishes = [half_widths[k] / each.wished for k, each in enumerate(wanted) if each.wished]
    return Merit(
        sum(wish > 1 for wish in wishes),
        sum(width > HOPELESS for width in half_widths.values()),
        max(1.0, *wishes) if wishes else 1.0,
        math.fsum(each.importance * (half_widths[k] / _plain(each.asked)) ** 2 for k, each in enumerate(wanted)),
    )


def _plain(question: PlannedQuestion) -> float:
    """The half-width without privacy, but for the number of people."""
    kind = KINDS[question.kind]
    return quantile(CONFIDENCE, kind.together(question.size, question.size.d == 2)) * math.sqrt(
        kind.without_privacy(question.size).expected
    )
