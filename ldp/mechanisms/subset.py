"""Subset selection (M4; Ye and Barg 2018; Wang et al. 2016): m of the d categories, the true one often among them.

The true category is in with probability p = t/2^53, the others fill up uniformly. A set with the truth in is
p (d-m) / ((1-p) m) times likelier than one without, and m is the one of least squared error: m = 1 is M2, and at equal
shares no alpha-private channel is more precise (M19).
Table: {"m": m, "in": t}. Report: the m indices, increasing.
"""

import math
from collections.abc import Callable
from fractions import Fraction

from ldp import exact
from ldp.sampling import shuffled
from ldp.scores import ScoreLaw, indicator
from ldp.words import Uniform

Table = dict[str, int]


def table(alpha: Fraction, d: int) -> Table:
    """p - q is m (d-m)(S-1) / ((d-1)(m S+d-m)) with S = e^alpha, so m(d-m)/(d (p-q)^2) is least where this key is."""
    bound = exact.exp_short(alpha)
    m = min(range(1, d), key=lambda m: (m * bound + d - m) ** 2 / (m * (d - m)))
    bound = exact.exp_below(alpha)
    return {"m": m, "in": math.floor(exact.RESOLUTION * m * bound / (m * bound + d - m))}


def certified(table: Table, alpha: Fraction, d: int) -> bool:
    """Whether no set is more than e^alpha times likelier for one answer than for another, in both directions."""
    m, t = table["m"], table["in"]
    if not (1 <= m < d and t < exact.RESOLUTION):
        return False
    return t * d >= exact.RESOLUTION * m and t * (d - m) <= (exact.RESOLUTION - t) * m * exact.exp_below(alpha)


def realised_alpha(table: Table, d: int) -> float:
    m, t = table["m"], table["in"]
    return math.log(t * (d - m) / ((exact.RESOLUTION - t) * m))


def randomize(answer: int, d: int, table: Table, uniform: Uniform) -> list[int]:
    """One uniform integer for "in", then always m choices among the d-1 steps that lead to another category."""
    m = table["m"]
    inside = uniform() < table["in"]
    steps = [1 + k for k in shuffled(d - 1, m, uniform)]
    if inside:
        steps[m - 1] = 0
    return sorted((answer + step) % d for step in steps)


def laws(table: Table, d: int) -> dict[str, ScoreLaw]:
    m, p = table["m"], Fraction(table["in"], exact.RESOLUTION)
    return {"support": indicator(p, (m - p) / (d - 1))}


def width(d: int, table: Table) -> int:
    """Bits of a packed report: one for each category."""
    return d


def encoder(d: int, table: Table) -> Callable[[object], int]:
    """A function from a report's value to its bits as an integer. ValueError names the rule, never the value."""
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

    return encode
