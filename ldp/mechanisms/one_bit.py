"""A mean by one bit (M8; Duchi, Jordan and Wainwright 2013).

The number is rounded to an end of its range at random, and which end goes through randomized response (M2, d = 2).

Over answers with the mean s (the range being 0..1) the bit is 1 with probability q + (p-q) s, whatever their law is.
Table: {"other": t}. Report: 0 or 1.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from ldp import exact
from ldp.exact import Table
from ldp.mechanisms import randomized_response
from ldp.packing import Packing, integer
from ldp.scores import PairMoments, ScoreMoments, Totals, indicator
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ()


def table(alpha: Fraction, d: int) -> Table:
    return randomized_response.table(alpha, 2)


def certified(table: Table, d: int, alpha: Fraction) -> bool:
    return randomized_response.certified(table, 2, alpha)


def realized_alpha(table: Table, d: int) -> float:
    return randomized_response.realized_alpha(table, 2)


def randomize(answer: int, table: Table, d: int, uniform: Uniform) -> int:
    """`answer` is the end that the number was rounded to: 0 for low, 1 for high."""
    return randomized_response.randomize(answer, table, 2, uniform)


def moments(table: Table, d: int) -> dict[str, ScoreMoments]:
    q = Fraction(table["other"], exact.RESOLUTION)
    return {"mean": indicator(1 - q, q)}


def pairs(table: Table, d: int) -> dict[str, PairMoments]:
    """None: there is one score."""
    return {}


def packing(table: Table, d: int) -> Packing:
    return integer(0, 1)


def tally(field: "Field", table: Table, d: int) -> Totals:
    return {"mean": field.column_sums.tolist()}
