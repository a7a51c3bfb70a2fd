"""The crossing of two questions of one draw (M44), or of two items drawn together.

One draw keeps both answers or replaces both. ldp/inference/product_subsets.py derives the scores;
ldp/inference/crossed.py crosses questions with separate draws.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import scipy

from ldp.arrays import Integers, Values
from ldp.inference import estimates
from ldp.inference.crossed import CellScores, Spread, TableOfTwo, equal_variance
from ldp.inference.estimates import covariance, onto_simplex
from ldp.inference.hypotheses import EXPECTED_MIN, ChiSquare, helmert
from ldp.inference.product_subsets import KNOWN_MIN, PairTally
from ldp.inference.variables import Variable
from ldp.scores import EXCLUSIVE


@dataclass(frozen=True)
class JointCrossing(TableOfTwo):
    """The crossing of one draw's two variables. Cells have the shape (d1, d2)."""

    first: Variable
    second: Variable
    pair: PairTally

    one_draw: ClassVar[bool] = True

    @property
    def shape(self) -> tuple[int, int]:
        return self.pair.shape

    @property
    def n(self) -> int:
        return self.pair.n

    @property
    def counts(self) -> Integers:
        """The numbers of all reports, of reports that list each option, and of reports that list each pair, shape (1 +
        d1, 1 + d2) (crossed.joint_counts)."""
        return self.pair.counts

    @property
    def joint(self) -> Values:
        return self.pair.joint

    @property
    def standard_errors(self) -> tuple[Values, Values]:
        """Standard errors of the joint shares, for a population and for the respondents."""
        return self.pair.standard_errors

    @cached_property
    def margins(self) -> tuple[tuple[Values, Values], tuple[Values, Values]]:
        """The shares of each question in a population, with standard errors."""
        one, other = (self._margin(side) for side in (0, 1))
        return one, other

    def _margin(self, side: int) -> tuple[Values, Values]:
        own = self.pair.margin(side)
        return own.shares, estimates.standard_errors(own.shares, self.n, own.moments, "population")

    def intervals(self, confidence: float) -> Values:
        """Return intervals of the joint shares one by one, for a population, (d1, d2, 2)."""
        return self.pair.intervals(confidence)

    def within_first_intervals(self, confidence: float) -> Values:
        """Return intervals of the shares within the first question's answers one by one, for a population, (d1, d2, 2);
        [0, 1] if the group is too small."""
        ends, rows = np.tile([0.0, 1.0], (*self.shape, 1)), np.flatnonzero(~self.too_small[0])
        if len(rows):
            ends[rows] = self.pair.within_first(rows.tolist(), confidence)
        return ends

    def independence(self) -> ChiSquare | None:
        """Return the test of the whole table. One draw decides about both answers, so no exact test of single cells is
        known."""
        return independence(self.pair)

    def turned(self) -> "JointCrossing":
        """Return the crossing of the second question with the first."""
        return JointCrossing(self.second, self.first, self.pair.turned())

    @property
    def scores(self) -> CellScores:
        cell, first = self.pair.values
        second = self.pair.turned().values[1][[0, 2, 1, 3]]
        return CellScores(*np.broadcast_arrays(cell, first, second, np.ones(4), self.pair.came))

    @property
    def spread(self) -> Spread:
        one, other = (equal_variance(self.pair.margin(side).moments, self.shape[side]) for side in (0, 1))
        return Spread(one, other, self.pair.lam**2)

    def means(self, law: Values) -> Values:
        """Return the mean counts of one report if the population's cells have the shares `law`, (d1, d2)."""
        return self.pair.means(law)

    def null_covariance(self, rows: Values, columns: Values) -> Values:
        """Return n times the covariance of deviations from independence, for independent questions with these shares. A
        deviation is a contrast of cells minus the product of the margins' contrasts. A report's score is
        (Z - R)(W - C)/lambda: Z and W are contrasts of w (product_subsets.py), R and C contrasts of the shares."""
        lam, kept, random, contrasts = float(self.pair.lam), [], [], []
        for listing, share in zip(self.pair.listings, (rows, columns), strict=True):
            contrast, turn = helmert(listing.d) @ share, helmert(listing.d) @ listing.weights
            turn[:, 0] -= contrast
            kept.append(turn @ np.tensordot(share, listing.containing, 1) @ turn.T)
            random.append(turn @ listing.random @ turn.T)
            contrasts.append(contrast)
        second = lam * np.kron(*kept) + (1 - lam) * np.kron(*random)
        # The mean is 0 for a report whose lists contain the answers, otherwise R C.
        mean = (1 - lam) * np.outer(*contrasts).ravel()
        return np.asarray((second - np.outer(mean, mean)) / lam**2)


# Dependence of two questions of one draw, in the population (M34b, M44) ----------------------------------------------
#
# g_jk = t_jk - r_j c_k, the estimated joint share less the product of the margins, is quadratic in the counts. Its
# covariance follows by the delta method from the cells' covariance for independent questions, at the product of the
# projected margins. Over the (d1-1)(d2-1) contrasts the quadratic form is chi-square for many reports. There is no test
# if a cell expects fewer than 5 reports, or if the product of the margins' errors matters beside a cell's error. The
# latter depends on n times the square of lambda g_1 g_2, the factor by which reports shrink a cell's deviation.


def independence(pair: PairTally) -> ChiSquare | None:
    """Return the test of two questions; None if reports are too few."""
    if pair.n < tested_from(pair):
        return None
    rows, columns = _margins(pair)
    null, difference = np.outer(rows, columns), pair.joint - np.outer(pair.joint.sum(axis=1), pair.joint.sum(axis=0))
    if pair.one_listed:
        cov = covariance(null.ravel(), pair.n, pair.cells.moments, EXCLUSIVE, "population")
    else:
        cov = pair.covariance(null)
    contrasts = np.kron(*(helmert(size) for size in pair.shape))
    jacobian = contrasts @ _jacobian(rows, columns)
    value = contrasts @ difference.ravel()
    statistic = float(value @ np.linalg.solve(jacobian @ cov @ jacobian.T, value))
    return ChiSquare(statistic, len(value), float(scipy.stats.chi2.sf(statistic, len(value))))


def tested_from(pair: PairTally) -> float:
    """Return the number of reports that would give a test, at the margins estimated here."""
    came = pair.means(np.outer(*_margins(pair)))
    both, rest = came[1:, 1:], 1 - came[1:, :1] - came[:1, 1:] + came[1:, 1:]
    least = both.min() if pair.one_listed else min(both.min(), rest.min())
    return max(EXPECTED_MIN / float(least), KNOWN_MIN / pair.gap**2)


def _margins(pair: PairTally) -> tuple[Values, Values]:
    one, other = (onto_simplex(pair.margin(side).shares) for side in (0, 1))
    return one, other


def _jacobian(rows: Values, columns: Values) -> Values:
    """Return the derivatives of every g_jk by every t_lm at the product of the margins, shape (d1 d2, d1 d2)."""
    d1, d2 = len(rows), len(columns)
    by_row = np.kron(np.eye(d1), np.ones((d2, d2)) * columns[:, None])
    by_column = np.kron(np.ones((d1, d1)) * rows[:, None], np.eye(d2))
    return np.asarray(np.eye(d1 * d2) - by_row - by_column)
