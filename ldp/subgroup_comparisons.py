"""Differences of each answer's share between two strata, in a document of subgroups (M31b)."""

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import NamedTuple, TypedDict

import numpy as np

from ldp.arrays import Values
from ldp.confidences import CONFIDENCES
from ldp.forms.crossed import Crossed
from ldp.inference import intervals
from ldp.inference.intervals import Interval
from ldp.inference.variables import APPLIES, Variable
from ldp.weighting import scores
from ldp.weighting.scores import Law, adds_up

DIFFERENCES_MAX = 2048


# The difference of a share between two strata is a weighted share (M41) with the weights 1 and -1. Let t be the shares
# of strata, and r_sj the share of j within s. A report's score of the difference between the strata s and z is u =
# (phi(s, j) - r_sj phi(s))/t(s) - (phi(z, j) - r_zj phi(z))/t(z).

Pair = tuple[int, int]


class StratumComparison(NamedTuple):
    """The difference between two strata in one category of the second variable, over n reports."""

    estimate: float
    law: Law
    n: int

    def interval(self, confidence: float) -> Interval:
        return self.law.share_interval(self.estimate, self.n, confidence, least=-1.0)


def differences(crossing: Crossed, pairs: Sequence[Pair], categories: Sequence[int]) -> list[list[StratumComparison]]:
    """Return the differences for each pair of the first variable's categories: one for each of these `categories` of
    the second. None of the first variable's categories may be too small."""
    if not pairs:
        return []
    strata, within = crossing.margins[0][0], crossing.within_first()
    sums = np.eye(within.shape[1])[:, list(categories)]
    made = [
        scores.weights(crossing, sums, _factors(pair, strata), np.where(np.isfinite(within), within, 0.0), 0.0)
        for pair in pairs
    ]
    laws = iter(scores.of_weights(crossing, np.concatenate(made)))
    return [
        [StratumComparison(float(within[s, k] - within[z, k]), next(laws), crossing.n) for k in categories]
        for s, z in pairs
    ]


def _factors(pair: Pair, strata: Values) -> Values:
    factors = np.zeros(len(strata))
    factors[list(pair)] = 1 / strata[pair[0]], -1 / strata[pair[1]]
    return factors


# In a document --------------------------------------------------------------------------------------------------------


class Between(TypedDict):
    """The share within the first stratum minus the share within the second. `strata` are their positions, from 0. The
    intervals `simultaneous`, one for each confidence, hold at once for all differences of the document."""

    strata: list[int]
    estimate: float
    simultaneous: list[list[float]]


def options(other: Variable) -> list[tuple[int, str]]:
    """Return positions and names of the answers shown. An option of a multiple choice shows only "applies". A mean
    shows only the upper end, whose share is the mean."""
    if other.scale:
        return [(1, "mean")]
    return [(place, name) for place, name in enumerate(other.options) if other.options[0] != APPLIES or place == 0]


def measure(other: Variable) -> tuple[float, float]:
    """Return the value at a share of 0, and the distance from there to the value at a share of 1."""
    low, high = other.scale or (0.0, 1.0)
    return low, high - low


def compared(stratum: Variable, shown: Sequence[Variable]) -> int:
    """Return the number of differences. Two answers whose shares add up to 1 count once."""
    return len(_pairs(stratum, shown)) * sum(map(_different, shown))


def _pairs(stratum: Variable, shown: Sequence[Variable]) -> list[Pair]:
    """Return the pairs of strata to compare, the later one first: all pairs, or only neighbours if all are too many."""
    every = [(later, earlier) for earlier, later in combinations(range(len(stratum.options)), 2)]
    if len(every) * sum(map(_different, shown)) <= DIFFERENCES_MAX:
        return every
    return [(later, earlier) for earlier, later in pairwise(range(len(stratum.options)))]


def _different(other: Variable) -> int:
    return 1 if _mirrored(other) else len(options(other))


def _mirrored(other: Variable) -> bool:
    return len(options(other)) == 2 and adds_up(other)


class Apart:
    """All differences of a document, with intervals that hold at once."""

    def __init__(self, stratum: Variable, shown: Sequence[Variable]) -> None:
        self._pairs, many = _pairs(stratum, shown), compared(stratum, shown)
        self._levels = [intervals.bonferroni(confidence, many) for confidence in CONFIDENCES]

    def of(self, crossing: Crossed) -> list[list[Between]]:
        """Return the differences of each answer shown."""
        small, places = crossing.too_small[0], [k for k, _ in options(crossing.second)]
        pairs = [pair for pair in self._pairs if not small[list(pair)].any()]
        rows = differences(crossing, pairs, places)
        made = [[self._difference(pair, row[k], crossing.second) for pair, row in zip(pairs, rows, strict=True)]
                 for k in range(len(places))]  # fmt: skip
        if _mirrored(crossing.second):
            made[1] = [_turned(one) for one in made[0]]
        return made

    def _difference(self, pair: Pair, made: StratumComparison, other: Variable) -> Between:
        _low, width = measure(other)
        ends = [[width * end for end in made.interval(level)] for level in self._levels]
        return {"strata": [*pair], "estimate": width * made.estimate, "simultaneous": ends}


def _turned(one: Between) -> Between:
    ends = [[-high, -low] for low, high in one["simultaneous"]]
    return {"strata": one["strata"], "estimate": -one["estimate"], "simultaneous": ends}
