"""Discrete Laplace noise in each bin of a histogram (M5).

The answer becomes d bits, one of them 1. Each bin gets independent integer noise with P(k) proportional to r^|k|, r =
e^{-alpha/2}. For a bit x the noisy y = x + noise is at least 1 with probability r/(1+r) if x = 0 and 1/(1+r) if x = 1.
Given that side the distance j (y = 1+j or y = -j) is geometric, P(j) = (1-r) r^j, whatever x is. So a bin is one bit of
bitwise randomized response (M3) and a magnitude independent of the answer. Rounding or truncating the magnitude cannot
affect the guarantee.

The magnitude. A geometric variable truncated to 0..2^m-1 has independent binary digits: its weight r^j is the product
of r^(2^k) over the digits k that are 1, so digit k is 1 with probability 1/(1 + e^{2^k alpha/2}). So m thresholds
replace a table of 2^m, and the moments are finite sums over digits. The lost tail r^(2^m) is below 2^-30.

Table: {"flip": t, "magnitude": [b_0, ..., b_{m-1}]}. Report: a list of d integers from -(2^m-1) to 2^m.
"""

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from ldp import exact
from ldp.exact import ListTable
from ldp.mechanisms import bitwise
from ldp.packing import Packing, integers
from ldp.scores import PairMoments, ScoreMoments, SumMoments, Totals, independent, indicator
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ()

# alpha/2 * 2^m >= 30 ln 2 makes the truncated tail at most 2^-30. 20.795 is 30 ln 2 rounded up.
_TAIL = Fraction(20795, 1000)


def table(alpha: Fraction, d: int) -> ListTable:
    digits = 1
    while (alpha / 2) * 2**digits < _TAIL:
        digits += 1
    magnitude = [exact.threshold(2**k * alpha / 2, 2) for k in range(digits)]
    return bitwise.table(alpha, d) | {"magnitude": magnitude}


certified = bitwise.certified
realized_alpha = bitwise.realized_alpha


def randomize(answer: int, table: ListTable, d: int, uniform: Uniform) -> list[int]:
    """Return the report. Each bin takes one uniform integer for its flip, then one for each digit of its magnitude."""
    report = []
    for j in range(d):
        flip = uniform() < table["flip"]
        magnitude = sum((uniform() < b) << k for k, b in enumerate(table["magnitude"]))
        report.append(1 + magnitude if flip != (j == answer) else -magnitude)
    return report


def moments(table: ListTable, d: int) -> dict[str, ScoreMoments]:
    """Return the moments of `threshold`, which counts reports with y >= 1 (sufficient), and of `sum`, which adds y."""
    q = Fraction(table["flip"], exact.RESOLUTION)
    return {"threshold": indicator(1 - q, q), "sum": _sum_moments(q, tuple(table["magnitude"]))}


@lru_cache(maxsize=128)
def _sum_moments(q: Fraction, digits: tuple[int, ...]) -> SumMoments:
    mean, second = magnitude_moments(digits)
    (a, v_a), (b, v_b) = _moments(1 - q, mean, second), _moments(q, mean, second)
    inside, outside = _chances(1 - q, digits), _chances(q, digits)
    return SumMoments(a, v_a, b, v_b, 1 - len(inside) // 2, inside, outside)


def _chances(chance: Fraction, digits: tuple[int, ...]) -> tuple[float, ...]:
    """Return the law of y = -(2^m-1)..2^m, where y >= 1 has this chance."""
    magnitude = [1.0]
    for b in digits:
        digit = b / exact.RESOLUTION
        magnitude = [p * (1 - digit) for p in magnitude] + [p * digit for p in magnitude]
    above, below = float(chance), float(1 - chance)
    return (*(below * p for p in reversed(magnitude)), *(above * p for p in magnitude))


def magnitude_moments(digits: tuple[int, ...]) -> tuple[Fraction, Fraction]:
    """Return E[j] and E[j^2], exactly, from the independent digits of j."""
    chances = [Fraction(b, exact.RESOLUTION) for b in digits]
    mean = sum((2**k * c for k, c in enumerate(chances)), Fraction(0))
    variance = sum((4**k * c * (1 - c) for k, c in enumerate(chances)), Fraction(0))
    return mean, variance + mean**2


def _moments(chance: Fraction, mean: Fraction, second: Fraction) -> tuple[Fraction, Fraction]:
    """Return mean and variance of y, which is 1+j with this chance and otherwise -j."""
    first = chance * (1 + mean) - (1 - chance) * mean
    square = chance * (1 + 2 * mean + second) + (1 - chance) * second
    return first, square - first**2


def pairs(table: ListTable, d: int) -> dict[str, PairMoments]:
    return {name: independent(scores) for name, scores in moments(table, d).items()}


def packing(table: ListTable, d: int) -> Packing:
    """Return the packing: m+1 bits for each bin, the value shifted to 0..2^(m+1)-1. The first bit is [y >= 1]."""
    magnitudes = 1 << len(table["magnitude"])
    return integers(d, 1 - magnitudes, magnitudes)


def tally(field: "Field", table: ListTable, d: int) -> Totals:
    digits = len(table["magnitude"])
    values = field.number_sums(d) - field.n * (2**digits - 1)
    return {"threshold": field.column_sums[:: digits + 1].tolist(), "sum": values.tolist()}
