"""The crossing of two variables among the people who were asked both, if answers decide who is asked (M34g).

Each report has a score of every cell. Its mean is the share of people who were asked both and gave these answers,
without fillers. A report also has scores of having been asked both, alone and with each answer. Shares among the people
asked are quotients of the means, with M31's interval of a quotient.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, NotRequired, TypedDict

import numpy as np

from ldp.arrays import Booleans, Integers, Values
from ldp.inference import intervals, unseen_batch
from ldp.inference.crossed import SUBGROUP_ERRORS_MIN, TableOfTwo, atoms
from ldp.inference.variables import Symbols, Variable


class ListedReports(TypedDict):
    """Reports that list the same options. `listed` has the options' positions for each question."""

    listed: list[list[int]]
    count: int


class ReachedStatistic(TypedDict):
    """The counts that a table follows from. `deciders` are keys of the questions whose reports show who was asked.
    `rest` scores the rules about other questions, `leading` the answers to the first and second variable (1 if they
    decide nothing), and `counts` are the matrices of the reports with these scores. If one draw randomized some of
    these questions, `reports` instead counts each combination of listed options of the `questions`."""

    deciders: list[str]
    rest: NotRequired[list[float]]
    leading: NotRequired[list[list[float]]]
    counts: NotRequired[list[list[list[int]]]]
    questions: NotRequired[list[str]]
    reports: NotRequired[list[ListedReports]]


class ReachedOutcomes(NamedTuple):
    """The outcomes of a report for each cell, (d1, d2, v) each: the score of the cell, of having been asked both and
    giving its first or its second answer, of having been asked both, and how often each came. The extreme scores are
    included, with count 0 if no report has them."""

    cell: Values
    first: Values
    second: Values
    reached: Values
    came: Values

    def turned(self) -> "ReachedOutcomes":
        cell, first, second, reached, came = [part.swapaxes(0, 1) for part in self]
        return ReachedOutcomes(cell, second, first, reached, came)


@dataclass(frozen=True)
class ReachedCells(TableOfTwo):
    """The crossing. `kept` are the positions of answers that people asked both can give; cells, (d1, d2), have only
    these. `counts` are the `crossed.joint_counts` of all reports. `one_draw`: some of the variables and deciding
    questions were randomized together."""

    first: Variable
    second: Variable
    kept: tuple[tuple[int, ...], tuple[int, ...]]
    outcomes: ReachedOutcomes
    counts: Integers
    one_draw: bool

    @property
    def n(self) -> int:
        """The number of reports, including those of people who were not asked."""
        return int(self.counts[0, 0])

    @property
    def options(self) -> tuple[list[str], list[str]]:
        one, other = self.kept
        return [self.first.options[j] for j in one], [self.second.options[k] for k in other]

    def _mean(self, scores: Values) -> Values:
        return np.asarray((scores * self.outcomes.came).sum(axis=-1) / self.n)

    # Number of people asked -------------------------------------------------------------------------------------------

    @cached_property
    def share_reached(self) -> float:
        """The unbiased share of people who were asked both."""
        return float(self._mean(self.outcomes.reached)[0, 0])

    @cached_property
    def share_error(self) -> float:
        """The standard error of `share_reached`."""
        second = float(self._mean(self.outcomes.reached**2)[0, 0])
        return float(np.sqrt(max(second - self.share_reached**2, 0.0) / self.n))

    @property
    def too_few(self) -> bool:
        """Return whether too few people were asked for a quotient by their share."""
        return self.share_reached <= SUBGROUP_ERRORS_MIN * self.share_error

    def share_interval(self, confidence: float) -> intervals.Interval:
        """Return the interval of the share of people who were asked both (M30)."""
        values, came = self.outcomes.reached[:1, 0], self.outcomes.came[:1, 0]
        tails = np.array([(1 - confidence) / 2])
        low, high = -unseen_batch.upper_limits(-values, came, tails), unseen_batch.upper_limits(values, came, tails)
        return intervals.cut(float(low[0]), float(high[0]))

    # Cells ------------------------------------------------------------------------------------------------------------

    @cached_property
    def joint(self) -> Values:
        """The joint shares among the people who were asked both, (d1, d2)."""
        return self._mean(self.outcomes.cell) / self.share_reached

    @cached_property
    def standard_errors(self) -> tuple[Values, Values]:
        """Standard errors of `joint` for a population and for the respondents (delta method)."""
        residuals = self.outcomes.cell - self.joint[:, :, None] * self.outcomes.reached
        second, known = self._mean(residuals**2), np.clip(self.joint, 0, 1)
        respondents = second - max(self.share_reached, 0.0) * known * (1 - known)
        scale = self.n * self.share_reached**2
        return np.sqrt(second / scale), np.sqrt(np.maximum(respondents, 0) / scale)

    @cached_property
    def margins(self) -> tuple[tuple[Values, Values], tuple[Values, Values]]:
        """The shares of each variable's answers among the people who were asked both, with standard errors."""
        return self._margin, self.turned()._margin

    @property
    def _margin(self) -> tuple[Values, Values]:
        shares = self._mean(self.outcomes.first)[:, 0] / self.share_reached
        residuals = self.outcomes.first - shares[:, None, None] * self.outcomes.reached
        return shares, np.sqrt(self._mean(residuals**2)[:, 0] / self.n) / self.share_reached

    @cached_property
    def too_small(self) -> tuple[Booleans, Booleans]:
        """The answers that are too rare among everyone to be the divisor of a quotient, for both variables."""
        return self._rare, self.turned()._rare

    @property
    def _rare(self) -> Booleans:
        means = self._mean(self.outcomes.first)[:, 0]
        errors = np.sqrt(np.maximum(self._mean(self.outcomes.first**2)[:, 0] - means**2, 0.0) / self.n)
        return np.asarray(means <= SUBGROUP_ERRORS_MIN * errors) | self.too_few

    def intervals(self, confidence: float) -> Values:
        """Return intervals of `joint` one by one, in 0..1, (d1, d2, 2) (M31). Enough people must have been asked."""
        every = np.ones(self.shape, dtype=np.bool_)
        return self._quotients(self.outcomes.reached, every, confidence)

    def within_first_intervals(self, confidence: float) -> Values:
        """Return intervals of the shares within the first variable's answers one by one, (d1, d2, 2); [0, 1] for an
        answer that is too rare (M31)."""
        known = np.broadcast_to(~self.too_small[0][:, None], self.shape)
        return self._quotients(self.outcomes.first, known, confidence)

    def _quotients(self, under: Values, known: Booleans, confidence: float) -> Values:
        ends = np.tile([0.0, 1.0], (*self.shape, 1))
        if known.any():
            over, came = self.outcomes.cell[known], self.outcomes.came[known]
            low, high, shares = unseen_batch.quotients(over, under[known], came, (1 - confidence) / 2)
            ends[known] = intervals.clipped_each(low, high, shares)
        return ends

    def turned(self) -> "ReachedCells":
        """Return the crossing of the second variable with the first."""
        kept = self.kept[1], self.kept[0]
        return ReachedCells(self.second, self.first, kept, self.outcomes.turned(), self.counts.T, self.one_draw)


