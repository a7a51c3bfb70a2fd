"""The least error of a whole survey under one alpha, for questions with options (M48).

Any column of an alpha-private channel on the answers to all questions is proportional to 1 + (e^alpha - 1) f with
0 <= f <= 1. With gamma the mean of f, F_jk its mean over the people who give option k of question j, and

    W_j = sum over k of (F_jk - gamma)^2/d_j,    I_j(f) = (d_j (e^alpha - 1))^2 W_j/((d_j - 1)(1 + (e^alpha - 1) gamma))^2,

a column's information about a share of j is I_j(f), at equal shares. Let best_j be the largest where j is asked alone of
everybody (M19). A channel's information about all questions, each over best_j, adds up to at most

    B = max over f of the sum of I_j(f)/best_j,

so the mean over Q questions of (variance)/(variance if the question were asked alone of everybody) is at least Q/B, by
Cauchy's inequality. B is largest where f is 0 or 1: the root of a sum of squares over an affine function.

`bound` says how B is known. "enumerated": the largest of all f. "searched": the largest that was found, of all product
subsets (M44) and of what can be reached from them step by step; no better channel is known. `at_most` is proved: the
W_j add up to at most gamma (1 - gamma) (Parseval), each is at most that of an f which depends on its question alone, and
those of yes/no questions add up to at most 2 g^2 ln(1/g), g = min(gamma, 1 - gamma) (the level-1 inequality; M36b).
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple

import numpy as np

from ldp.arrays import Values

How = Literal["enumerated", "searched", "proved"]

# Of so many combinations of answers all f are compared; up to so many a search goes from column to column.
ENUMERATED_MAX, ASCENDED_MAX = 16, 512
_STARTS, _ROUNDS, _POINTS = 24, 4, 4001
# Product subsets whose sizes differ by less than this in ln D are compared with each other only.
_BIN = 0.002


class Bound(NamedTuple):
    """`value` is B as far as it is known; `at_most` is what B cannot exceed."""

    value: float
    how: How
    at_most: float


class Efficiency(NamedTuple):
    """`value` is Q/B over the survey's own mean, `how` as of the bound; `at_least` is proved."""

    value: float
    how: How
    at_least: float


def efficiency(alpha: float, sizes: Sequence[int], variances: Sequence[float]) -> Efficiency:
    """Return how near a survey comes to the bound.

    `sizes` are the questions' numbers of options, `variances` n times those of their shares at equal ones, n the number
    of all reports, each of which keeps alpha.
    """
    known = bound(alpha, tuple(sorted(sizes)))
    worth = [variance * best_alone(alpha, d) for d, variance in zip(sizes, variances, strict=True)]
    mean = math.fsum(worth) / len(worth)
    return Efficiency(len(worth) / known.value / mean, known.how, len(worth) / known.at_most / mean)


def information(d: int, listed: int, kept: float) -> float:
    """Return a report's information about a share, at equal shares, where it lists so many of d options and its subsets
    are kept with this chance (M44)."""
    return kept**2 * factor(d, listed)


@lru_cache(maxsize=1 << 12)
def factor(d: int, listed: int) -> float:
    """g^2/(s (1 - s)), s = a/d and g = (d - a)/(d - 1)."""
    return d**2 * (d - listed) / (listed * (d - 1) ** 2)


def kept(alpha: float, cells: float) -> float:
    """Return the chance lambda that all subsets contain the answers; `cells` is D, the product of d_j/a_j."""
    return 1 / (1 + cells / math.expm1(alpha))


@lru_cache(maxsize=1 << 12)
def best_alone(alpha: float, d: int) -> float:
    """Return best_j."""
    return max(information(d, listed, kept(alpha, d / listed)) for listed in range(1, d))


@lru_cache(maxsize=1 << 10)
def bound(alpha: float, sizes: tuple[int, ...]) -> Bound:
    """Return B for questions with so many options; `sizes` in increasing order."""
    at_most = _proved(alpha, sizes)
    if len(set(sizes)) == len(sizes) == 1:
        return Bound(1.0, "proved", 1.0)
    if math.prod(sizes) <= ENUMERATED_MAX:
        every = np.array(list(product((0.0, 1.0), repeat=math.prod(sizes))))
        value = float(_values(alpha, sizes, every).max())
        return Bound(value, "enumerated", value)
    value = product_subset(alpha, sizes)
    if math.prod(sizes) <= ASCENDED_MAX:
        value = max(value, _ascended(alpha, sizes))
    return Bound(value, "proved" if math.isclose(value, at_most, rel_tol=1e-6) else "searched", max(at_most, value))


# Product subsets (M44) ------------------------------------------------------------------------------------------------


