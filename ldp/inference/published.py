"""The published interval of each score (M15, M30). It holds at every n >= 1, for every law of answers.

| score | target | interval method |
|---|---|---|
| 0 or 1 | both | `exact`: the total's binomial law, or that of two binomials, inverted (intervals.exact) |
| integers of known law | both | `exact`: the total's law inverted (convolution) |
| whole numbers by the report's form | both | `exact`: the pooled total's law inverted (pooled) |
| outputs of an inverted channel | both | `unseen_respondent`, who has the largest or least score there is |
| mean by Laplace, coarse grid | population | `answers_at_ends`: answers at the two ends vary most |
| mean by Laplace, fine grid | population | `unseen_respondent`, who answers an end and has that end's own noise |
| mean by Laplace | respondents | `widest_noise`: the noise and the rounding alone, where they are widest (below) |

A survey that may end at any release because of its results has `sequence` for all of these (sequences.py), because
there are many looks. An impossible estimate's interval is united with that of the nearest possible one (M37). The first
two rows are exact by proof. benchmarks/results/coverage.md compares the others with exact laws and simulation: Gaffke's
bound is a conjecture without known counterexample, and so are its variants here.
"""

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np

from ldp import arrays, numeric
from ldp.arrays import Values
from ldp.inference import convolution, intervals, sequences, unseen
from ldp.inference.convolution import LatticeLaw, TotalLaw
from ldp.inference.estimates import channel_rows
from ldp.inference.intervals import Interval
from ldp.inference.pooled import Pooled
from ldp.inference.unseen import Unseen
from ldp.scores import ChannelMoments, PooledMoments, ScoreMoments, SumMoments, Target

PROVED = ("exact", sequences.METHOD)


class Published(Protocol):
    """Intervals after n reports with one kind of score. `totals` are a tally's; `j` is the category."""

    def method(self, target: Target) -> str: ...
    def interval(self, totals: list[int], j: int, confidence: float, target: Target) -> Interval: ...


def of(moments: ScoreMoments, n: int, every_look: bool = False) -> Published:
    """Return the intervals for a law of scores and n >= 1 reports, for one look or for every look. Work that depends
    only on these is done once."""
    if isinstance(moments, PooledMoments):
        return Pooled(moments, every_look)
    if every_look:
        return (
            sequences.Channel(moments, n)
            if isinstance(moments, ChannelMoments)
            else sequences.IntegerScores(moments, n)
        )
    if isinstance(moments, ChannelMoments):
        return MeanOfScores(moments, n) if moments.targets == 1 else Inverse(moments)
    if isinstance(moments, SumMoments):
        return SumOfScores(moments, n)
    return Indicator(moments, n)


class Indicator:
    """Intervals of 0/1 scores."""

    def __init__(self, moments: ScoreMoments, n: int) -> None:
        self._moments, self._n = moments, n

    def method(self, target: Target) -> str:
        return "exact"

    def interval(self, totals: list[int], j: int, confidence: float, target: Target) -> Interval:
        return intervals.exact(totals[j], self._n, self._moments, confidence, target)


class SumOfScores:
    """Intervals of integer scores."""

    def __init__(self, moments: SumMoments, n: int) -> None:
        self._total = TotalLaw(n, convolution.lattice(moments))

    def method(self, target: Target) -> str:
        return "exact"

    def interval(self, totals: list[int], j: int, confidence: float, target: Target) -> Interval:
        return self._total.interval(totals[j], confidence, target)


def of_mean(scores: arrays.Values, counts: Sequence[int], span: Interval) -> Interval:
    """Return the published interval from the uncut interval of a mean score (M37)."""
    return intervals.clipped(span, float(scores @ np.asarray(counts)) / sum(counts))


class Inverse:
    """Intervals of scores that invert a channel (M7). The unseen respondent has an extreme score."""

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


