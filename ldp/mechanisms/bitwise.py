"""Bitwise randomized response (M3; Duchi, Jordan and Wainwright; symmetric unary encoding).

The answer as d bits, one of them 1; each bit is flipped independently with probability q = t/2^53, which keeps
alpha because two answers differ in two bits and each bit keeps alpha/2.
Table: {"flip": t}. Report: a string of d characters 0 or 1.
"""

from collections.abc import Callable
from fractions import Fraction

from ldp import exact
from ldp.scores import ScoreLaw, indicator
from ldp.words import Uniform

Table = dict[str, int]


def table(alpha: Fraction, d: int) -> Table:
    return {"flip": exact.threshold(alpha / 2, 2)}


def certified(table: Table, alpha: Fraction, d: int) -> bool:
    return exact.certified(table["flip"], alpha / 2, 2)


def realised_alpha(table: Table, d: int) -> float:
    return 2 * exact.realised_alpha(table["flip"], 2)


def randomize(answer: int, d: int, table: Table, uniform: Uniform) -> str:
    """The flips are drawn without looking at the answer: d uniform integers, in the order of the categories."""
    flips = [uniform() < table["flip"] for _ in range(d)]
    return "".join("1" if flip != (j == answer) else "0" for j, flip in enumerate(flips))


def laws(table: Table, d: int) -> dict[str, ScoreLaw]:
    q = Fraction(table["flip"], exact.RESOLUTION)
    return {"support": indicator(1 - q, q)}


def width(d: int, table: Table) -> int:
    """Bits of a packed report."""
    return d


def encoder(d: int, table: Table) -> Callable[[object], int]:
    """A function from a report's value to its bits as an integer. ValueError names the rule, never the value."""

    def encode(value: object) -> int:
        # strip leaves nothing exactly when every character is 0 or 1; int() alone would take "1_0" and "+1".
        if type(value) is not str or len(value) != d or value.strip("01"):
            raise ValueError(f"must be a string of exactly {d} characters 0 or 1")
        return int(value, 2)

    return encode
