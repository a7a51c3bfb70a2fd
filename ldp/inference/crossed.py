"""The crossing of two variables (M17, M30, M31): joint shares, and each variable's shares within the other's
categories.

With each variable's phi, the mean of phi1_j phi2_k is unbiased for the joint share t_jk. The products take few values,
which `joint_counts` counts. The interval is M30's, with the largest and the least product for the unseen respondent.
The share of k within j is the s at which the mean of phi1_j (phi2_k - s) is 0. Its interval has every s at which M30's
interval for that mean contains 0 (compare Fieller 1954). Fixed respondents have different chances, which makes their
sums less variable (Hoeffding 1956), so the intervals are for a population and hold for the respondents too.

In simulations they keep their coverage even for rare noise (`python -m benchmarks.crossings_coverage`). A score
interval and the delta method's quotients do not (.705 and .866 instead of .95).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from ldp.arrays import Booleans, Integers, Values
from ldp.inference import intervals, unseen_batch
from ldp.inference.estimates import channel_covariance, channel_rows, covariance
from ldp.inference.hypotheses import helmert
from ldp.inference.variables import NotCrossed, Symbols, Variable, are_together
from ldp.microdata import MicrodataTable
from ldp.scores import ChannelMoments, ScoreMoments

# A category is too small a subgroup if its share is at most this many standard errors above 0.
SUBGROUP_ERRORS_MIN = 5.0


class CellScores(NamedTuple):
    """The outcomes of a report for each cell, each (d1 d2, v): the scores of the cell, of its first and its second
    option, the value of 1 on their scale, and how often the outcome came."""

    cell: Values
    first: Values
    second: Values
    unit: Values
    came: Values


class Spread(NamedTuple):
    """Variances of one option's scores at equal shares, for both variables. A cell's score adds a part to its options'
    scores. `factor` is the part's variance over the product of the two variances."""

    first: Fraction
    second: Fraction
    factor: Fraction

    @property
    def interaction(self) -> Fraction:
        """The variance of the part that a cell's score adds."""
        return self.factor * self.first * self.second


class TableOfTwo:
    """Statistics of joint shares and margins. Cells have the shape (d1, d2)."""

    first: Variable
    second: Variable

    @property
    def joint(self) -> Values:
        """Unbiased joint shares, (d1, d2)."""
        raise NotImplementedError

    @property
    def margins(self) -> tuple[tuple[Values, Values], tuple[Values, Values]]:
        """The shares of each variable in a population, with standard errors."""
        raise NotImplementedError

    @property
    def options(self) -> tuple[list[str], list[str]]:
        """The answers that the table shows, for both variables."""
        return list(self.first.options), list(self.second.options)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.options[0]), len(self.options[1])

    @cached_property
    def too_small(self) -> tuple[Booleans, Booleans]:
        """The categories that are too small for subgroups, for both variables."""
        one, other = (shares <= SUBGROUP_ERRORS_MIN * errors for shares, errors in self.margins)
        return one, other

    def within_first(self) -> Values:
        """Return unbiased joint shares over the shares of the first variable's categories, (d1, d2)."""
        return np.asarray(self.joint / self.margins[0][0][:, None])