class MeanOfScores:
    """Intervals of a mean by Laplace (M8), for the range 0..1. The totals count the outputs -B..G+B."""

    def __init__(self, moments: ChannelMoments, n: int) -> None:
        self._n, self._scores = n, np.array(moments.phi())[:, 0]
        self._rows = channel_rows(moments)
        self._steps = len(self._rows) - 1
        self._lowest = -((len(self._scores) - 1 - self._steps) // 2)

    def method(self, target: Target) -> str:
        if target == "respondents":
            return "widest_noise"
        return "answers_at_ends" if self._steps <= numeric.COARSE else "unseen_respondent"

    def interval(self, totals: list[int], j: int, confidence: float, target: Target) -> Interval:
        if target == "respondents":
            estimate = float(self._scores @ np.asarray(totals)) / self._n
            errors = self.errors((1 - confidence) / 2)
            return intervals.clipped(Interval(estimate - errors.high, estimate - errors.low), estimate)
        if self._steps <= numeric.COARSE:
            total = sum((self._lowest + z) * count for z, count in enumerate(totals))
            return self._ends.interval(total, confidence, "population")
        low, high = (Unseen.drawn(self._scores, self._rows[end]) for end in (0, -1))
        return of_mean(self._scores, totals, unseen.interval(self._scores, totals, low, high, confidence))

    @cached_property
    def _ends(self) -> TotalLaw:
        """The law of the outputs' total if every answer is one of the two ends."""
        return TotalLaw(self._n, LatticeLaw(self._lowest, self._rows[-1], self._rows[0]))

    def errors(self, tail: float) -> Interval:
        """Return two limits for the error of these respondents' estimated mean. The error passes each with at most the
        tail's chance."""
        ends = noise_limits(self._rows, self._scores, self._n, tail)
        return Interval(*(end / (self._n * self._steps) for end in ends))


# Noise alone ----------------------------------------------------------------------------------------------------------
#
# Distance, in steps of the grid, of the total of n scores of a mean by Laplace (M8) from the respondents' numbers.
#
# A report is a grid point with noise. Its score is the output y, with a correction at the ends of the grid. Three
# bounds give the limit that is exceeded with at most the tail's chance, for any n numbers:
#
#     noise        The noise of a report, its output minus its grid point, is largest at the low end: there it is cut
#                  off least from above and most from below. So the noise of n reports is at most N, n draws of row 0.
#     rounding     A number at the fraction f between two points is rounded up with chance f, which adds [up] - f. Let F
#                  be the sum of f over n numbers. P(N >= j - s) is convex in s where it is small, so the chance that
#                  noise and rounding exceed t is largest if all f are equal (Hoeffding 1956). It is then the chance of
#                  N + Binomial(n, F/n) >= j, where j is the first whole number above t + F. That chance rises with F
#                  up to F = j - t. Let a_j be the F/n at which it is the tail's: j allows no t below j - n a_j. The
#                  largest of these is at the a_j next to a half, which leaves most to chance.
#     correction   At most one point has a correction c of its score. The chance of this point is known, and the limit
#                  is c times the limit of its count.
#
# `tests/ldp/test_respondents.py` tries every number of rounded answers and every F.

# Part of a tail's chance for the corrections, and the size below which a correction is a rounding error.
SPENT = 1e-3
_NONE = 1e-9


def noise_limits(rows: Values, scores: Values, n: int, tail: float) -> Interval:
    """Return the limits of the distance above, in steps, each passed with at most the tail's chance. `rows`, (G+1,
    outputs), are the channel's; `scores`, (outputs,), are for the range 0..1."""
    return Interval(-_highest(rows[::-1, ::-1], 1 - scores[::-1], n, tail), _highest(rows, scores, n, tail))


def _highest(rows: Values, scores: Values, n: int, tail: float) -> float:
    steps = len(rows) - 1
    lowest = -((rows.shape[1] - 1 - steps) // 2)
    corrections = scores * steps - (lowest + np.arange(len(scores)))
    return _noise(rows[0], lowest, n, tail * (1 - SPENT)) + _corrected(rows, corrections, n, tail * SPENT)


def _noise(row: Values, lowest: int, n: int, tail: float) -> float:
    """Return the limit of noise and rounding."""
    law = TotalLaw(n, LatticeLaw(lowest, np.append(0.0, row), np.append(row, 0.0)))
    half = law.first(0.5, tail)
    return max(j - n * law.limits(j, tail, "population").low for j in (half - 1, half))


def _corrected(rows: Values, corrections: Values, n: int, error: float) -> float:
    """Return the largest correction times Bernstein's limit of its count, for numbers at which it is most frequent."""
    expected = n * float(rows[:, corrections > _NONE].sum(axis=1).max())
    logarithm = -math.log(error)
    more = logarithm / 3 + math.sqrt(logarithm**2 / 9 + 2 * logarithm * expected)
    return float(corrections.max()) * min(n, expected + more) if expected else 0.0
