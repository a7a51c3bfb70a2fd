"""Columns of an alpha-private channel on the answers to several questions, and their information (M44, M48).

A column is proportional to 1 + (e^alpha - 1) f with 0 <= f <= 1. Let gamma be the mean of f, and F_jk its mean over
people who give option k of question j. With

    W_j = sum over k of (F_jk - gamma)^2/d_j,
    I_j(f) = (d_j (e^alpha - 1))^2 W_j/((d_j - 1)(1 + (e^alpha - 1) gamma))^2,

I_j(f) is a column's information about a share of j at equal shares. `best_alone` is the largest I_j if everyone is
asked j alone (M19).
"""

import math
from functools import cached_property, lru_cache
from itertools import product
from typing import Literal

import numpy as np

from ldp.arrays import Values

How = Literal["enumerated", "searched", "proved"]

# Up to 16 combinations of answers all f are compared. Up to 512 a search moves from column to column.
ENUMERATED_MAX, ASCENDED_MAX = 16, 512
_STARTS, _ROUNDS, _POINTS = 24, 4, 4001
# Product subsets compete only within a bin of ln D. ln D is at most alpha + _BEYOND.
_BIN, _BEYOND = 0.002, 4.0

# A product subset: ln D, its weighted sum of factors, its information about each kind without lambda.
_Entry = tuple[float, float, tuple[float, ...]]

# A question: the number of its options, and its importance.
Kind = tuple[int, float]


def information(d: int, listed: int, kept: float) -> float:
    """Return a report's information about a share at equal shares (M44). The report lists `listed` of d options; `kept`
    is the chance to keep the answer."""
    return kept**2 * factor(d, listed)


@lru_cache(maxsize=1 << 12)
def factor(d: int, listed: int) -> float:
    """Return g^2/(s (1 - s)), s = a/d and g = (d - a)/(d - 1) (M44)."""
    return d**2 * (d - listed) / (listed * (d - 1) ** 2)


def keep_chance(alpha: float, cells: float) -> float:
    """Return lambda, the chance to keep the answers (M44). `cells` is D, the product of d_j/a_j."""
    return 1 / (1 + cells / math.expm1(alpha))


@lru_cache(maxsize=1 << 12)
def best_alone(alpha: float, d: int) -> float:
    """Return best_j, the largest information about a share of a question with d options asked alone (M44)."""
    return max(information(d, listed, keep_chance(alpha, d / listed)) for listed in range(1, d))


def bundles(count: int) -> list[int]:
    """Return sizes of bundles of equal questions that list equally many options. Their sums reach every number up to
    `count`, so 200 questions take 10 steps of the search. Up to four questions go one by one."""
    bundles = [1] * min(count, 4)
    while (left := count - sum(bundles)) > 0:
        bundles.append(min(left, sum(bundles)))
    return bundles


