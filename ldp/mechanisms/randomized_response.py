"""Randomized response on d categories (M2; Warner 1965 for d = 2).

The true category is reported with probability p = (2^53 - (d-1) t)/2^53, each other with q = t/2^53.
Table: {"other": t}. Report: the index of a category.
"""

from collections.abc import Callable
from fractions import Fraction

from ldp import exact
from ldp.scores import ScoreLaw, indicator
from ldp.words import Uniform

Table = dict[str, int]


def table(alpha: Fraction, d: int) -> Table:
    return {"other": exact.threshold(alpha, d)}


def certified(table: Table, alpha: Fraction, d: int) -> bool:
    return exact.certified(table["other"], alpha, d)


def realised_alpha(table: Table, d: int) -> float:
    return exact.realised_alpha(table["other"], d)


def randomize(answer: int, d: int, table: Table, uniform: Uniform) -> int:
    """One uniform integer gives a shift, 0 with probability p and each of 1..d-1 with probability q.

    The shift is drawn without looking at the answer; every threshold is compared whatever it is.
    """
    u = uniform()
    shift = sum(u < k * table["other"] for k in range(1, d))
    return (answer + shift) % d


def laws(table: Table, d: int) -> dict[str, ScoreLaw]:
    q = Fraction(table["other"], exact.RESOLUTION)
    return {"support": indicator(1 - (d - 1) * q, q)}


def width(d: int, table: Table) -> int:
    """Bits of a packed report."""
    return (d - 1).bit_length()


def encoder(d: int, table: Table) -> Callable[[object], int]:
    """A function from a report's value to its bits as an integer. ValueError names the rule, never the value."""

    def encode(value: object) -> int:
        if type(value) is not int or not 0 <= value < d:
            raise ValueError(f"must be an integer from 0 to {d - 1}")
        return value

    return encode
