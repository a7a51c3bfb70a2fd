"""Channels as tables of integer weights (M1): every input has a row of cumulative thresholds.

Row x has c_1 < ... < c_{k-1}. With c_0 = 0 and c_k = 2^53, output z has the weight c_{z+1} - c_z, and exactly this
weight over 2^53 is its probability. The certificate is finite: for every output the largest weight is at most a lower
bound of e^alpha times the smallest, and none is zero.
"""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import accumulate, pairwise

from ldp import exact
from ldp.exact import ListTable
from ldp.packing import Packing, integer
from ldp.scores import Weights
from ldp.words import Uniform

# Rounded weights may need a slightly smaller rate: first by this part, then by twice as much, and so on.
FIRST_STEP = 2.0**-50


def weights(table: ListTable) -> Weights:
    """Return the weights, a row for each input. Each row adds up to 2^53."""
    return tuple(tuple(high - low for low, high in pairwise([0, *row, exact.RESOLUTION])) for row in table["rows"])


def keeps(rows: Iterable[Iterable[int]], alpha: Fraction) -> bool:
    """Return whether no weight of any column is zero or more than e^alpha times another."""
    bound = exact.exp_short(alpha)
    columns = list(zip(*rows, strict=True))
    return all(
        min(column) >= 1 and max(column) * bound.denominator <= min(column) * bound.numerator for column in columns
    )


def certified(table: ListTable, d: int, alpha: Fraction) -> bool:
    """Return whether the table is a channel that keeps alpha."""
    lengths = {len(row) for row in table["rows"]}
    return len(lengths) == 1 and keeps(weights(table), alpha)


def realized_alpha(table: ListTable, d: int) -> float:
    return math.log(max(Fraction(max(column), min(column)) for column in zip(*weights(table), strict=True)))


def steepest(rate: float, alpha: Fraction, law: Callable[[float], list[list[float]]]) -> ListTable:
    """Return the certified table of the largest rate up to `rate`. law(rate) returns the rows of probabilities.

    In real numbers `rate` keeps alpha. Only rounding to integers may need slightly less.
    """
    step = 0.0
    while True:
        rows = [_rounded(row, x) for x, row in enumerate(law(rate * (1 - step)))]
        if keeps(rows, alpha):
            return {"rows": [list(accumulate(row))[:-1] for row in rows]}
        step = 2 * step or FIRST_STEP


def _rounded(row: list[float], x: int) -> list[int]:
    """Return integer weights that add up to 2^53: rounded down, with the rest added to the likeliest."""
    total = math.fsum(row)
    cut = [int(p / total * exact.RESOLUTION) for p in row]
    cut[cut.index(max(cut))] += exact.RESOLUTION - sum(cut)
    return cut


def randomize(answer: int, table: ListTable, d: int, uniform: Uniform) -> int:
    """Return the output: how many of the row's thresholds one uniform integer reaches, with all of them compared."""
    u = uniform()
    return sum(c <= u for c in table["rows"][answer])


def packing(table: ListTable, d: int, lowest: int = 0) -> Packing:
    """Return the packing of an output's index, counted from `lowest`."""
    return integer(lowest, lowest + len(table["rows"][0]))
