"""Randomized response on d categories (M2; Warner 1965 for d = 2).

The true category is reported with probability p = (2^53 - (d-1) t)/2^53, each other with q = t/2^53.
Table: {"other": t}. Report: the index of a category.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from ldp import exact
from ldp.exact import Table
from ldp.packing import Packing, integer
from ldp.scores import EXCLUSIVE, PairMoments, ScoreMoments, Totals, indicator
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ()


def table(alpha: Fraction, d: int) -> Table:
    return {"other": exact.threshold(alpha, d)}


def certified(table: Table, d: int, alpha: Fraction) -> bool:
    return exact.certified(table["other"], alpha, d)


def realized_alpha(table: Table, d: int) -> float:
    return exact.realized_alpha(table["other"], d)


def randomize(answer: int, table: Table, d: int, uniform: Uniform) -> int:
    """One uniform integer gives a shift, 0 with probability p and each of 1..d-1 with probability q.

    The shift is drawn without looking at the answer; every threshold is compared whatever it is.
    """
    u = uniform()
    shift = sum(u < k * table["other"] for k in range(1, d))
    return (answer + shift) % d


def moments(table: Table, d: int) -> dict[str, ScoreMoments]:
    q = Fraction(table["other"], exact.RESOLUTION)
    return {"support": indicator(1 - (d - 1) * q, q)}


def pairs(table: Table, d: int) -> dict[str, PairMoments]:
    """A report supports one category, never two."""
    return {"support": EXCLUSIVE}


def packing(table: Table, d: int) -> Packing:
    return integer(0, d - 1)


def tally(field: "Field", table: Table, d: int) -> Totals:
    return {"support": field.counts()[:d].tolist()}
