"""The law of a total of pooled scores (M45), computed directly."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from typing import NamedTuple

import numpy as np

from ldp.arrays import Values
from ldp.scores import Part, ScoreMoments, Target, indicator

_BESIDE = 1e-9


class Reports(NamedTuple):
    """The reports of a form. `laws` has the chances of a report's score 0, 1, ...: first if the answer is another
    option, then if it is the option in question. `times` is the weight of a score of 1."""

    n: int
    times: int
    laws: tuple[Values, Values]

    def spaced(self) -> tuple[Values, Values]:
        no, yes = (np.zeros(self.times * (len(law) - 1) + 1) for law in self.laws)
        no[:: self.times], yes[:: self.times] = self.laws
        return no, yes


def channel(keep: Fraction, d: int, a: int) -> ScoreMoments:
    """Return the moments of a question with d options, if a report lists a of them (M44)."""
    by_chance = (1 - keep) * Fraction(a, d)
    return indicator(keep + by_chance, keep * Fraction(a - 1, d - 1) + by_chance)


def of_parts(parts: Sequence[Part]) -> list[Reports]:
    """Return reports whose scores are 0 or 1."""
    ends = [(part, float(part.moments.b), float(part.moments.a)) for part in parts]
    return [
        Reports(part.n, part.score, (np.array([1 - other, other]), np.array([1 - own, own])))
        for part, other, own in ends
    ]


def chances(forms: Sequence[Reports], target: Target, share: float) -> Values:
    """Return the chance of each total from 0 on. For respondents, average over all ways to draw their forms."""
    if target == "population":
        each = [(form.n, (1 - share) * no + share * yes) for form in forms for no, yes in [form.spaced()]]
        return reduce(np.convolve, [_power(law, n) for n, law in each])
    n = sum(form.n for form in forms)
    m = round(share * n)
    by_number = {0: np.ones(1)}
    for form in forms:
        no, yes = form.spaced()
        more: dict[int, Values] = {}
        for before, law in by_number.items():
            for inside in range(min(form.n, m - before) + 1):
                own = np.convolve(_power(yes, inside), _power(no, form.n - inside))
                ways = math.comb(form.n, inside) * np.convolve(law, own)
                more[before + inside] = more.get(before + inside, 0.0) + ways
        by_number = more
    return np.asarray(by_number[m] / math.comb(n, m))


def _power(law: Values, n: int) -> Values:
    return reduce(np.convolve, [law] * n, np.ones(1))


def shares(ends: Values, n: int, target: Target) -> Values:
    """Return the shares at which intervals with these ends, shape (m, 2), can have the least coverage. For respondents:
    every possible share of n people. For the population: each end, a point just beyond it, and a grid."""
    if target == "respondents":
        return np.arange(n + 1) / n
    low, high = ends.T
    return np.unique(np.clip(np.concatenate([low, low - _BESIDE, high, high + _BESIDE, np.linspace(0, 1, 101)]), 0, 1))


def least_coverage(forms: Sequence[Reports], ends: Values, target: Target) -> float:
    """Return the least coverage of these intervals over all shares."""
    n = sum(form.n for form in forms)
    held = []
    for share in shares(ends, n, target):
        inside = (ends[:, 0] - 1e-12 <= share) & (share <= ends[:, 1] + 1e-12)
        held.append(float(chances(forms, target, share) @ inside))
    return min(held)
