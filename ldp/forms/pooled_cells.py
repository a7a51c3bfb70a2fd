"""Two questions crossed, from how often their options were listed together in the draws that asked both (M44, M45).

The score u of a report for a cell is that of `product_subsets`. It takes four values, as each option was listed or
not, and two where a report lists one option of each. The cell is the mean of u with the weight c_f for each report of
form f, near the information of u at equal shares, from the tables alone. Where all lists have one option it is the
pooled share of a channel (pooled.py), with its errors and exact intervals; else the intervals are those of M30 and M31:
t is kept while the mean of c_f (u - t), with one unseen respondent at the largest of these there is, may be 0. For a
population, and they hold for the respondents.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import scipy

from ldp import pooled_scores
from ldp.arrays import Integers, Values
from ldp.inference import intervals, pooled, unseen_batch
from ldp.inference.crossed import TableOfTwo
from ldp.inference.estimates import TARGETS, onto_simplex, standard_errors
from ldp.inference.hypotheses import EXPECTED_MIN, ChiSquare, helmert
from ldp.inference.product_subsets import KNOWN_MIN, PairTally
from ldp.inference.variables import Variable
from ldp.scores import PooledMoments, ScoreMoments


def information(pair: PairTally) -> Fraction:
    """1 over the variance of u at equal shares of questions that do not depend on each other."""
    (v, w), (d, e) = (listing.variance for listing in pair.listings), pair.shape
    return pair.lam**2 / (v * w + v / e**2 + w / d**2)


@dataclass(frozen=True)
class PooledCells(TableOfTwo):
    """`tallies` are those of the draws of one form or more. Cells are shaped (d, d')."""

    first: Variable
    second: Variable
    tallies: tuple[PairTally, ...]

    @property
    def shape(self) -> tuple[int, int]:
        return self.tallies[0].shape

    @property
    def n(self) -> int:
        return sum(tally.n for tally in self.tallies)

    @property
    def counts(self) -> Integers:
        """How many reports, how many of them list each option, and how many each two, over all forms."""
        return np.asarray(sum(tally.counts for tally in self.tallies))

    @cached_property
    def exact(self) -> tuple[ScoreMoments, tuple[int, ...]] | None:
        """The moments of the pooled score of a cell and what a report counts in each form; None where some report lists
        several options."""
        if not all(tally.one_listed for tally in self.tallies):
            return None
        return pooled_scores.moments([(tally.n, tally.cells.moments) for tally in self.tallies], math.prod(self.shape))

    @cached_property
    def weights(self) -> Values:
        """c_f, (forms,)."""
        if self.exact is not None:
            [_, scores] = self.exact
            return np.array([score * float(tally.lam) for score, tally in zip(scores, self.tallies, strict=True)])
        return np.array(pooled_scores.whole_multiples([information(tally) for tally in self.tallies]), dtype=np.float64)

    @cached_property
    def _came(self) -> Values:
        """How often each outcome of each form came, (d d', 4 forms)."""
        return np.concatenate([tally.came for tally in self.tallies], axis=1)

    def _weighted(self, scores: Sequence[Values]) -> Values:
        """c_f times scores of the outcomes of each form, (4 forms,)."""
        return np.concatenate([weight * each for weight, each in zip(self.weights, scores, strict=True)])

    @cached_property
    def _over(self) -> Values:
        return self._weighted([tally.values[0] for tally in self.tallies])

    @cached_property
    def _under(self) -> Values:
        return self._weighted([np.ones(4)] * len(self.tallies))

    @property
    def _weight_sum(self) -> float:
        """The sum of the weights of all reports."""
        return float(sum(weight * tally.n for weight, tally in zip(self.weights, self.tallies, strict=True)))

    @cached_property
    def joint(self) -> Values:
        return np.asarray((self._came @ self._over / self._weight_sum).reshape(self.shape))

    @cached_property
    def standard_errors(self) -> tuple[Values, Values]:
        """Standard errors of the cells, for a population and for those who were asked both: those of pooled shares, or
        by the observed squares of scores."""
        if self.exact is not None:
            each = (standard_errors(self.joint, self.n, self.exact[0], target) for target in TARGETS)
            population, respondents = each
            return population, respondents
        errors = self._over - self.joint.reshape(-1, 1) * self._under
        population = (errors**2 * self._came).sum(axis=1).reshape(self.shape) / self._weight_sum**2
        # Of the squares of c_f (1{x = k, y = l} - t) only what the lot makes of them is left.
        excess = (self._under**2 * self._came).sum(axis=1).reshape(self.shape) / self._weight_sum**2
        share = np.clip(self.joint, 0, 1)
        lot = (excess - 1 / self.n) * self.n / max(self.n - 1, 1)
        respondents = population - (excess - lot) * share * (1 - share)
        return np.sqrt(population), np.sqrt(np.maximum(respondents, 0))

    @cached_property
    def margins(self) -> tuple[tuple[Values, Values], tuple[Values, Values]]:
        """The shares of each question and their standard errors for a population, over the reports about both."""
        return self._margin(0), self._margin(1)

    def _margin(self, place: int) -> tuple[Values, Values]:
        over = self._weighted([_margin_scores(tally, place) for tally in self.tallies])
        # The same in every cell of a row, or column.
        came = self._came.reshape(*self.shape, -1)
        came = came[:, 0] if place == 0 else came[0]
        shares = came @ over / self._weight_sum
        squares = ((over - shares[:, None] * self._under) ** 2 * came).sum(axis=1)
        return shares, np.sqrt(squares) / self._weight_sum

    def intervals(self, confidence: float) -> Values:
        """Intervals of the cells one by one, (d, d', 2), in 0..1."""
        if self.exact is not None:
            return self._exact_intervals(confidence)
        over, under = (np.broadcast_to(each, self._came.shape) for each in (self._over, self._under))
        low, high, shares = unseen_batch.quotients(over, under, self._came, (1 - confidence) / 2)
        return intervals.clipped_each(low, high, shares).reshape(*self.shape, 2)

    def _exact_intervals(self, confidence: float) -> Values:
        assert self.exact is not None
        moments, scores = self.exact
        counts = np.tensordot(np.array(scores), np.stack([tally.counts[1:, 1:] for tally in self.tallies]), 1)
        if isinstance(moments, PooledMoments):
            law = pooled.law_of(moments.parts)
            ends = [law.interval(int(total), confidence, "population") for total in counts.ravel()]
        else:
            ends = [intervals.exact(int(total), self.n, moments, confidence, "population") for total in counts.ravel()]
        return np.array(ends).reshape(*self.shape, 2)

    def within_first_intervals(self, confidence: float) -> Values:
        """Intervals of the shares within the first question's answers one by one, (d, d', 2): 0 and 1 where the group
        is too small."""
        group = np.broadcast_to(~self.too_small[0][:, None], self.shape).ravel()
        ends, came = np.tile([0.0, 1.0], (math.prod(self.shape), 1)), self._came[group]
        margin = self._weighted([tally.values[1] for tally in self.tallies])
        over, under = (np.broadcast_to(each, came.shape) for each in (self._over, margin))
        low, high, shares = unseen_batch.quotients(over, under, came, (1 - confidence) / 2)
        ends[group] = intervals.clipped_each(low, high, shares)
        return ends.reshape(*self.shape, 2)

    def turned(self) -> "PooledCells":
        """The second question crossed with the first."""
        return PooledCells(self.second, self.first, tuple(tally.turned() for tally in self.tallies))

    def independence(self) -> ChiSquare | None:
        """The test of the whole table; None where there are too few reports."""
        if self.least_expected < EXPECTED_MIN or self.known < KNOWN_MIN:
            return None
        rows, columns = self.shares_on_the_simplex
        left, right = helmert(len(rows)), helmert(len(columns))
        one, other = left @ rows, right @ columns
        value = (left @ self.joint @ right.T - np.outer(left @ self.margins[0][0], right @ self.margins[1][0])).ravel()
        cov = sum(
            weight**2 * tally.n * _null_covariance(tally, (rows, columns), (one, other))
            for weight, tally in zip(self.weights, self.tallies, strict=True)
        )
        statistic = float(value @ np.linalg.solve(cov / self._weight_sum**2, value))
        return ChiSquare(statistic, len(value), float(scipy.stats.chi2.sf(statistic, len(value))))

    @cached_property
    def shares_on_the_simplex(self) -> tuple[Values, Values]:
        one, other = (onto_simplex(shares) for shares, _ in self.margins)
        return one, other

    @property
    def least_expected(self) -> float:
        """How many reports are expected, if the two are independent, of the rarest outcome of a cell."""
        rows, columns = self.shares_on_the_simplex
        expected = sum(tally.n * _outcome_chances(tally, rows, columns) for tally in self.tallies)
        return float(np.min(expected))

    @property
    def known(self) -> float:
        """The variance of a cell's deviation from its margins over the product of those of the margins, at equal
        shares: of one draw n lambda^2."""
        cell, one, other = (Fraction(0) for _ in range(3))
        for tally in self.tallies:
            weight, (v, w) = tally.n * tally.lam**2, (listing.variance for listing in tally.listings)
            cell, one, other = cell + weight / (v * w), one + weight / v, other + weight / w
        return float(one * other / cell)


def _margin_scores(tally: PairTally, place: int) -> Values:
    """The scores of the first question, or of the second, in the four cases of `came`."""
    if place == 0:
        return tally.values[1]
    turned = tally.turned().values[1]
    return turned[[0, 2, 1, 3]]


def _outcome_chances(tally: PairTally, rows: Values, columns: Values) -> Values:
    """The chances of the four cases of each cell where the questions are independent, (4, d, d')."""
    came = tally.means(np.outer(rows, columns))
    both = came[1:, 1:]
    one, other = came[1:, :1] - both, came[:1, 1:] - both
    return np.stack([both, one, other, 1 - both - one - other])


def _null_covariance(tally: PairTally, shares: tuple[Values, Values], contrasts: tuple[Values, Values]) -> Values:
    """n times the covariance of the contrasts of the cells less the products of the margins, where the questions are
    independent: that of (Z - R)(W - C)/lambda over reports, Z and W the contrasts of w, R and C those of the shares."""
    lam, kept, random = float(tally.lam), [], []
    for listing, share, contrast in zip(tally.listings, shares, contrasts, strict=True):
        turn = helmert(listing.d) @ listing.weights
        turn[:, 0] -= contrast
        kept.append(turn @ np.tensordot(share, listing.containing, 1) @ turn.T)
        random.append(turn @ listing.random @ turn.T)
    second = lam * np.kron(*kept) + (1 - lam) * np.kron(*random)
    # Of a report whose lists contain the answers the mean is 0, else R C.
    mean = (1 - lam) * np.outer(*contrasts).ravel()
    return np.asarray((second - np.outer(mean, mean)) / lam**2)
