"""A mean by one bit (M8; Duchi, Jordan and Wainwright 2013).

The number is rounded to an end of its range at random, and which end goes through randomized response (M2, d = 2).

Over answers with the mean s (the range being 0..1) the bit is 1 with probability q + (p-q) s, whatever their law is.
Table: {"other": t}. Report: 0 or 1.
"""

from collections.abc import Callable
from fractions import Fraction

from ldp import exact
from ldp.mechanisms import randomized_response
from ldp.scores import ScoreLaw, indicator
from ldp.words import Uniform

Table = dict[str, int]


def table(alpha: Fraction, d: int = 2) -> Table:
    return randomized_response.table(alpha, 2)


def certified(table: Table, alpha: Fraction, d: int = 2) -> bool:
    return randomized_response.certified(table, alpha, 2)


def realised_alpha(table: Table, d: int = 2) -> float:
    return randomized_response.realised_alpha(table, 2)


def randomize(answer: int, d: int, table: Table, uniform: Uniform) -> int:
    """`answer` is the end that the number was rounded to: 0 for low, 1 for high."""
    return randomized_response.randomize(answer, 2, table, uniform)


def laws(table: Table, d: int = 2) -> dict[str, ScoreLaw]:
    q = Fraction(table["other"], exact.RESOLUTION)
    return {"mean": indicator(1 - q, q)}


def width(d: int, table: Table) -> int:
    return 1


def encoder(d: int, table: Table) -> Callable[[object], int]:
    """A function from a report's value to its bit. ValueError names the rule, never the value."""
    return randomized_response.encoder(2, table)
