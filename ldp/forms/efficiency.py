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
from functools import cached_property, lru_cache
from itertools import product
from typing import Literal, NamedTuple

import numpy as np

from ldp.arrays import Values

How = Literal["enumerated", "searched", "proved"]

# Of so many combinations of answers all f are compared; up to so many a search goes from column to column.
ENUMERATED_MAX, ASCENDED_MAX = 16, 512
_STARTS, _ROUNDS, _POINTS = 24, 4, 4001
# Product subsets whose ln D differ by less are compared with each other only; beyond e^alpha times this nothing is told.
_BIN, _BEYOND = 0.002, 4.0
# The least mean is found to this part, by at most so many columns.
_GAP, _COLUMNS, _STEPS = 1e-4, 40, 400

# ln D of a product subset, its weighted sum of factors, and what it tells of each kind but for lambda.
_Entry = tuple[float, float, tuple[float, ...]]


class Bound(NamedTuple):
    """`value` is B as far as it is known; `at_most` is what B cannot exceed."""

    value: float
    how: How
    at_most: float


class Efficiency(NamedTuple):
    """The least mean over the survey's own, `how` the least is known; the efficiency is proved to be `at_least` this."""

    value: float
    how: How
    at_least: float


def efficiency(alpha: float, sizes: Sequence[int], variances: Sequence[float]) -> Efficiency:
    """Return how near a survey comes to the best that any can do.

    `sizes` are the questions' numbers of options, `variances` n times those of their shares at equal ones, n the number
    of all reports, each of which keeps alpha. The mean is that over the questions of the variance over what it would be
    if the question were asked alone of everybody.
    """
    least = least_mean(alpha, tuple(sorted(sizes)))
    worth = [variance * best_alone(alpha, d) for d, variance in zip(sizes, variances, strict=True)]
    mean = math.fsum(worth) / len(worth)
    return Efficiency(least.value / mean, least.how, least.at_least / mean)


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
    survey = _Survey(alpha, sizes)
    weights = np.ones(len(survey.kinds))
    value = float(survey.best(weights) @ weights)
    at_most = value if survey.enumerable else max(value, survey.at_most(weights))
    return Bound(value, "proved" if len(sizes) == 1 else survey.how, at_most)


class LeastMean(NamedTuple):
    """The least mean over the questions of the variance over that of the question asked alone of everybody."""

    value: float
    how: How
    at_least: float


@lru_cache(maxsize=1 << 10)
def least_mean(alpha: float, sizes: tuple[int, ...]) -> LeastMean:
    """Return the least mean that columns together can have; `sizes` in increasing order.

    For any weights mu_j >= 0 it is at least (sum of sqrt(mu_j))^2/(Q B_mu), B_mu the largest sum of mu_j I_j/best_j of
    one column: Q/B where all are 1, and the least mean itself where mu_j is that of the best columns' slopes.
    """
    survey = _Survey(alpha, sizes)
    value, at_least = 0.0, 0.0
    columns = np.zeros((0, len(survey.kinds)))
    told = np.ones(len(survey.kinds))
    for _ in range(_COLUMNS):
        weights = 1 / told**2
        column = survey.best(weights)
        roots = float(survey.numbers @ np.sqrt(weights)) ** 2 / len(sizes)
        value = max(value, roots / float(column @ weights))
        at_least = max(at_least, roots / survey.at_most(weights))
        if float(survey.numbers @ (1 / told)) / len(sizes) <= value * (1 + _GAP) and len(columns):
            break
        columns = np.vstack((columns, column))
        told = _mixed(columns, survey.numbers)
    return LeastMean(value, "proved" if len(sizes) == 1 else survey.how, value if survey.enumerable else at_least)


def _mixed(columns: Values, numbers: Values) -> Values:
    """What columns tell of a question of each kind with the weights for which the sum of numbers/told is least."""
    weights = np.full(len(columns), 1 / len(columns))
    for _ in range(_STEPS):
        weights = weights * np.sqrt(columns @ (numbers / np.maximum(weights @ columns / numbers, 1e-9) ** 2 / numbers))
        weights /= weights.sum()
    return np.maximum(weights @ columns / numbers, 1e-9)


