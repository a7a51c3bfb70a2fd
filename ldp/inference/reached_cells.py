"""Two variables crossed among the people who were asked both, where answers decide who is (M34g).

Each report has a score of every cell, whose mean is the share of people who were asked both and gave these answers: no
filler is in it. It also has scores of having been asked both, alone and with each answer. Shares among those who were
asked are quotients of their means, with M31's interval of a quotient.
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
    """Reports that list the same options, by their places, of each question."""

    listed: list[list[int]]
    count: int


class ReachedStatistic(TypedDict):
    """The counts that a table follows from. `deciders` are the keys of the questions whose reports show who was asked:
    `rest` and `leading` are the scores of the rules about other questions, and of the answer to the first and to the
    second, 1 where it decides nothing; `counts` are the matrices of the reports that have them. Where one draw
    randomized some of these questions, `reports` has instead how often each list of options of the `questions` came."""

    deciders: list[str]
    rest: NotRequired[list[float]]
    leading: NotRequired[list[list[float]]]
    counts: NotRequired[list[list[list[int]]]]
    questions: NotRequired[list[str]]
    reports: NotRequired[list[ListedReports]]


class ReachedOutcomes(NamedTuple):
    """The outcomes of a report for each cell, (d1, d2, v): the scores of the cell, of having been asked both and of its
    first and of its second answer, and of having been asked both; and how often each came. The extreme scores are among
    them, with a count of 0 where no report has them."""

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
    """`kept` are the places of the answers that can be given by people who are asked both. Cells are shaped (d1, d2),
    of kept answers alone. `counts` are the `crossed.joint_counts` of all reports. `one_draw`: some of the variables and
    of the deciding questions were randomized together."""

    first: Variable
    second: Variable
    kept: tuple[tuple[int, ...], tuple[int, ...]]
    outcomes: ReachedOutcomes
    counts: Integers
    one_draw: bool

    @property
    def n(self) -> int:
        """The number of reports, also of people who were not asked."""
        return int(self.counts[0, 0])

    @property
    def options(self) -> tuple[list[str], list[str]]:
        one, other = self.kept
        return [self.first.options[j] for j in one], [self.second.options[k] for k in other]

    def _mean(self, scores: Values) -> Values:
        return np.asarray((scores * self.outcomes.came).sum(axis=-1) / self.n)

    # How many were asked ----------------------------------------------------------------------------------------------

    @cached_property
    def share_reached(self) -> float:
        """The unbiased share of people who were asked both."""
        return float(self._mean(self.outcomes.reached)[0, 0])

    @cached_property
    def share_error(self) -> float:
        """Its standard error."""
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
        """The shares of both answers among those who were asked both, (d1, d2)."""
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
        """The shares of each variable's answers among those who were asked both, with standard errors."""
        return self._margin, self.turned()._margin

    @property
    def _margin(self) -> tuple[Values, Values]:
        shares = self._mean(self.outcomes.first)[:, 0] / self.share_reached
        residuals = self.outcomes.first - shares[:, None, None] * self.outcomes.reached
        return shares, np.sqrt(self._mean(residuals**2)[:, 0] / self.n) / self.share_reached

    @cached_property
    def too_small(self) -> tuple[Booleans, Booleans]:
        """The answers that are too rare among everyone for a quotient by the share of people who were asked and gave
        them."""
        return self._rare, self.turned()._rare

    @property
    def _rare(self) -> Booleans:
        means = self._mean(self.outcomes.first)[:, 0]
        errors = np.sqrt(np.maximum(self._mean(self.outcomes.first**2)[:, 0] - means**2, 0.0) / self.n)
        return np.asarray(means <= SUBGROUP_ERRORS_MIN * errors) | self.too_few

    def intervals(self, confidence: float) -> Values:
        """Return intervals of `joint` one by one, (d1, d2, 2), in 0..1 (M31). They need enough people who were
        asked."""
        every = np.ones(self.shape, dtype=np.bool_)
        return self._quotients(self.outcomes.reached, every, confidence)

    def within_first_intervals(self, confidence: float) -> Values:
        """Return intervals of the shares within the first variable's answers one by one, (d1, d2, 2): 0 to 1 for an
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
        """Return the second variable crossed with the first."""
        kept = self.kept[1], self.kept[0]
        return ReachedCells(self.second, self.first, kept, self.outcomes.turned(), self.counts.T, self.one_draw)


# Outcomes by independent draws ----------------------------------------------------------------------------------------


class ReachedStates(NamedTuple):
    """The scores that a report can have, (s,) each: `rest` of the rules about other questions, and `leading` of an
    answer to the first, and to the second, that leads on; 1 where it decides nothing. `counts` are the
    `crossed.joint_counts` of their reports, (s, 1 + k1, 1 + k2). The extreme scores are among them, with counts of 0
    where no report has them.

    The mean of phi1_j phi2_k rest is the share of a cell: a variable that decides has no `leading` in its own cells."""

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


# Outcomes by the reports themselves -----------------------------------------------------------------------------------


class ReachedReports(NamedTuple):
    """The reports that are possible: the symbols of all variables, (r, k), the scores of the combinations of their
    answers, (r, c), and how often they came, (r,)."""

    symbols: Symbols
    scores: Values
    counts: Integers

    def outcomes(self, cells: Booleans) -> ReachedOutcomes:
        """Return the outcomes; `cells` are the combinations with which all rules hold and the first two variables have
        the cell's answers, (d1, d2, c)."""
        shape, holds = (*cells.shape[:2], len(self.counts)), cells.any(axis=(0, 1))
        first, second = cells.any(axis=1, keepdims=True), cells.any(axis=0, keepdims=True)
        cell, one, other, reached = (
            np.broadcast_to(each @ self.scores.T, shape) for each in (cells, first, second, holds)
        )
        return ReachedOutcomes(cell, one, other, reached, np.broadcast_to(self.counts.astype(np.float64), shape))
