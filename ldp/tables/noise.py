"""Integer noise in each bin from a table, (alpha, delta)-private (M6): the common part of Gaussian and OSGT noise.

The answer becomes d bits, one of them 1, plus independent noise on -J..J with integer weights w. Two answers differ in
two bins, of which one loses its 1 to the other. Only the pair of values (y, y') there distinguishes the answers, and

    delta = sum over y, y' of max(w[y-1] w[y'] - e^alpha w[y] w[y'-1], 0) / 2^106

is a finite sum. In fractions, with a lower bound of e^alpha, it proves that a table of any origin keeps (alpha, delta).

Table: {"noise": [c_1, ..., c_2J]}, cumulative thresholds. Report: a list of d integers from -J to J+1.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from ldp import exact
from ldp.exact import ListTable
from ldp.packing import Packing, integers
from ldp.scores import PairMoments, ScoreMoments, SumMoments, Totals, independent
from ldp.tables import shapes
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.tally import Field

NoiseWeights = list[int]

# The default. A survey's definition always states a delta.
DELTA = Fraction(1, 10**6)

FIRST_STEP = 1e-10


def table(alpha: Fraction, delta: Fraction, offset: bool) -> ListTable:
    """Return the table of least variance that keeps (alpha, delta). ValueError if it would be too wide."""
    return {"noise": list(_thresholds(alpha, delta, offset))}


@lru_cache(maxsize=64)
def _thresholds(alpha: Fraction, delta: Fraction, offset: bool) -> tuple[int, ...]:
    shape = shapes.narrowest(float(alpha), float(delta), offset)
    part = 0.0
    while True:
        # The proposal is in floating point. If the proof rejects it, a slightly wider one is tried.
        row = _integers(shapes.weights(shape.wider(part), float(delta)))
        if delta_of(row, alpha) <= delta:
            return tuple(accumulate(row))[:-1]
        part = 2 * part or FIRST_STEP


def _integers(half: Sequence[float]) -> NoiseWeights:
    """Return symmetric weights on -J..J that add up to 2^53, rounded down for all but 0, which gets the rest."""
    total = half[0] + 2 * math.fsum(half[1:])
    tail = [cut for w in half[1:] if (cut := int(w / total * exact.RESOLUTION)) > 0]
    return [*tail[::-1], exact.RESOLUTION - 2 * sum(tail), *tail]


def weights(table: ListTable) -> NoiseWeights:
    """Return the weights of -J..J, which add up to 2^53."""
    return [high - low for low, high in pairwise([0, *table["noise"], exact.RESOLUTION])]


def delta_of(weights: NoiseWeights, alpha: Fraction) -> Fraction:
    """Return the least delta at this alpha, exact up to a lower bound of e^alpha that is at most 2^-64 too small.

    With u = w[y-1] (this bin's bit is 1) and v = w[y] (it is 0), a pair counts if u/v exceeds e^alpha u'/v'. In the
    order of u/v these partners are a growing beginning of the list, so running totals are enough.
    """
    bound = exact.exp_short(alpha)
    pairs = sorted(pairwise([0, *weights, 0]), key=_ratio)
    total, with_one, with_none, partner = 0, 0, 0, 0
    for u, v in pairs:
        while partner < len(pairs) and (
            u * pairs[partner][1] * bound.denominator > bound.numerator * v * pairs[partner][0]
        ):
            with_one += pairs[partner][0]
            with_none += pairs[partner][1]
            partner += 1
        total += u * with_none * bound.denominator - bound.numerator * v * with_one
    return Fraction(total, bound.denominator * sum(weights) ** 2)


def _ratio(pair: tuple[int, int]) -> tuple[bool, Fraction]:
    u, v = pair
    return (v == 0, Fraction(u, v) if v else Fraction(0))


def certified(table: ListTable, d: int, alpha: Fraction, delta: Fraction = DELTA) -> bool:
    """Return whether the table keeps (alpha, delta) between any two answers."""
    row = weights(table)
    return len(row) % 2 == 1 and min(row) >= 1 and delta_of(row, alpha) <= delta


def realized_delta(table: ListTable, alpha: Fraction) -> float:
    return float(delta_of(weights(table), alpha))


def realized_alpha(table: ListTable, d: int, delta: Fraction = DELTA) -> float:
    """Return the least alpha at which the table keeps delta, to 1e-9."""
    row = weights(table)
    low, high = Fraction(0), exact.ALPHA_MAX
    while high - low > Fraction(1, 10**9):
        middle = (low + high) / 2
        low, high = (low, middle) if delta_of(row, middle) <= delta else (middle, high)
    return float(high)


def randomize(answer: int, table: ListTable, d: int, uniform: Uniform) -> list[int]:
    """Return the report, by one uniform integer for each bin in order. The noise is drawn before the answer is used."""
    largest = len(table["noise"]) // 2
    drawn = [uniform() for _ in range(d)]
    noise = [sum(c <= u for c in table["noise"]) - largest for u in drawn]
    return [value + (j == answer) for j, value in enumerate(noise)]


def moments(table: ListTable, d: int) -> dict[str, ScoreMoments]:
    """Return the moments of `sum`, which adds the values. Their mean is larger by 1 if the category is the truth."""
    row = weights(table)
    largest, total = len(row) // 2, sum(row)
    mean = Fraction(sum(w * (k - largest) for k, w in enumerate(row)), total)
    variance = Fraction(sum(w * (k - largest) ** 2 for k, w in enumerate(row)), total) - mean**2
    chances = tuple(w / total for w in row)
    return {"sum": SumMoments(1 + mean, variance, mean, variance, -largest, (0.0, *chances), (*chances, 0.0))}


def pairs(table: ListTable, d: int) -> dict[str, PairMoments]:
    return {name: independent(scores) for name, scores in moments(table, d).items()}


def packing(table: ListTable, d: int) -> Packing:
    """Return the packing: each bin's value, counted from -J, one of 2J+2."""
    largest = len(table["noise"]) // 2
    return integers(d, -largest, largest + 1)


def tally(field: "Field", table: ListTable, d: int) -> Totals:
    values = field.number_sums(d) - field.n * (len(table["noise"]) // 2)
    return {"sum": values.tolist()}