class SurveyColumns:
    """The columns about questions of a few kinds. A column has, for each kind, the total information about its
    questions over `best_alone`. Weights are per kind."""

    def __init__(self, alpha: float, questions: tuple[Kind, ...]) -> None:
        self.alpha, self.kinds = alpha, sorted(set(questions))
        self.counts = [questions.count(kind) for kind in self.kinds]
        self.sizes = [d for (d, _), count in zip(self.kinds, self.counts, strict=True) for _ in range(count)]
        self.enumerable = math.prod(self.sizes) <= ENUMERATED_MAX
        enumerated = self.enumerable and len(questions) > 1
        self.how: How = "enumerated" if enumerated else "searched" if len(questions) > 1 else "proved"
        self._best = [best_alone(alpha, d) for d, _ in self.kinds]

    def best(self, weights: Values) -> Values:
        """Return the column with the largest weighted sum, (kinds,)."""
        if self.enumerable:
            return np.asarray(self._every[int((self._every @ weights).argmax())])
        column = self._product_subset(weights)
        if math.prod(self.sizes) <= ASCENDED_MAX:
            other = self._ascended(weights)
            column = other if other @ weights > column @ weights * (1 + 1e-9) else column
        return column

    # Product subsets (M44)

    def _product_subset(self, weights: Values) -> Values:
        """Return the best product subset of any of the questions. Within a bin of ln D only the largest sum of factors
        can be part of the best."""
        front = [(0.0, 0.0, (0.0,) * len(self.kinds))]
        for place, (d, _) in enumerate(self.kinds):
            options = [(math.log(d / listed), factor(d, listed) / self._best[place]) for listed in range(1, d)]
            for together in bundles(self.counts[place]):
                several = [(together * cost, together * worth) for cost, worth in options]
                front = self._longer(front, place, several, float(weights[place]))
        keeps = [keep_chance(self.alpha, math.exp(cost)) ** 2 for cost, _, _ in front]
        best = max(range(len(front)), key=lambda k: keeps[k] * front[k][1])
        return keeps[best] * np.array(front[best][2])

    def _longer(
        self, front: list[_Entry], place: int, options: list[tuple[float, float]], weight: float
    ) -> list[_Entry]:
        """Return the entries with or without one more bundle, leaving out any that costs more and is worth no more."""
        most, bins = self.alpha + _BEYOND, {round(entry[0] / _BIN): entry for entry in front}
        for cost, value, information in front:
            for more, worth in options:
                at = round((cost + more) / _BIN)
                if cost + more <= most and (at not in bins or bins[at][1] < value + weight * worth):
                    longer = (*information[:place], information[place] + worth, *information[place + 1 :])
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
        """Each combination's options as 0 and 1, shape (P, sum of d)."""
        combinations = np.array(list(product(*map(range, self.sizes))))
        starts = np.cumsum([0, *self.sizes[:-1]])
        places = np.zeros((len(combinations), sum(self.sizes)))
        np.put_along_axis(places, combinations + starts, 1, axis=1)
        return places

    @cached_property
    def _cells(self) -> Values:
        """The number of combinations that have each option, (sum of d,)."""
        return np.asarray(math.prod(self.sizes) / np.repeat(self.sizes, self.sizes))

    @cached_property
    def _scales(self) -> Values:
        """Factors of (F_jk - gamma)^2 in the sums of I_j/best_j, shape (sum of d, kinds)."""
        scales = np.zeros((sum(self.sizes), len(self.kinds)))
        homes = [place for place, count in enumerate(self.counts) for _ in range(count)]
        each = np.repeat(homes, self.sizes)
        for place, (d, _) in enumerate(self.kinds):
            scales[each == place, place] = math.expm1(self.alpha) ** 2 * d / ((d - 1) ** 2 * self._best[place])
        return scales

    def _informed(self, means: Values, gamma: Values) -> Values:
        squares = (means - gamma[:, None]) ** 2 @ self._scales
        return np.asarray(squares / (1 + math.expm1(self.alpha) * gamma[:, None]) ** 2)

    @cached_property
    def _every(self) -> Values:
        """The columns of all f with values 0 and 1."""
        every = np.array(list(product((0.0, 1.0), repeat=math.prod(self.sizes))))
        return self._informed(every @ self._places / self._cells, every.mean(axis=1))

    def _ascended(self, weights: Values) -> Values:
        """Return the best column reached from seeded starts. A best column has f = 1 at the combinations of largest
        slope, so each step takes the best number of them."""
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
                information = self._informed(means, gamma)
                place = int((information @ weights).argmax())
                if information[place] @ weights <= reached @ weights * (1 + 1e-12):
                    break
                reached = information[place]
                slopes = self._places @ ((means[place] - gamma[place]) * scales / self._cells)
            best = reached if reached @ weights > best @ weights else best
        return best

    # Upper bounds of all columns

    def at_most(self, weights: Values) -> float:
        """Return an upper bound of the value over gamma and all W_j. gamma is at most 1/2: the W_j are symmetric about
        1/2 and the denominator grows. The search narrows around the best of many points."""
        low, high = -2 * self.alpha - 40, math.log(0.5)
        for _ in range(_ROUNDS):
            points = np.linspace(low, high, _POINTS)
            values = self._limits(weights, np.exp(points))
            best = int(values.argmax())
            low, high = points[max(best - 1, 0)], points[min(best + 1, _POINTS - 1)]
        return float(values.max())

    def _limits(self, weights: Values, gamma: Values) -> Values:
        """Return the value if the W_j with the largest weights are as large as possible. Nested limits bound single
        questions, all yes/no questions and all questions, so no other W_j give more."""
        worth = [weights[k] * (d / (d - 1)) ** 2 / self._best[k] for k, (d, _) in enumerate(self.kinds)]
        every, binary, value = gamma * (1 - gamma), 2 * gamma**2 * np.log(1 / gamma), np.zeros_like(gamma)
        for place in sorted(range(len(worth)), key=lambda place: -worth[place]):
            d, _ = self.kinds[place]
            whole = np.floor(d * gamma)
            weight = np.minimum(self.counts[place] * ((whole + (d * gamma - whole) ** 2) / d - gamma**2), every)
            if d == 2:
                weight = np.minimum(weight, binary)
                binary = binary - weight
            every, value = every - weight, value + worth[place] * weight
        return np.asarray((math.expm1(self.alpha) / (1 + math.expm1(self.alpha) * gamma)) ** 2 * value)
