"""Subset selection (M4; Ye and Barg 2018; Wang et al. 2016): m of the d categories, the true one often among them.

The true category is in with probability p = t/2^53, the others fill up uniformly. A set with the truth in is
p (d-m) / ((1-p) m) times likelier than one without, and m is the one of least squared error: m = 1 is M2, and at equal
shares no alpha-private channel is more precise (M19).
Table: {"m": m, "in": t}. Report: the m indices, increasing.
"""

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from ldp import exact
from ldp.exact import Table
from ldp.packing import Columns, Packing
from ldp.scores import EXCLUSIVE, PairMoments, ScoreMoments, Totals, indicator
from ldp.words import Uniform, shuffled

if TYPE_CHECKING:
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ()


def table(alpha: Fraction, d: int) -> Table:
    """p - q is m (d-m)(S-1) / ((d-1)(m S+d-m)) with S = e^alpha, so m(d-m)/(d (p-q)^2) is least where this key is."""
    bound = exact.exp_short(alpha)
    m = min(range(1, d), key=lambda m: (m * bound + d - m) ** 2 / (m * (d - m)))
    bound = exact.exp_below(alpha)
    return {"m": m, "in": math.floor(exact.RESOLUTION * m * bound / (m * bound + d - m))}


def certified(table: Table, d: int, alpha: Fraction) -> bool:
    """Whether no set is more than e^alpha times likelier for one answer than for another, in both directions."""
    m, t = table["m"], table["in"]
    if not (1 <= m < d and t < exact.RESOLUTION):
        return False
    return t * d >= exact.RESOLUTION * m and t * (d - m) <= (exact.RESOLUTION - t) * m * exact.exp_below(alpha)


def realized_alpha(table: Table, d: int) -> float:
    m, t = table["m"], table["in"]
    return math.log(t * (d - m) / ((exact.RESOLUTION - t) * m))


def randomize(answer: int, table: Table, d: int, uniform: Uniform) -> list[int]:
    """One uniform integer for "in", then always m choices among the d-1 steps that lead to another category."""
    m = table["m"]
    inside = uniform() < table["in"]
    steps = [1 + k for k in shuffled(d - 1, m, uniform)]
    if inside:
        steps[m - 1] = 0
    return sorted((answer + step) % d for step in steps)


def moments(table: Table, d: int) -> dict[str, ScoreMoments]:
    m, p = table["m"], Fraction(table["in"], exact.RESOLUTION)
    return {"support": indicator(p, (m - p) / (d - 1))}


def pairs(table: Table, d: int) -> dict[str, PairMoments]:
    return {"support": pair_moments(Fraction(table["in"], exact.RESOLUTION), table["m"], d)}


def pair_moments(p: Fraction, m: int, d: int) -> PairMoments:
    """Two categories are both in: the true one with chance p, the others uniformly without replacement."""
    if d == 2:
        return EXCLUSIVE
    both = Fraction((m - 1), (d - 1) * (d - 2))
    return PairMoments(p * Fraction(m - 1, d - 1), p * both * (m - 2) + (1 - p) * both * m)


def packing(table: Table, d: int) -> Packing:
    """One bit for each category."""
    m = table["m"]

    def encode(value: object) -> int:
        if type(value) is not list or len(value) != m:
            raise ValueError(f"must be a list of exactly {m} integers")
        last, code = -1, 0
        for index in value:
            if type(index) is not int or not last < index < d:
                raise ValueError(f"must hold increasing integers from 0 to {d - 1}")
            last = index
            code |= 1 << (d - 1 - index)
        return code

    def decode(code: int) -> list[int]:
        return [index for index in range(d) if code >> (d - 1 - index) & 1]

    return Packing(d, encode, decode, Columns(d, 0, 1))


def tally(field: "Field", table: Table, d: int) -> Totals:
    return {"support": field.column_sums.tolist()}
