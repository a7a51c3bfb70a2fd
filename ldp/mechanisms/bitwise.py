"""Bitwise randomized response (M3; Duchi, Jordan and Wainwright; symmetric unary encoding).

The answer becomes d bits, one of them 1, each flipped independently with probability q = t/2^53. Two answers differ in
two bits, and each keeps alpha/2. Table: {"flip": t}. Report: a string of d characters 0 or 1.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from ldp import exact
from ldp.exact import Table
from ldp.packing import Columns, Packing
from ldp.scores import PairMoments, ScoreMoments, Totals, independent, indicator
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ()


def table(alpha: Fraction, d: int) -> Table:
    return {"flip": exact.threshold(alpha / 2, 2)}


def certified(table: Table, d: int, alpha: Fraction) -> bool:
    return exact.certified(table["flip"], alpha / 2, 2)


def realized_alpha(table: Table, d: int) -> float:
    return 2 * exact.realized_alpha(table["flip"], 2)


def randomize(answer: int, table: Table, d: int, uniform: Uniform) -> str:
    """Return the report. Flips are drawn before the answer is used: d uniform integers, in the categories' order."""
    flips = [uniform() < table["flip"] for _ in range(d)]
    return "".join("1" if flip != (j == answer) else "0" for j, flip in enumerate(flips))


def moments(table: Table, d: int) -> dict[str, ScoreMoments]:
    q = Fraction(table["flip"], exact.RESOLUTION)
    return {"support": indicator(1 - q, q)}


def pairs(table: Table, d: int) -> dict[str, PairMoments]:
    return {name: independent(scores) for name, scores in moments(table, d).items()}


def packing(table: Table, d: int) -> Packing:
    def encode(value: object) -> int:
        # strip leaves nothing exactly if every character is 0 or 1. int() alone would accept "1_0" and "+1".
        if type(value) is not str or len(value) != d or value.strip("01"):
            raise ValueError(f"must be a string of exactly {d} characters 0 or 1")
        return int(value, 2)

    return Packing(d, encode, lambda code: f"{code:0{d}b}", Columns(d, 0, 1))


def tally(field: "Field", table: Table, d: int) -> Totals:
    return {"support": field.column_sums.tolist()}
