"""Joint randomization: several answers by one draw, under one alpha (M34b).

Answers x_1 ... x_s with x_j in 0..d_j-1 are one category of D = d_1 ... d_s, and go through randomized response (M2)
on all D. With the chance `keep` = 1 - D q all of them stay; else all are replaced by a tuple drawn uniformly. So the
table keeps alpha for all answers together, also against somebody who knows all but one of them, and the channel of a
question, or of several of them crossed, is M2 again: another value comes with the chance q D/d, d its own size.

`sizes` are d_1 ... d_s, in the place of d in the protocol of mechanisms. A tuple's number reads it in mixed radix, the
first answer in the most significant place.
Table: {"other": t}. Report: the s indices.
"""

import math
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ldp import exact
from ldp.exact import Table
from ldp.mechanisms import randomized_response
from ldp.packing import Columns, Packing
from ldp.scores import PairMoments, ScoreMoments, Totals
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.tally import Field

Sizes = Sequence[int]

# A tally counts every tuple.
TUPLES_MAX = 4096


def tuples(sizes: Sizes) -> int:
    """D. ValueError names the rule that the sizes break."""
    if not sizes or min(sizes) < 2:
        raise ValueError("must be about one question or more, each with two answers or more")
    if math.prod(sizes) > TUPLES_MAX:
        raise ValueError(f"takes at most {TUPLES_MAX} combinations of answers")
    return math.prod(sizes)


def table(alpha: Fraction, sizes: Sizes) -> Table:
    return randomized_response.table(alpha, tuples(sizes))


def certified(table: Table, sizes: Sizes, alpha: Fraction) -> bool:
    return randomized_response.certified(table, tuples(sizes), alpha)


def realized_alpha(table: Table, sizes: Sizes) -> float:
    return randomized_response.realized_alpha(table, tuples(sizes))


def keep(table: Table, sizes: Sizes) -> Fraction:
    """The chance that all answers stay; else all are replaced."""
    return 1 - Fraction(tuples(sizes) * table["other"], exact.RESOLUTION)


def randomize(answers: Sequence[int], table: Table, sizes: Sizes, uniform: Uniform) -> list[int]:
    """The shift is what randomized response makes of tuple 0, so it is drawn before the answers are looked at; its
    places are added to them one by one. Adding a shift to the D tuples is a group: every tuple comes from every other
    one by exactly one shift."""
    shift = randomized_response.randomize(0, table, tuples(sizes), uniform)
    return [(x + step) % d for x, step, d in zip(answers, places(shift, sizes), sizes, strict=True)]


def places(number: int, sizes: Sizes) -> list[int]:
    """The tuple with this number."""
    reverse = []
    for d in reversed(sizes):
        number, place = divmod(number, d)
        reverse.append(place)
    return reverse[::-1]


def marginal(table: Table, sizes: Sizes, questions: Collection[int]) -> Table:
    """The table of the channel of these questions alone, crossed where they are several: that of randomized response on
    the product of their sizes. Every other value of theirs stands in D/d tuples, each of which comes with chance q."""
    return {"other": table["other"] * (tuples(sizes) // math.prod(sizes[k] for k in questions))}


def moments(table: Table, sizes: Sizes) -> dict[str, ScoreMoments]:
    """The moments of the tuples."""
    return randomized_response.moments(table, tuples(sizes))


def pairs(table: Table, sizes: Sizes) -> dict[str, PairMoments]:
    return randomized_response.pairs(table, tuples(sizes))


def packing(table: Table, sizes: Sizes) -> Packing:
    """The tuple's number, as one column."""
    largest = tuples(sizes) - 1
    width = largest.bit_length()

    def encode(value: object) -> int:
        if type(value) is not list or len(value) != len(sizes):
            raise ValueError(f"must be a list of exactly {len(sizes)} integers")
        code = 0
        for x, d in zip(value, sizes, strict=True):
            if type(x) is not int or not 0 <= x < d:
                raise ValueError(f"must hold integers below {', '.join(map(str, sizes))} only")
            code = code * d + x
        return code

    return Packing(width, encode, lambda code: places(code, sizes), Columns(1, 0, largest))


def tally(field: "Field", table: Table, sizes: Sizes) -> Totals:
    """How often each tuple came, in the order of their numbers."""
    return {"support": field.counts()[: tuples(sizes)].tolist()}