@dataclass(frozen=True)
class Crossing(TableOfTwo):
    """Two variables with independent noise. `counts` are `joint_counts` of at least one report. Cells have the shape
    (d1, d2), or flat (d1 d2, ...). ValueError for two questions of one draw (ldp/forms/joint_crossing.py)."""

    first: Variable
    second: Variable
    counts: Integers

    def __post_init__(self) -> None:
        if self.first.has_channels or self.second.has_channels:
            raise NotCrossed("channels")
        if are_together(self.first, self.second):
            raise ValueError("the answers share one draw")

    @property
    def n(self) -> int:
        return int(self.counts[0, 0])

    @cached_property
    def atoms(self) -> tuple[Values, Values, Values]:
        """The values of phi1 and phi2 and how often they came together, for each cell: each (d1 d2, v)."""
        (one, from_first), (other, from_second) = atoms(self.first), atoms(self.second)
        came = np.einsum("jva,ab,kwb->jkvw", from_first, self.counts, from_second, optimize=True)
        shape = came.shape
        left = np.broadcast_to(one[:, None, :, None], shape).reshape(shape[0] * shape[1], -1)
        right = np.broadcast_to(other[None, :, None, :], shape).reshape(shape[0] * shape[1], -1)
        return left, right, came.reshape(left.shape).astype(np.float64)

    one_draw: ClassVar[bool] = False
    """True if one draw decides about both answers."""

    @property
    def scores(self) -> CellScores:
        left, right, came = self.atoms
        return CellScores(left * right, left, right, np.ones_like(left), came)

    @property
    def spread(self) -> Spread:
        one, other = (equal_variance(each.moments, len(each.options)) for each in (self.first, self.second))
        return Spread(one, other, Fraction(1))

    def means(self, law: Values) -> Values:
        """Return the mean counts of one report if the population's cells have the shares `law`, (d1, d2)."""
        return np.asarray(symbol_means(self.first).T @ law @ symbol_means(self.second))

    def null_covariance(self, rows: Values, columns: Values) -> Values:
        """Return n times the covariance of deviations from independence, for independent variables with these shares. A
        deviation is a contrast of cells less the product of the margins' contrasts."""
        each = ((self.first, rows), (self.second, columns))
        return np.asarray(np.kron(*(_contrast_covariance(variable, shares) for variable, shares in each)))

    @cached_property
    def joint(self) -> Values:
        """Unbiased joint shares, (d1, d2)."""
        left, right, came = self.atoms
        return np.asarray((left * right * came).sum(axis=1).reshape(self.shape) / self.n)

    @cached_property
    def standard_errors(self) -> tuple[Values, Values]:
        """Standard errors of the joint shares for a population and the respondents, from observed second moments."""
        left, right, came = self.atoms
        second = ((left * right) ** 2 * came).sum(axis=1).reshape(self.shape) / self.n
        share = np.clip(self.joint, 0, 1)
        population, respondents = second - self.joint**2, second - share
        return np.sqrt(np.maximum(population, 0) / self.n), np.sqrt(np.maximum(respondents, 0) / self.n)

    @cached_property
    def margins(self) -> tuple[tuple[Values, Values], tuple[Values, Values]]:
        """The shares of each variable in a population, with standard errors, over the reports about both."""
        return _margin(self.first, self.counts[:, 0]), _margin(self.second, self.counts[0])

    def intervals(self, confidence: float) -> Values:
        """Return intervals of the joint shares one by one, in 0..1, (d1, d2, 2) (M31). All hold at once at
        intervals.bonferroni(confidence, d1 d2)."""
        left, right, came = self.atoms
        tails = np.full(len(came), (1 - confidence) / 2)
        high = unseen_batch.upper_limits(left * right, came, tails)
        low = -unseen_batch.upper_limits(-left * right, came, tails)
        return intervals.clipped_each(low, high, self.joint.ravel()).reshape(*self.shape, 2)

    def within_first_intervals(self, confidence: float) -> Values:
        """Return intervals of the shares within the first variable's categories one by one, (d1, d2, 2); [0, 1] for a
        subgroup that is too small (M31)."""
        left, right, came = self.atoms
        group = np.broadcast_to(~self.too_small[0][:, None], self.shape).ravel()
        ends = np.tile([0.0, 1.0], (len(came), 1))
        left, right, came = left[group], right[group], came[group]
        low, high, shares = unseen_batch.quotients(left * right, left, came, (1 - confidence) / 2)
        ends[group] = intervals.clipped_each(low, high, shares)
        return ends.reshape(*self.shape, 2)

    def turned(self) -> "Crossing":
        """Return the crossing of the second variable with the first."""
        return Crossing(self.second, self.first, self.counts.T)


