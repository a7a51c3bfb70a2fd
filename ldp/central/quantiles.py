"""Several private quantiles at once, by the joint exponential mechanism (Gillenwater, Joseph and Kulesza 2021;
docs/mathematics.md, "Several quantiles at once").

Answers are integers 0..size, steps of a grid. They cut the grid into n+1 intervals; interval i has the cells between
answers i and i+1. The outcome is m cells in order, o_1 <= ... <= o_m; cell c lies between c and c+1. Let n_j answers
lie between o_{j-1} and o_j; the levels want e_j = n (q_j - q_{j-1}). The utility is -sum |n_j - e_j|. A replaced answer
changes two of the n_j by 1, so

    chance proportional to the product of w(|n_j - e_j|),   w(k) about e^{-alpha k/4}

keeps alpha. For one level the exponent is alpha/2 |n_1 - n q| (Smith 2011). w is a table of integers in which a step of
1 costs at most e^{alpha/4}, so the mechanism keeps alpha exactly. `draw` draws it exactly; `law` has its chances.

Many equal answers leave no room between them, and the mechanism then misses their value by far. `smoothed` first moves
each answer by a few random steps, which makes room and leaves neighbours neighbours (Lalanne et al. 2022).
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from ldp import words
from ldp.arrays import Integers, Values
from ldp.central import draws
from ldp.words import Uniform

_BITS = 128
Array = npt.NDArray[Any]  # integers of any size (dtype object)


class JointQuantiles(NamedTuple):
    """The dynamic program. `lengths` are the numbers of cells of the n+1 intervals. `reach[j]` has, for each interval
    of the j-th quantile, the contribution of the first j quantiles if the next one lies in a later interval."""

    lengths: Array
    weights: Array  # of the distances 0, 1/unit, 2/unit, ...
    unit: int
    fractions: list[Fraction]
    reach: list[Array]
    ends: Array


def smoothed(answers: Sequence[int], size: int, steps: int, uniform: Uniform) -> list[int]:
    """Return each answer moved by an independent uniform -steps..steps, and cut to 0..size."""
    return [min(max(answer + words.choice(2 * steps + 1, uniform) - steps, 0), size) for answer in answers]


def joint(answers: Sequence[int], size: int, levels: Sequence[Fraction], alpha: Fraction) -> JointQuantiles:
    """Return the mechanism on these answers, in whole numbers.

    Levels are increasing fractions in (0, 1). Work grows with m n^2, memory with m n.
    """
    n, fractions = len(answers), wanted(len(answers), levels)
    unit = math.lcm(*(number.denominator for number in fractions))
    lengths = np.array(gaps(answers, size), dtype=object)
    law = JointQuantiles(lengths, np.array(weights(alpha, n, unit), dtype=object), unit, fractions, [], np.zeros(0))
    for j in range(len(levels) + 1):
        law.reach.append(_reached(law, j))
    ends = law.reach[-1] * np.array([_weight(law, n - i, len(levels)) for i in range(n + 1)], dtype=object)
    return law._replace(ends=ends)


def gaps(answers: Sequence[int], size: int) -> list[int]:
    """Return the numbers of cells of the n+1 intervals between the sorted answers and the ends."""
    points = [0, *sorted(min(max(answer, 0), size) for answer in answers), size]
    return [high - low for low, high in pairwise(points)]


def wanted(n: int, levels: Sequence[Fraction]) -> list[Fraction]:
    """Return the wanted numbers of answers before, between and after the quantiles, (m+1,)."""
    return [n * (high - low) for low, high in pairwise([Fraction(0), *levels, Fraction(1)])]


def weights(alpha: Fraction, n: int, unit: int) -> list[int]:
    """Return the weights of the distances 0, 1/unit, ..., 2 n. No outcome is farther.

    With equal answers every outcome is far off, and the table must still distinguish distances near n. So it has 128
    bits below e^{-alpha n/4}.
    """
    return draws.decaying(alpha / (4 * unit), 2 * unit * n + 1, _BITS + math.ceil(alpha * n / 4 / math.log(2)))


def _weight(joint: JointQuantiles, count: int, j: int) -> Any:
    """Return w(|count - e_{j+1}|), the weight of `count` answers between quantiles j and j+1."""
    return joint.weights[int(joint.unit * abs(count - joint.fractions[j]))]


def _reached(joint: JointQuantiles, j: int) -> Array:
    """Return, for each interval i of o_j, the sum of `parts`: the total over all o_1..o_j."""
    if j == 0:
        return np.zeros(0, dtype=object)
    return np.asarray(sum(parts(joint, j)))


def parts(joint: JointQuantiles, j: int) -> list[Array]:
    """Return the terms of reach[j] for k = 1..j: k quantiles in interval i, and the j-k others before it.

    k ordered cells out of l can be chosen in l (l+1) ... (l+k-1)/k! ways. No answers lie between them.
    """
    rows, ways, inside = [], joint.lengths, 1
    for k in range(1, j + 1):
        rows.append(ways * _entered(joint, j - k) * inside)
        ways = ways * (joint.lengths + k) // (k + 1)
        inside = inside * _weight(joint, 0, j - k)
    return rows


def _entered(joint: JointQuantiles, before: int) -> Array:
    """Return, by interval i, totals over o_1..o_before in earlier intervals, times the weight of answers up to i."""
    n = len(joint.lengths) - 1
    weights = np.array([_weight(joint, count, before) for count in range(n + 1)], dtype=object)
    if before == 0:
        return weights
    earlier = joint.reach[before]
    return np.array([earlier[:i] @ weights[i:0:-1] if i else 0 for i in range(n + 1)], dtype=object)


def draw(joint: JointQuantiles, uniform: Uniform) -> list[int]:
    """Return the cells of all quantiles in order. They are drawn exactly, the last one first."""
    j, n = len(joint.fractions) - 1, len(joint.lengths) - 1
    starts = [0, *accumulate(int(length) for length in joint.lengths)]
    interval, cells = draws.weighted(list(joint.ends), uniform), []
    while j:
        k = 1 + draws.weighted([part[interval] for part in parts(joint, j)], uniform)
        cells += [starts[interval] + cell for cell in _ordered(k, int(joint.lengths[interval]), uniform)]
        j -= k
        if j:
            weights = [_weight(joint, interval - i, j) if i < interval else 0 for i in range(n + 1)]
            interval = draws.weighted(list(joint.reach[j] * np.array(weights, dtype=object)), uniform)
    return sorted(cells)


def _ordered(k: int, length: int, uniform: Uniform) -> list[int]:
    """Return k of `length` cells in order, all lists equally likely: k different ones of length+k-1, less 0..k-1."""
    chosen: set[int] = set()
    while len(chosen) < k:
        chosen.add(draws.below(length + k - 1, uniform))
    return [cell - place for place, cell in enumerate(sorted(chosen))]


# The law of the outcomes, in floating point ---------------------------------------------------------------------------
#
# The same dynamic program in logarithms, for plots and plans. With many equal answers every outcome's weight is too
# small for a floating-point number. No release is drawn from it.


class QuantileLaw(NamedTuple):
    """`lengths` are the numbers of cells of the n+1 intervals. `chances[j]` has the chance that quantile j lies in each
    interval. All cells of an interval are equally likely."""

    lengths: Integers
    chances: list[Values]


def law(answers: Sequence[int], size: int, levels: Sequence[Fraction], alpha: float) -> QuantileLaw:
    """Return the law, arrays of shape (n+1,). Levels are increasing fractions in (0, 1). Work grows with m n^2, memory
    with n^2."""
    lengths = np.array(gaps(answers, size))
    program = _Program(lengths, [float(fraction) for fraction in wanted(len(answers), levels)], alpha)
    return QuantileLaw(lengths, program.chances())


class _Program:
    """The dynamic program in logarithms. reach[j] and entered[j] match `JointQuantiles` and `_entered`."""

    def __init__(self, lengths: Integers, fractions: list[float], alpha: float) -> None:
        self.m, self.n = len(fractions) - 1, len(lengths) - 1
        counts = np.arange(self.n + 1)
        self.weights = [-alpha / 4 * np.abs(counts - each) for each in fractions]
        self.ways = self._ways(lengths)
        # later[i, i'] = i - i', positive if interval i' comes before i.
        self.later = counts[:, None] - counts[None, :]
        self.reach: list[Values] = [np.zeros(0)]
        self.entered = [self.weights[0]]
        for j in range(1, self.m + 1):
            self.reach.append(np.asarray(scipy.special.logsumexp(self._parts(j), axis=0)))
            self.entered.append(np.asarray(scipy.special.logsumexp(self._steps(j), axis=1)))

    def _ways(self, lengths: Integers) -> list[Values]:
        """Return the logarithms of l (l+1) ... (l+k-1)/k! for k = 1, 2, ..., m."""
        with np.errstate(divide="ignore"):
            factors = [np.log(lengths + k) - np.log(k + 1) for k in range(self.m)]
        return list(np.cumsum(factors, axis=0))

    def _steps(self, j: int) -> Values:
        """Return log weights, (n+1, n+1), of quantile j in interval i' (column) and the next one in interval i (row);
        -inf unless i' < i."""
        weights = self.weights[j][np.maximum(self.later, 0)]
        return np.where(self.later > 0, self.reach[j][None, :] + weights, -np.inf)

    def _parts(self, j: int) -> Values:
        """Return, for k = 1..j, the log weights of k quantiles up to number j in interval i, and the j-k others before
        it."""
        parts, inside = [], 0.0
        for k in range(1, j + 1):
            parts.append(self.ways[k - 1] + self.entered[j - k] + inside)
            inside += float(self.weights[j - k][0])
        return np.array(parts)

    def chances(self) -> list[Values]:
        """Return the chances of each quantile's intervals, computed backward from the last quantile."""
        later = [np.zeros(self.n + 1) for _ in range(self.m + 1)]
        together = [np.zeros(self.n + 1) for _ in range(self.m + 1)]
        later[self.m] = scipy.special.softmax(self.reach[self.m] + self.weights[self.m][::-1])
        for j in range(self.m, 0, -1):
            with np.errstate(invalid="ignore"):
                shares = np.nan_to_num(np.exp(self._parts(j) - self.reach[j]))
            for k, share in enumerate(shares, start=1):
                block = later[j] * share
                for inner in range(j - k + 1, j + 1):
                    together[inner] += block
                if j > k:
                    later[j - k] += self._back(j - k, block)
        return together[1:]

    def _back(self, before: int, block: Values) -> Values:
        """Return the chances of the intervals of quantile `before`, from those of the next block."""
        with np.errstate(invalid="ignore"):
            steps = np.nan_to_num(np.exp(self._steps(before) - self.entered[before][:, None]))
        return np.asarray(block @ steps)
