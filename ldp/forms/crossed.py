"""Two questions of one draw crossed, from the draw's tally alone: no report is read again (M44).

It offers what ldp/inference/crossed.py does for two questions with draws of their own, whose noise is independent. Here
one draw keeps both answers or replaces both. Where a report lists one option of each, a cell is a share like any other,
with the exact binomial interval; where it lists more, a cell has a score for each report and the interval of the unseen
respondent (M30).
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from ldp.arrays import Integers, Values
from ldp.forms import marginals
from ldp.forms.marginals import JointTally, PairTally
from ldp.inference import estimates, intervals
from ldp.inference.crossed import Crossing, TableOfTwo
from ldp.inference.estimates import covariance, onto_simplex
from ldp.inference.hypotheses import EXPECTED_MIN, ChiSquare, helmert
from ldp.inference.reading.tallied import Tallied
from ldp.inference.variables import Variable
from ldp.scores import EXCLUSIVE


@dataclass(frozen=True)
class JointCrossing(TableOfTwo):
    """`places` are those of the two in the draw. Cells are shaped (d1, d2)."""

    first: Variable
    second: Variable
    tally: JointTally
    places: tuple[int, int]

    @property
    def n(self) -> int:
        return self.tally.n

    @cached_property
    def one_listed(self) -> bool:
        """Whether a report lists one option of each of the two."""
        return self.tally.one_listed(*self.places)

    @cached_property
    def _table(self) -> Tallied:
        return self.tally.tallied(*sorted(self.places))

    @cached_property
    def pair(self) -> PairTally:
        """The two as they stand here."""
        pair = self.tally.pair(*sorted(self.places))
        return pair if self.places[0] < self.places[1] else PairTally(pair.lam, pair.sizes[::-1], pair.counts.T)

    def _as_table(self, cells: npt.ArrayLike) -> Values:
        """Numbers of all cells, (d1 d2, ...) in the order of the draw, as a table of the two."""
        flat = np.asarray(cells, dtype=np.float64)
        if self.places[0] < self.places[1]:
            return flat.reshape(*self.shape, *flat.shape[1:])
        return np.asarray(flat.reshape(*self.shape[::-1], *flat.shape[1:]).swapaxes(0, 1))

    @property
    def counts(self) -> Integers:
        """How many reports, how many of them list each option, and how many each two: as crossed.joint_counts."""
        return self.pair.counts

    @cached_property
    def joint(self) -> Values:
        return self._as_table(self._table.shares) if self.one_listed else self.pair.joint

    @cached_property
    def standard_errors(self) -> tuple[Values, Values]:
        """Standard errors of the joint shares, for a population and for those who were asked."""
        if not self.one_listed:
            return self.pair.standard_errors
        population, respondents = (
            self._as_table(estimates.standard_errors(self._table.shares, self.n, self._table.moments, target))
            for target in estimates.TARGETS
        )
        return population, respondents

    @cached_property
    def margins(self) -> tuple[tuple[Values, Values], tuple[Values, Values]]:
        """The shares of each question and their standard errors for a population."""
        one, other = (self._margin(place) for place in self.places)
        return one, other

    def _margin(self, place: int) -> tuple[Values, Values]:
        own = self.tally.tallied(place)
        return own.shares, estimates.standard_errors(own.shares, self.n, own.moments, "population")

    def intervals(self, confidence: float) -> Values:
        """Intervals of the joint shares one by one, for a population, (d1, d2, 2)."""
        if not self.one_listed:
            return self.pair.intervals(confidence)
        return self._as_table([self._table.interval(j, confidence, "population") for j in range(self._table.d)])

    def within_first_intervals(self, confidence: float) -> Values:
        """Intervals of the shares within the first question's answers one by one, for a population, (d1, d2, 2): 0 and
        1 where the group is too small."""
        ends = np.tile([0.0, 1.0], (*self.shape, 1))
        if not self.one_listed:
            rows = np.flatnonzero(~self.too_small[0])
            ends[rows] = self.pair.within_first(rows.tolist(), confidence)
            return ends
        for j in np.flatnonzero(~self.too_small[0]):
            for k in range(self.shape[1]):
                group, other = (self.places[0], int(j)), (self.places[1], k)
                ends[j, k] = marginals.within(self.tally, group, other, confidence) or (0.0, 1.0)
        return ends

    def independence(self) -> ChiSquare | None:
        """The test of the whole table. Of single cells no exact test is known: one draw decides about both answers."""
        return independence(self.tally, *sorted(self.places))

    def turned(self) -> "JointCrossing":
        """The second question crossed with the first."""
        return JointCrossing(self.second, self.first, self.tally, self.places[::-1])


Crossed = Crossing | JointCrossing


def cells(crossed: Crossed, confidence: float) -> list[dict[str, Any]]:
    """Estimates and intervals for a population, alone and for all cells at once: one dictionary for each cell."""
    alone = crossed.intervals(confidence)
    together = crossed.intervals(intervals.bonferroni(confidence, math.prod(crossed.shape)))
    errors = crossed.standard_errors[0]
    return [
        {
            "first": crossed.first.key,
            "second": crossed.second.key,
            "option": option,
            "other": against,
            "estimate": float(crossed.joint[j, k]),
            "standard_error": float(errors[j, k]),
            "interval_low": float(alone[j, k, 0]),
            "interval_high": float(alone[j, k, 1]),
            "simultaneous_low": float(together[j, k, 0]),
            "simultaneous_high": float(together[j, k, 1]),
        }
        for j, option in enumerate(crossed.first.options)
        for k, against in enumerate(crossed.second.options)
    ]


# Whether two questions of one draw depend on each other, in the population (M34b, M44) -------------------------------
#
# g_jk = t_jk - r_j c_k, the estimated joint share less the product of its margins', is quadratic in the counts of the
# cross-table. Its covariance comes by the delta method from that of the cells, taken where the questions are
# independent: at the product of the projected margins. Over the (d1-1)(d2-1) contrasts the quadratic form is chi-square
# for many reports. There is none where fewer than 5 reports are expected in a cell, or where the margins are known so
# badly that the product of their errors matters beside the error of a cell: that goes by n times the square of the
# factor by which a cell's deviation is seen, lambda g_1 g_2.

# By simulation: below, tests at .05 refused up to 20% of independent questions.
KNOWN_MIN = 50.0


def independence(tally: JointTally, first: int, second: int) -> ChiSquare | None:
    """The test of two questions in the order of the draw; None where there are too few reports."""
    if tally.n < tested_from(tally, first, second):
        return None
    pair, (rows, columns) = tally.pair(first, second), _margins(tally, first, second)
    shape = pair.shape
    if tally.one_listed(first, second):
        table = tally.tallied(first, second)
        cov = covariance(np.outer(rows, columns).ravel(), tally.n, table.moments, EXCLUSIVE, "population")
        joint = table.shares.reshape(shape)
    else:
        cov, joint = pair.covariance(np.outer(rows, columns)), pair.joint
    difference = joint - np.outer(joint.sum(axis=1), joint.sum(axis=0))
    contrasts = np.kron(helmert(shape[0]), helmert(shape[1]))
    jacobian = contrasts @ _jacobian(rows, columns)
    value = contrasts @ difference.ravel()
    statistic = float(value @ np.linalg.solve(jacobian @ cov @ jacobian.T, value))
    return ChiSquare(statistic, len(value), float(scipy.stats.chi2.sf(statistic, len(value))))


def tested_from(tally: JointTally, first: int, second: int) -> float:
    """The number of reports from which there is a test, were the margins as they are estimated here."""
    pair, (rows, columns) = tally.pair(first, second), _margins(tally, first, second)
    least = float(rows.min() * columns.min())
    return max(EXPECTED_MIN / pair.least_chance(least), KNOWN_MIN / pair.gap**2)


def _margins(tally: JointTally, first: int, second: int) -> tuple[Values, Values]:
    one, other = (onto_simplex(tally.tallied(place).shares) for place in (first, second))
    return one, other


def _jacobian(rows: Values, columns: Values) -> Values:
    """The derivative of every g_jk by every t_lm at the product of the margins, shape (d1 d2, d1 d2)."""
    d1, d2 = len(rows), len(columns)
    by_row = np.kron(np.eye(d1), np.ones((d2, d2)) * columns[:, None])
    by_column = np.kron(np.ones((d1, d1)) * rows[:, None], np.eye(d2))
    return np.asarray(np.eye(d1 * d2) - by_row - by_column)