# Outcomes by independent draws ----------------------------------------------------------------------------------------


class ReachedStates(NamedTuple):
    """The scores that a report can have, (s,) each: `rest` of the rules about other questions, `leading` of leading
    answers to both variables, 1 if they decide nothing. `counts`, (s, 1 + k1, 1 + k2), are the `crossed.joint_counts`
    of the reports with these scores. The extreme scores are included, with count 0 if no report has them.

    The mean of phi1_j phi2_k rest is a cell's share: a deciding variable has no `leading` in its own cells.
    """

    rest: Values
    leading: tuple[Values, Values]
    counts: Integers

    def outcomes(self, pair: Sequence[Variable], kept: Sequence[Sequence[int]]) -> ReachedOutcomes:
        (one, from_first), (other, from_second) = (
            tuple(part[list(places)] for part in atoms(variable)) for variable, places in zip(pair, kept, strict=True)
        )
        came = np.einsum("jva,sab,kwb->jkvws", from_first, self.counts, from_second, optimize=True)

        def flat(values: Values | Integers) -> Values:
            return np.broadcast_to(values, came.shape).reshape(*came.shape[:2], -1).astype(np.float64)

        left, right, (leads, also) = one[:, None, :, None, None], other[None, :, None, :, None], self.leading
        first, second = left * self.rest * also, right * self.rest * leads
        cell, reached = left * right * self.rest, self.rest * leads * also
        return ReachedOutcomes(flat(cell), flat(first), flat(second), flat(reached), flat(came))


# Outcomes by whole reports --------------------------------------------------------------------------------------------


class ReachedReports(NamedTuple):
    """All possible reports: the symbols of all variables, (r, k), the scores of the combinations of answers, (r, c),
    and how often each report came, (r,)."""

    symbols: Symbols
    scores: Values
    counts: Integers

    def outcomes(self, cells: Booleans) -> ReachedOutcomes:
        """Return the outcomes. `cells`, (d1, d2, c), marks the combinations that satisfy all rules and have the cell's
        answers to the first two variables."""
        shape, holds = (*cells.shape[:2], len(self.counts)), cells.any(axis=(0, 1))
        first, second = cells.any(axis=1, keepdims=True), cells.any(axis=0, keepdims=True)
        cell, one, other, reached = (
            np.broadcast_to(each @ self.scores.T, shape) for each in (cells, first, second, holds)
        )
        return ReachedOutcomes(cell, one, other, reached, np.broadcast_to(self.counts.astype(np.float64), shape))