def product_subset(alpha: float, sizes: Sequence[int]) -> float:
    """Return the largest sum of I_j/best_j of a product subset of any of the questions. For each ln D, to a bin, only
    the largest sum of the questions' factors can be part of the best."""
    front = {0: (0.0, 0.0)}
    most = math.log(math.expm1(alpha) + 1) + 4
    for d in sizes:
        best = best_alone(alpha, d)
        options = [(math.log(d / listed), factor(d, listed) / best) for listed in range(1, d)]
        longer = dict(front)
        for cost, value in front.values():
            for more, worth in options:
                if cost + more <= most and longer.get(place := round((cost + more) / _BIN), (0, -1.0))[1] < value + worth:
                    longer[place] = (cost + more, value + worth)
        front = _undominated(longer)
    return max(kept(alpha, math.exp(cost)) ** 2 * value for cost, value in front.values())


def _undominated(front: dict[int, tuple[float, float]]) -> dict[int, tuple[float, float]]:
    left, most = dict[int, tuple[float, float]](), -1.0
    for place in sorted(front):
        if front[place][1] > most:
            left[place], most = front[place], front[place][1]
    return left


# Any column -----------------------------------------------------------------------------------------------------------


def _places(sizes: Sequence[int]) -> Values:
    """For each combination of answers which option of which question it has: (P, sum of d)."""
    combinations = list(product(*map(range, sizes)))
    starts = np.cumsum([0, *sizes[:-1]])
    places = np.zeros((len(combinations), sum(sizes)))
    for row, answers in enumerate(combinations):
        places[row, starts + np.array(answers)] = 1
    return places


def _scales(alpha: float, sizes: Sequence[int]) -> Values:
    """What the square of each F_jk - gamma counts in the sum of I_j/best_j."""
    each = [math.expm1(alpha) ** 2 * d / ((d - 1) ** 2 * best_alone(alpha, d)) for d in sizes]
    return np.repeat(each, sizes)


def _values(alpha: float, sizes: Sequence[int], columns: Values) -> Values:
    """The sum of I_j(f)/best_j for each row f."""
    means = columns @ _places(sizes) / (math.prod(sizes) / np.repeat(sizes, sizes))
    gamma = columns.mean(axis=1)
    squares = (means - gamma[:, None]) ** 2 @ _scales(alpha, sizes)
    return np.asarray(squares / (1 + math.expm1(alpha) * gamma) ** 2)


def _ascended(alpha: float, sizes: tuple[int, ...]) -> float:
    """The largest value that is reached from seeded columns: where one is the best, the combinations with f = 1 are
    those of the largest slopes, so that each step takes the best number of these."""
    places, scales, count = _places(sizes), _scales(alpha, sizes), math.prod(sizes)
    cells, chance, best = count / np.repeat(sizes, sizes), np.random.default_rng(48), 0.0
    numbers = np.arange(1, count)
    for start in range(_STARTS):
        slopes = places @ (chance.normal(size=len(scales)) * (chance.random(len(scales)) < (start + 1) / _STARTS))
        reached = -1.0
        while True:
            order = np.argsort(-slopes, kind="stable")
            means = np.cumsum(places[order], axis=0)[:-1] / cells
            gamma = numbers / count
            values = (means - gamma[:, None]) ** 2 @ scales / (1 + math.expm1(alpha) * gamma) ** 2
            place = int(values.argmax())
            if values[place] <= reached * (1 + 1e-12):
                break
            reached = float(values[place])
            slopes = places @ ((means[place] - gamma[place]) * scales / cells)
        best = max(best, reached)
    return best


# What no column exceeds -----------------------------------------------------------------------------------------------


def _proved(alpha: float, sizes: tuple[int, ...]) -> float:
    """The largest value that the W_j of some gamma could have; gamma is at most 1/2, since the W_j are symmetric about
    it and the denominator grows. The search narrows about the best of many points."""
    low, high = -2 * alpha - 40, math.log(0.5)
    for _ in range(_ROUNDS):
        points = np.linspace(low, high, _POINTS)
        values = _at_most(alpha, sizes, np.exp(points))
        best = int(values.argmax())
        low, high = points[max(best - 1, 0)], points[min(best + 1, _POINTS - 1)]
    return float(values.max())


def _at_most(alpha: float, sizes: tuple[int, ...], gamma: Values) -> Values:
    """W_j that count most are as large as they can be: the limits are of single questions, of all yes/no questions, and
    of all, each within the next, so that no other W_j add up to more."""
    worth = {d: (d / (d - 1)) ** 2 / best_alone(alpha, d) for d in set(sizes)}
    every, binary, value = gamma * (1 - gamma), 2 * gamma**2 * np.log(1 / gamma), np.zeros_like(gamma)
    for d in sorted(worth, key=lambda d: -worth[d]):
        whole = np.floor(d * gamma)
        weight = sizes.count(d) * ((whole + (d * gamma - whole) ** 2) / d - gamma**2)
        weight = np.minimum(weight, every)
        if d == 2:
            weight = np.minimum(weight, binary)
        every, value = every - weight, value + worth[d] * weight
    return np.asarray((math.expm1(alpha) / (1 + math.expm1(alpha) * gamma)) ** 2 * value)
