"""The crossing of two questions that several forms ask, by one draw or by separate draws (M44, M45).

Each report has an unbiased score u of a cell, with mean 1{x = j, y = k}: the score of `product_subsets` for one draw,
the product of both scores for separate draws. A cell's share is the weighted mean of u. The weight c_f of a report of
form f is near the information of u at equal shares, from tables alone. If every form has one draw that lists one option
of each, the cell is a channel's pooled share (pooled.py), with its errors and exact intervals. Otherwise an interval
(M30, M31) has every t for which the mean of c_f (u - t), with an unseen respondent at its largest value, may be 0.
Intervals are for a population and hold for the respondents.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import scipy

from ldp import pooled_scores
from ldp.arrays import Integers, Values
from ldp.forms.joint_crossing import JointCrossing
from ldp.inference import intervals, pooled, unseen_batch
from ldp.inference.crossed import CellScores, Crossing, TableOfTwo
from ldp.inference.estimates import TARGETS, onto_simplex, standard_errors
from ldp.inference.hypotheses import EXPECTED_MIN, ChiSquare, helmert
from ldp.inference.product_subsets import KNOWN_MIN, PairTally
from ldp.inference.variables import Variable
from ldp.scores import PooledMoments, ScoreMoments

OneChannel = Crossing | JointCrossing
"""The crossing of forms that randomize two questions in the same way."""


def information(part: OneChannel) -> Fraction:
    """Return 1 over the variance of u at equal shares of independent questions."""
    spread, (d, e) = part.spread, part.shape
    return 1 / (spread.interaction + spread.first / e**2 + spread.second / d**2)


@dataclass(frozen=True)
class PooledCells(TableOfTwo):
    """Each part crosses one channel's forms; at least one part has a report. Cells have the shape (d, d')."""

    first: Variable
    second: Variable
    parts: tuple[OneChannel, ...]

    @property
    def shape(self) -> tuple[int, int]:
        return self.parts[0].shape

    @property
    def one_draw(self) -> bool:
        """Return whether every form decides about both answers by one draw."""
        return all(part.one_draw for part in self.parts)

    @property
    def n(self) -> int:
        return sum(part.n for part in self.parts)

    @property
    def counts(self) -> Integers:
        """The numbers of all reports, of reports that list each option, and of reports that list each pair, over all
        forms."""
        return np.asarray(sum(part.counts for part in self.parts))

    @property
    def _one_listed(self) -> list[PairTally] | None:
        """The tallies of draws that list one option of each; None if some form's cells are not categories."""
        pairs = [part.pair for part in self.parts if isinstance(part, JointCrossing) and part.pair.one_listed]
        return pairs if len(pairs) == len(self.parts) else None

    @cached_property
    def exact(self) -> tuple[ScoreMoments, tuple[int, ...]] | None:
        """The moments of a cell's pooled score and a report's weight in each form; None if cells are no categories."""
        if self._one_listed is None:
            return None
        each = [(pair.n, pair.cells.moments) for pair in self._one_listed]
        return pooled_scores.moments(each, math.prod(self.shape))

    @cached_property
    def weights(self) -> Values:
        """The weights c_f, (forms,)."""
        if self.exact is not None and self._one_listed is not None:
            lams = [float(pair.lam) for pair in self._one_listed]
            return np.asarray(np.array(self.exact[1]) * np.array(lams))
        return np.array(pooled_scores.whole_multiples([information(part) for part in self.parts]), dtype=np.float64)

    @property
    def weight_sum(self) -> float:
        """The sum of all reports' weights."""
        return float(sum(weight * part.n for weight, part in zip(self.weights, self.parts, strict=True)))

    @cached_property
    def scores(self) -> CellScores:
        """The scores of all forms, times c_f."""
        parts = [part.scores for part in self.parts]
        came = np.concatenate([each.came for each in parts], axis=1)
        weights = np.repeat(self.weights, [each.came.shape[1] for each in parts])
        cell, first, second, unit = (
            np.concatenate([own[place] for own in parts], axis=1) * weights for place in range(4)
        )
        return CellScores(cell, first, second, unit, came)

    @cached_property
    def joint(self) -> Values:
        return np.asarray((self.scores.cell * self.scores.came).sum(axis=1).reshape(self.shape) / self.weight_sum)

    @cached_property
    def standard_errors(self) -> tuple[Values, Values]:
        """Standard errors of the cells, for a population and for the people who were asked both. They are the pooled
        shares' errors, or follow from the observed squares of scores."""
        if self.exact is not None:
            each = (standard_errors(self.joint, self.n, self.exact[0], target) for target in TARGETS)
            population, respondents = each
            return population, respondents
        scores = self.scores
        errors = scores.cell - self.joint.reshape(-1, 1) * scores.unit
        population = (errors**2 * scores.came).sum(axis=1).reshape(self.shape) / self.weight_sum**2
        # For the respondents only the lot's part of the squares of c_f (1{x = j, y = k} - t) counts.
        excess = (scores.unit**2 * scores.came).sum(axis=1).reshape(self.shape) / self.weight_sum**2
        share = np.clip(self.joint, 0, 1)
        lot = (excess - 1 / self.n) * self.n / max(self.n - 1, 1)
        respondents = population - (excess - lot) * share * (1 - share)
        return np.sqrt(population), np.sqrt(np.maximum(respondents, 0))

    @cached_property
    def margins(self) -> tuple[tuple[Values, Values], tuple[Values, Values]]:
        """The shares of each question in a population, with standard errors, over reports about both."""
        return self._margin(0), self._margin(1)

    def _margin(self, side: int) -> tuple[Values, Values]:
        weights = np.array([weight * part.n for weight, part in zip(self.weights, self.parts, strict=True)])
        each, errors = (np.array([part.margins[side][k] for part in self.parts]) for k in (0, 1))
        return weights @ each / self.weight_sum, np.sqrt(weights**2 @ errors**2) / self.weight_sum

    def intervals(self, confidence: float) -> Values:
        """Return intervals of the cells one by one, in 0..1, shape (d, d', 2)."""
        if self.exact is not None:
            return self._exact_intervals(confidence)
        scores = self.scores
        low, high, shares = unseen_batch.quotients(scores.cell, scores.unit, scores.came, (1 - confidence) / 2)
        return intervals.clipped_each(low, high, shares).reshape(*self.shape, 2)

    def _exact_intervals(self, confidence: float) -> Values:
        assert self.exact is not None
        moments, scores = self.exact
        counts = np.tensordot(np.array(scores), np.stack([part.counts[1:, 1:] for part in self.parts]), 1)
        if isinstance(moments, PooledMoments):
            law = pooled.law_of(moments.parts)
            ends = [law.interval(int(total), confidence, "population") for total in counts.ravel()]
        else:
            ends = [intervals.exact(int(total), self.n, moments, confidence, "population") for total in counts.ravel()]
        return np.array(ends).reshape(*self.shape, 2)

    def within_first_intervals(self, confidence: float) -> Values:
        """Return intervals of the shares within the first question's answers one by one, (d, d', 2); [0, 1] if the
        group is too small."""
        group = np.broadcast_to(~self.too_small[0][:, None], self.shape).ravel()
        ends, scores = np.tile([0.0, 1.0], (math.prod(self.shape), 1)), self.scores
        over, under, came = scores.cell[group], scores.first[group], scores.came[group]
        low, high, shares = unseen_batch.quotients(over, under, came, (1 - confidence) / 2)
        ends[group] = intervals.clipped_each(low, high, shares)
        return ends.reshape(*self.shape, 2)

    def turned(self) -> "PooledCells":
        """Return the crossing of the second question with the first."""
        return PooledCells(self.second, self.first, tuple(part.turned() for part in self.parts))

    # Dependence of the two questions ------------------------------------------------------------------------------

    def independence(self) -> ChiSquare | None:
        """Return the test of the whole table; None if reports are too few."""
        if self.n < self.tested_from:
            return None
        rows, columns = self._shares_on_the_simplex
        left, right = helmert(len(rows)), helmert(len(columns))
        value = (left @ self.joint @ right.T - np.outer(left @ self.margins[0][0], right @ self.margins[1][0])).ravel()
        cov = sum(
            weight**2 * part.n * part.null_covariance(rows, columns)
            for weight, part in zip(self.weights, self.parts, strict=True)
        )
        statistic = float(value @ np.linalg.solve(cov / self.weight_sum**2, value))
        return ChiSquare(statistic, len(value), float(scipy.stats.chi2.sf(statistic, len(value))))

    @cached_property
    def _shares_on_the_simplex(self) -> tuple[Values, Values]:
        one, other = (onto_simplex(shares) for shares, _ in self.margins)
        return one, other

    @property
    def tested_from(self) -> float:
        """The number of reports, in the same proportions, that would give a test at these margins."""
        return self.n * max(EXPECTED_MIN / self._least_expected, KNOWN_MIN / self._known)

    @property
    def _least_expected(self) -> float:
        """The expected number of reports with the rarest outcome of a cell, if the two questions are independent."""
        law = np.outer(*self._shares_on_the_simplex)
        return float(np.min(sum(part.n * outcome_chances(part, law) for part in self.parts)))

    @property
    def _known(self) -> float:
        """The variance of a cell's interaction (crossed.Spread) over the product of the margins' variances, at equal
        shares: n for separate draws, n lambda^2 for one draw."""
        cell, one, other = (Fraction(0) for _ in range(3))
        for part in self.parts:
            spread = part.spread
            cell += part.n / spread.interaction
            one, other = one + part.n / spread.first, other + part.n / spread.second
        return float(one * other / cell)


def outcome_chances(part: OneChannel, law: Values) -> Values:
    """Return the chances that a report has both symbols, only the first, only the second, or neither, (4, k, k'), if
    the population's cells have the shares `law`."""
    came = part.means(law)
    both = came[1:, 1:]
    one, other = came[1:, :1] - both, came[:1, 1:] - both
    return np.stack([both, one, other, 1 - both - one - other])
