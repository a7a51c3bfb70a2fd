"""The interval that is published for each score (M15, M30): every one holds at every n >= 1, for every law of answers.

| score | target | interval method |
|---|---|---|
| 0 or 1 | both | `exact`: the total's binomial law, or that of two binomials, inverted (intervals.exact) |
| integers of known law | both | `exact`: the total's law inverted (convolution) |
| outputs of an inverted channel | both | `unseen_respondent`, who has the largest or least score there is |
| mean by Laplace, coarse grid | population | `answers_at_ends`: those at the two ends vary most |
| mean by Laplace, fine grid | population | `unseen_respondent`, who answers an end and has that end's own noise |
| mean by Laplace | respondents | `widest_noise`: the noise and the rounding alone, where they are widest (noise) |

Where a survey may end at any release because of what its results say, all of these are `sequence` (running.py): one
look is then no longer one look. Where an estimate is impossible each is united with that of the nearest possible one
(M37), so that none is short for lying beyond an end.

The first two are exact by proof. The others were held against exact laws and simulation, in
benchmarks/results/coverage.md: Gaffke's bound is a conjecture that nobody has seen broken, as are its variants here.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np

from ldp import arrays, numeric
from ldp.inference import convolution, intervals, noise, running, unseen
from ldp.inference.convolution import LatticeLaw, TotalLaw
from ldp.inference.estimates import Target
from ldp.inference.intervals import Interval
from ldp.inference.unseen import Unseen
from ldp.scores import ChannelMoments, ScoreMoments, SumMoments

PROVED = ("exact", running.METHOD)


class Published(Protocol):
    """Intervals after n reports with one kind of score. `totals` are those of a tally, `j` is the category."""

    def method(self, target: Target) -> str: ...
    def interval(self, totals: list[int], j: int, confidence: float, target: Target) -> Interval: ...


def of(moments: ScoreMoments, n: int, every_look: bool = False) -> Published:
    """The intervals for a law and n >= 1 reports, for one look or for every one; what depends on both only is worked
    out once."""
    if every_look:
        return running.Channel(moments, n) if isinstance(moments, ChannelMoments) else running.Whole(moments, n)
    if isinstance(moments, ChannelMoments):
        return Mean(moments, n) if moments.targets == 1 else Inverse(moments)
    if isinstance(moments, SumMoments):
        return Sum(moments, n)
    return Indicator(moments, n)


class Indicator:
    """Scores that are 0 or 1."""

    def __init__(self, moments: ScoreMoments, n: int) -> None:
        self._moments, self._n = moments, n

    def method(self, target: Target) -> str:
        return "exact"

    def interval(self, totals: list[int], j: int, confidence: float, target: Target) -> Interval:
        return intervals.exact(totals[j], self._n, self._moments, confidence, target)


class Sum:
    """Integer scores."""

    def __init__(self, moments: SumMoments, n: int) -> None:
        self._total = TotalLaw(n, convolution.lattice(moments))

    def method(self, target: Target) -> str:
        return "exact"

    def interval(self, totals: list[int], j: int, confidence: float, target: Target) -> Interval:
        return self._total.interval(totals[j], confidence, target)


def of_mean(scores: arrays.Values, counts: Sequence[int], span: Interval) -> Interval:
    """What is published of the uncut interval of a mean score (M37)."""
    return intervals.clipped(span, float(scores @ np.asarray(counts)) / sum(counts))


class Inverse:
    """Scores that invert a channel (M7): the largest and the least of category j's bound what nobody has seen."""

    def __init__(self, moments: ChannelMoments) -> None:
        self._scores = np.array(moments.phi())
        self._either = lru_cache(maxsize=128)(self._for_either_target)

    def method(self, target: Target) -> str:
        return "unseen_respondent"

    def interval(self, totals: list[int], j: int, confidence: float, target: Target) -> Interval:
        return self._either(tuple(totals), j, confidence)

    def _for_either_target(self, totals: tuple[int, ...], j: int, confidence: float) -> Interval:
        scores = self._scores[:, j]
        low, high = Unseen.at(scores.min()), Unseen.at(scores.max())
        return of_mean(scores, totals, unseen.interval(scores, totals, low, high, confidence))


class Mean:
    """The scores of a mean by Laplace (M8), on the range 0..1; the totals count the outputs -B..G+B."""

    def __init__(self, moments: ChannelMoments, n: int) -> None:
        self._n, self._scores = n, np.array(moments.phi())[:, 0]
        self._rows = np.array(moments.weights, dtype=np.float64) / sum(moments.weights[0])
        self._steps = len(self._rows) - 1
        self._lowest = -((len(self._scores) - 1 - self._steps) // 2)

    def method(self, target: Target) -> str:
        if target == "respondents":
            return "widest_noise"
        return "answers_at_ends" if self._steps <= numeric.COARSE else "unseen_respondent"

    def interval(self, totals: list[int], j: int, confidence: float, target: Target) -> Interval:
        if target == "respondents":
            return self._noise_alone(totals, confidence)
        if self._steps <= numeric.COARSE:
            total = sum((self._lowest + z) * count for z, count in enumerate(totals))
            return self._ends.interval(total, confidence, "population")
        low, high = (Unseen.drawn(self._scores, self._rows[end]) for end in (0, -1))
        return of_mean(self._scores, totals, unseen.interval(self._scores, totals, low, high, confidence))

    @cached_property
    def _ends(self) -> TotalLaw:
        """The total of the outputs where every answer is one of the two ends."""
        return TotalLaw(self._n, LatticeLaw(self._lowest, self._rows[-1], self._rows[0]))

    def _noise_alone(self, totals: list[int], confidence: float) -> Interval:
        estimate = float(self._scores @ np.asarray(totals)) / self._n
        low, high = self.errors((1 - confidence) / 2)
        return intervals.clipped(Interval(estimate - high, estimate - low), estimate)

    def errors(self, tail: float) -> Interval:
        """How far the estimate gets from the mean of these respondents."""
        ends = noise.limits(self._rows, self._scores, self._n, tail)
        return Interval(*(end / (self._n * self._steps) for end in ends))