class _Survey:
    """The questions by their kinds, which are numbers of options. A column is what it tells of all questions of each
    kind together, over best_j; weights are those of a kind."""

    def __init__(self, alpha: float, sizes: tuple[int, ...]) -> None:
        self.alpha, self.sizes, self.kinds = alpha, sizes, sorted(set(sizes))
        self.numbers = np.array([sizes.count(d) for d in self.kinds], dtype=float)
        self.enumerable = math.prod(sizes) <= ENUMERATED_MAX
        self.how: How = "enumerated" if self.enumerable else "searched"
        self._best = [best_alone(alpha, d) for d in self.kinds]

    def best(self, weights: Values) -> Values:
        """The column of the largest weighted sum."""
        if self.enumerable:
            return np.asarray(self._every[int((self._every @ weights).argmax())])
        found = self._product_subset(weights)
        if math.prod(self.sizes) <= ASCENDED_MAX:
            other = self._ascended(weights)
            found = other if other @ weights > found @ weights * (1 + 1e-9) else found
        return found

    # Product subsets (M44)

    def _product_subset(self, weights: Values) -> Values:
        """Of any of the questions. For each ln D, to a bin, only the largest sum of factors can be part of the best."""
        front = [(0.0, 0.0, (0.0,) * len(self.kinds))]
        for place, d in enumerate(self.kinds):
            options = [(math.log(d / listed), factor(d, listed) / self._best[place]) for listed in range(1, d)]
            for _ in range(self.sizes.count(d)):
                front = self._longer(front, place, options, float(weights[place]))
        keeps = [kept(self.alpha, math.exp(cost)) ** 2 for cost, _, _ in front]
        best = max(range(len(front)), key=lambda k: keeps[k] * front[k][1])
        return keeps[best] * np.array(front[best][2])

    def _longer(
        self, front: list[_Entry], place: int, options: list[tuple[float, float]], weight: float
    ) -> list[_Entry]:
        """With one question more, or without it; what costs more and is worth no more is left out."""
        most, bins = self.alpha + _BEYOND, {round(entry[0] / _BIN): entry for entry in front}
        for cost, value, told in front:
            for more, worth in options:
                at = round((cost + more) / _BIN)
                if cost + more <= most and (at not in bins or bins[at][1] < value + weight * worth):
                    longer = (*told[:place], told[place] + worth, *told[place + 1 :])
                    bins[at] = (cost + more, value + weight * worth, longer)
        left, largest = list[_Entry](), -1.0
        for at in sorted(bins):
            if bins[at][1] > largest:
                left.append(bins[at])
                largest = bins[at][1]
        return left

    # Any column

    @cached_property
    def _places(self) -> Values:
        """For each combination of answers which option of which question it has: (P, sum of d)."""
        combinations = np.array(list(product(*map(range, self.sizes))))
        starts = np.cumsum([0, *self.sizes[:-1]])
        places = np.zeros((len(combinations), sum(self.sizes)))
        np.put_along_axis(places, combinations + starts, 1, axis=1)
        return places

    @cached_property
    def _cells(self) -> Values:
        """How many combinations have an option."""
        return np.asarray(math.prod(self.sizes) / np.repeat(self.sizes, self.sizes))

    @cached_property
    def _scales(self) -> Values:
        """What the square of each F_jk - gamma counts in the sum of I_j/best_j, in the column of its kind."""
        scales = np.zeros((sum(self.sizes), len(self.kinds)))
        each = np.repeat(self.sizes, self.sizes)
        for place, d in enumerate(self.kinds):
            scales[each == d, place] = math.expm1(self.alpha) ** 2 * d / ((d - 1) ** 2 * self._best[place])
        return scales

    def _told(self, means: Values, gamma: Values) -> Values:
        squares = (means - gamma[:, None]) ** 2 @ self._scales
        return np.asarray(squares / (1 + math.expm1(self.alpha) * gamma[:, None]) ** 2)

    @cached_property
    def _every(self) -> Values:
        """The columns of all f that are 0 or 1."""
        every = np.array(list(product((0.0, 1.0), repeat=math.prod(self.sizes))))
        return self._told(every @ self._places / self._cells, every.mean(axis=1))

    def _ascended(self, weights: Values) -> Values:
        """The best column that is reached from seeded ones: where one is the best, the combinations with f = 1 are
        those of the largest slopes, so that each step takes the best number of these."""
        scales, count = self._scales @ weights, math.prod(self.sizes)
        chance, best = np.random.default_rng(48), np.zeros(len(self.kinds))
        gamma = np.arange(1, count) / count
        for start in range(_STARTS):
            slopes = self._places @ (
                chance.normal(size=len(scales)) * (chance.random(len(scales)) < (start + 1) / _STARTS)
            )
            reached = np.zeros(len(self.kinds))
            while True:
                order = np.argsort(-slopes, kind="stable")
                means = np.cumsum(self._places[order], axis=0)[:-1] / self._cells
                told = self._told(means, gamma)
                place = int((told @ weights).argmax())
                if told[place] @ weights <= reached @ weights * (1 + 1e-12):
                    break
                reached = told[place]
                slopes = self._places @ ((means[place] - gamma[place]) * scales / self._cells)
            best = reached if reached @ weights > best @ weights else best
        return best

    # What no column exceeds

    def at_most(self, weights: Values) -> float:
        """The largest value that the W_j of some gamma could have; gamma is at most 1/2, since the W_j are symmetric
        about it and the denominator grows. The search narrows about the best of many points."""
        low, high = -2 * self.alpha - 40, math.log(0.5)
        for _ in range(_ROUNDS):
            points = np.linspace(low, high, _POINTS)
            values = self._limits(weights, np.exp(points))
            best = int(values.argmax())
            low, high = points[max(best - 1, 0)], points[min(best + 1, _POINTS - 1)]
        return float(values.max())

    def _limits(self, weights: Values, gamma: Values) -> Values:
        """W_j that count most are as large as they can be: the limits are of single questions, of all yes/no questions,
        and of all, each within the next, so that no other W_j add up to more."""
        worth = {d: weights[k] * (d / (d - 1)) ** 2 / self._best[k] for k, d in enumerate(self.kinds)}
        every, value = gamma * (1 - gamma), np.zeros_like(gamma)
        for d in sorted(worth, key=lambda d: -worth[d]):
            full = np.floor(d * gamma)
            weight = self.sizes.count(d) * ((full + (d * gamma - full) ** 2) / d - gamma**2)
            if d == 2:
                weight = np.minimum(weight, 2 * gamma**2 * np.log(1 / gamma))
            weight = np.minimum(weight, every)
            every, value = every - weight, value + worth[d] * weight
        return np.asarray((math.expm1(self.alpha) / (1 + math.expm1(self.alpha) * gamma)) ** 2 * value)
