"""Several private quantiles at once: the joint exponential mechanism (M24; Gillenwater, Joseph and Kulesza 2021).

Answers are integers 0..size, steps of a grid; they cut it into n+1 intervals, interval i holding the cells between the
answers number i and i+1. The outcome is m cells in order, o_1 <= ... <= o_m, cell c lying between c and c+1. If n_j
answers lie between o_{j-1} and o_j where levels ask for e_j = n (q_j - q_{j-1}), the utility is -sum |n_j - e_j|. A
replaced answer changes two of the n_j by 1, so

    chance proportional to the product of w(|n_j - e_j|),   w(k) about e^{-alpha k/4}

keeps alpha. For one level the exponent is alpha/2 |n_1 - n q| (Smith 2011). w is a table of integers of which a step of
1 costs e^{alpha/4} at most, in whole numbers: the mechanism keeps alpha exactly, and is drawn exactly (`draw`).

Where many answers are equal there is no room between them, and the mechanism misses their value by much. `smoothed`
moves each answer by its own few steps first, which makes room and leaves neighbours neighbours (Lalanne et al. 2022).
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ldp import sampling
from ldp.central import draws
from ldp.words import Uniform

_BITS = 128
Array = npt.NDArray[Any]  # floats for laws, integers of any size (dtype object) for draws


class Joint(NamedTuple):
    """The dynamic program. `lengths` are the cells of the n+1 intervals; `reach[j]` says what the first j quantiles
    contribute, by the interval of the j-th, while the next one lies in a later interval.
    """

    lengths: Array
    weights: Array  # of the distances 0, 1/unit, 2/unit, ...
    unit: int
    asked: list[Fraction]
    reach: list[Array]
    ends: Array


def smoothed(answers: Sequence[int], size: int, steps: int, uniform: Uniform) -> list[int]:
    """Each answer moved by its own uniform -steps..steps, and kept in 0..size."""
    return [min(max(answer + sampling.choice(2 * steps + 1, uniform) - steps, 0), size) for answer in answers]


def joint(answers: Sequence[int], size: int, levels: Sequence[Fraction], alpha: Fraction, exact: bool = True) -> Joint:
    """The mechanism on these answers; `exact` in whole numbers, for draws, otherwise in floating point, for laws.

    Levels are increasing fractions in (0, 1). Work and memory grow with m n^2 and m n.
    """
    n = len(answers)
    points = [0, *sorted(min(max(answer, 0), size) for answer in answers), size]
    lengths = [high - low for low, high in pairwise(points)]
    asked = [n * (high - low) for low, high in pairwise([Fraction(0), *levels, Fraction(1)])]
    unit = math.lcm(*(number.denominator for number in asked))
    weights = draws.decaying(alpha / (4 * unit), 2 * unit * n + 1, _BITS)
    table = np.array(weights if exact else [weight / 2**_BITS for weight in weights], dtype=object if exact else float)
    found = Joint(np.array(lengths, dtype=table.dtype), table, unit, asked, [], np.zeros(0))
    for j in range(len(levels) + 1):
        found.reach.append(_reached(found, j))
    ends = found.reach[-1] * np.array([_weight(found, n - i, len(levels)) for i in range(n + 1)], dtype=table.dtype)
    return found._replace(ends=ends)


def _weight(joint: Joint, count: int, j: int) -> Any:
    """w(|count - e_{j+1}|): the weight of so many answers between quantile j and the next."""
    return joint.weights[int(joint.unit * abs(count - joint.asked[j]))]


def _reached(joint: Joint, j: int) -> Array:
    """Totals over all o_1..o_j by the interval i of o_j, of which the last k lie together in i (sums of `parts`)."""
    if j == 0:
        return np.zeros(0, dtype=joint.lengths.dtype)
    return np.asarray(sum(parts(joint, j)))


def parts(joint: Joint, j: int) -> list[Array]:
    """The terms of reach[j] for k = 1..j: k quantiles in interval i, and the j-k others before it.

    k ordered cells out of l can be chosen in l (l+1) ... (l+k-1)/k! ways; between them lie no answers.
    """
    found, ways, inside = [], joint.lengths, 1
    for k in range(1, j + 1):
        found.append(ways * _entered(joint, j - k) * inside)
        longer = ways * (joint.lengths + k)
        ways = longer // (k + 1) if longer.dtype == object else longer / (k + 1)
        inside = inside * _weight(joint, 0, j - k)
    return found


def _entered(joint: Joint, before: int) -> Array:
    """By interval i: totals over o_1..o_before in earlier intervals, times the weight of the answers up to i."""
    n = len(joint.lengths) - 1
    weights = np.array([_weight(joint, count, before) for count in range(n + 1)], dtype=joint.lengths.dtype)
    if before == 0:
        return weights
    earlier = joint.reach[before]
    return np.array([earlier[:i] @ weights[i:0:-1] if i else 0 for i in range(n + 1)], dtype=joint.lengths.dtype)


def chances(joint: Joint) -> list[npt.NDArray[np.float64]]:
    """For each level the chance of each interval, shape (n+1,), from a program in floating point, by going back."""
    m, n = len(joint.asked) - 1, len(joint.lengths) - 1
    later = [np.zeros(n + 1) for _ in range(m + 1)]
    together = [np.zeros(n + 1) for _ in range(m + 1)]
    later[m] = joint.ends / joint.ends.sum()
    for j in range(m, 0, -1):
        terms, total = np.array(parts(joint, j)), joint.reach[j]
        shares = np.divide(terms, total, out=np.zeros_like(terms), where=total > 0)
        for k, share in enumerate(shares, start=1):
            block = later[j] * share
            for inner in range(j - k + 1, j + 1):
                together[inner] += block
            if j > k:
                later[j - k] += _back(joint, j - k, block)
    return together[1:]


def _back(joint: Joint, before: int, block: Array) -> Array:
    """The chance of each interval of quantile `before`, given those of the intervals of the next block."""
    n = len(joint.lengths) - 1
    weights = np.array([_weight(joint, count, before) for count in range(n + 1)])
    entered = _entered(joint, before)
    ratio = np.divide(block, entered, out=np.zeros(n + 1), where=entered > 0)
    back = np.array([ratio[i + 1 :] @ weights[1 : n + 1 - i] for i in range(n + 1)])
    return np.asarray(joint.reach[before] * back)


def draw(joint: Joint, uniform: Uniform) -> list[int]:
    """The cells of all quantiles, drawn exactly, from a program in whole numbers: the last one first."""
    j, n = len(joint.asked) - 1, len(joint.lengths) - 1
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
    """k cells out of `length` in order, all lists alike: k different ones of length+k-1, less 0..k-1."""
    chosen: set[int] = set()
    while len(chosen) < k:
        chosen.add(draws.below(length + k - 1, uniform))
    return [cell - place for place, cell in enumerate(sorted(chosen))]


def interval_of(joint: Joint, cell: int) -> int:
    """The number of answers that lie below a cell."""
    return bisect_right(list(accumulate(int(length) for length in joint.lengths)), cell)