def atoms(variable: Variable) -> tuple[Values, Integers]:
    """Return the values of each category's phi, (d, v), and weights, (d, v, 1 + k). The weights times the counts of 1
    and of symbols are how often each value came."""
    d = len(variable.options)
    if variable.phi is not None:
        each = np.eye(1 + len(variable.phi), dtype=np.int64)[1:]
        return variable.phi.T, np.broadcast_to(each, (d, *each.shape))
    gap, b = float(variable.moments.gap), float(variable.moments.b)
    makes = np.zeros((d, 2, 1 + d), dtype=np.int64)
    makes[:, 0, 0] = 1
    makes[np.arange(d), 0, 1 + np.arange(d)] = -1
    makes[np.arange(d), 1, 1 + np.arange(d)] = 1
    return np.tile([-b / gap, (1 - b) / gap], (d, 1)), makes


def symbol_means(variable: Variable) -> Values:
    """Return the mean of 1 and of each symbol for each answer, (d, 1 + k)."""
    d = len(variable.options)
    if variable.phi is not None:
        assert isinstance(variable.moments, ChannelMoments)
        means = channel_rows(variable.moments)
    else:
        means = np.where(np.eye(d) > 0, float(variable.moments.a), float(variable.moments.b))
    return np.column_stack((np.ones(d), means))


def score_covariance(variable: Variable, shares: Values) -> Values:
    """Return the covariance of a report's scores if the answers have these shares, (d, d)."""
    if isinstance(variable.moments, ChannelMoments) and variable.phi is not None:
        return channel_covariance(shares, 1, channel_rows(variable.moments), variable.phi, "population")
    return covariance(shares, 1, variable.moments, variable.pair, "population")


def _contrast_covariance(variable: Variable, shares: Values) -> Values:
    contrasts = helmert(len(shares))
    return np.asarray(contrasts @ score_covariance(variable, shares) @ contrasts.T)


def equal_variance(moments: ScoreMoments, d: int) -> Fraction:
    """Return the mean variance of the unbiased scores of d options at equal shares."""
    noise = (moments.v_a + (d - 1) * moments.v_b) / (d * moments.gap**2)
    return noise + Fraction(d - 1, d**2)


def _margin(variable: Variable, counts: Integers) -> tuple[Values, Values]:
    values, makes = atoms(variable)
    came = makes @ counts
    shares = (values * came).sum(axis=1) / counts[0]
    variance = (values**2 * came).sum(axis=1) / counts[0] - shares**2
    return shares, np.sqrt(np.maximum(variance, 0) / counts[0])


# The sufficient statistic of a crossing, in whole numbers -------------------------------------------------------------
#
# A matrix (1 + k1, 1 + k2) over the reports about both variables: their number, the counts of the second variable's
# symbols, the counts of the first one's, and the counts of pairs. Matrices of batches add up.

# Reports are multiplied in chunks. Single precision holds their counts exactly, and memory stays small.
AT_ONCE = 1 << 14


def joint_counts(first: Variable, second: Variable, parts: Iterable[tuple[MicrodataTable, MicrodataTable]]) -> Integers:
    """Return the matrix of counts. Each part has both questions' columns, each (n, size), of some reports."""
    total = np.zeros((1 + first.width, 1 + second.width), dtype=np.int64)
    for one, other in parts:
        for start in range(0, len(one), AT_ONCE):
            total += _counts(first, second, one[start : start + AT_ONCE], other[start : start + AT_ONCE])
    return total


def _counts(first: Variable, second: Variable, one: MicrodataTable, other: MicrodataTable) -> Integers:
    if first.place is not None or second.place is not None:
        about = first.about(one) & second.about(other)
        one, other = one[about], other[about]
    left, right = _with_constant(first.symbols(one)), _with_constant(second.symbols(other))
    return np.asarray(left.T @ right).astype(np.int64)


def _with_constant(symbols: Symbols) -> npt.NDArray[np.float32]:
    columns = np.ones((len(symbols), 1 + symbols.shape[1]), dtype=np.float32)
    columns[:, 1:] = symbols
    return columns
