"""Spending a total alpha by weight: the least weighted sum of the bounds R* over the questions (M19, M27)."""

import heapq
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ldp.exact import ALPHA_MAX, ALPHA_MIN
from ldp.kinds import KINDS
from ldp.planning.budget import UNIT, check, with_rest
from ldp.planning.candidates import PlannedQuestion

Floats = npt.NDArray[np.float64]


def smooth_constant(alpha: npt.ArrayLike, d: int) -> Floats:
    """R* where m may be any real number from 1 on: smooth and convex in alpha, and R* itself for d of 2 and 3.

    The best real m is d/(e^alpha + 1), where R is (d-1)^2/(d sinh^2(alpha/2)), or 1 where that is less; of three
    categories no set of two is better than one. For larger d it is below R*, by at most 8% (at d = 4, where m = 1 and
    m = 2 are equally good).
    """
    alphas = np.asarray(alpha, dtype=np.float64)
    by_sets = (d - 1) ** 2 / (d * np.sinh(alphas / 2) ** 2)
    by_one = (d - 1) / d * (1 + d / np.expm1(alphas)) ** 2
    return np.where((np.expm1(alphas) < d - 2) & (d > 3), by_sets, by_one)


@dataclass(frozen=True)
class Part:
    """A question of the sum: weight times factor times R*(d, alpha/sample). Items that a report seldom draws count as
    much more as they are rarer; a mean counts as half of a question with two answers."""

    weight: float
    d: int
    sample: int = 1
    factor: float = 1.0

    def risk(self, alphas: npt.ArrayLike) -> Floats:
        constants = smooth_constant(np.asarray(alphas) / self.sample, self.d)
        return np.asarray(self.weight * self.factor * constants)


def part(question: PlannedQuestion, weight: float) -> Part:
    kind, size = KINDS[question.kind], question.size
    answers = kind.answers(size)
    return Part(weight, max(answers, 2), size.sample, kind.rarity(size) * (1.0 if answers > 1 else 0.5))


def by_weight(total: Fraction, parts: Sequence[Part], unit: Fraction = UNIT) -> list[Fraction]:
    """The alphas, in units, of least sum of risks. Risks are convex, so each unit goes where it gains the most, and
    that is the best of all splits in units. ValueError where the total cannot be shared among so many."""
    check(total, len(parts))
    lowest, highest = math.ceil(ALPHA_MIN / unit), math.floor(ALPHA_MAX / unit)
    steps = np.asarray(np.arange(lowest, highest + 1) * float(unit), dtype=np.float64)
    gains = {each: _gains(each, steps) for each in set(parts)}
    spare = math.floor(total / unit) - lowest * len(parts)
    threshold = _threshold([(gains[each], number) for each, number in Counter(parts).items()], spare)
    counts = _allocation([gains[each] for each in parts], threshold, spare)
    return with_rest(total, [lowest + count for count in counts], unit)


def _gains(part: Part, steps: Floats) -> Floats:
    """What each unit takes off the risk, falling."""
    risks = part.risk(steps)
    return np.asarray(np.minimum.accumulate(risks[:-1] - risks[1:]))


def _allocation(gains: Sequence[Floats], threshold: float, spare: int) -> list[int]:
    """How many units each part gets of so many: all that gain more than the threshold, then the largest of the rest,
    of equal ones the first."""
    counts = [_above(each, threshold) for each in gains]
    rest = [
        (-float(each[count]), k) for k, (each, count) in enumerate(zip(gains, counts, strict=True)) if count < len(each)
    ]
    heapq.heapify(rest)
    for _ in range(spare - sum(counts)):
        _, k = heapq.heappop(rest)
        counts[k] += 1
        if counts[k] < len(gains[k]):
            heapq.heappush(rest, (-float(gains[k][counts[k]]), k))
    return counts


def _threshold(gains: Sequence[tuple[Floats, int]], spare: int) -> float:
    """About the least gain that no more than so many units exceed; each list of gains with how many parts have it."""
    low, high = 0.0, max(float(each[0]) for each, _ in gains)
    while (middle := math.sqrt(low * high) if low else high / 1000) not in (low, high):
        if sum(number * _above(each, middle) for each, number in gains) <= spare:
            high = middle
        else:
            low = middle
    return high


def _above(gains: Floats, threshold: float) -> int:
    return int(np.searchsorted(-gains, -threshold))
