"""A mean by one bit (M8; Duchi, Jordan and Wainwright 2013).

The number is rounded at random to an end of its range, and the end goes through randomized response (M44, d = 2). Over
answers with mean s, on the range 0..1, the bit is 1 with probability q + (p-q) s, for any law of answers.

Table: {"keep": t, "sizes": [1]}. Report: [0] or [1].
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from ldp.exact import ListTable
from ldp.mechanisms import randomized_response
from ldp.packing import Packing
from ldp.scores import PairMoments, ScoreMoments, Totals, indicator
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ()


def table(alpha: Fraction, d: int) -> ListTable:
    return randomized_response.table(alpha, 2)


def certified(table: ListTable, d: int, alpha: Fraction) -> bool:
    return randomized_response.certified(table, 2, alpha)


def realized_alpha(table: ListTable, d: int) -> float:
    return randomized_response.realized_alpha(table, 2)


def randomize(answer: int, table: ListTable, d: int, uniform: Uniform) -> list[int]:
    """Return the report. `answer` is the end to which the number was rounded: 0 for low, 1 for high."""
    return randomized_response.randomize(answer, table, 2, uniform)


def moments(table: ListTable, d: int) -> dict[str, ScoreMoments]:
    return {"mean": indicator(*randomized_response.chances(table, 2))}


def pairs(table: ListTable, d: int) -> dict[str, PairMoments]:
    """Return nothing: there is one score."""
    return {}


def packing(table: ListTable, d: int) -> Packing:
    return randomized_response.packing(table, 2)


def tally(field: "Field", table: ListTable, d: int) -> Totals:
    return {"mean": field.column_sums.tolist()}
