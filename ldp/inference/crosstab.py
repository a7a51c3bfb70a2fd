"""Two questions that were privatized independently, crossed (M17).

phi = (score - b)/(a - b) is unbiased for [truth = j]. The noise of the two questions is independent given the truths,
so the mean of phi1_j phi2_k is unbiased for the joint share t = P(x = j, y = k). Its second moment follows from the
margins: with A = E[phi^2] where the category is the truth and B where it is not,

    E[phi1_j^2 phi2_k^2] = t A1 A2 + (r - t) A1 B2 + (c - t) B1 A2 + (1 - r - c + t) B1 B2,    r, c the margins at j, k;

the variance of a cell is (that - t^2)/n for the population and (that - t)/n for the respondents. It is the noise of
both questions multiplied, so that a crossing needs many more reports than either question alone.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from ldp.inference import intervals
from ldp.inference.covariance import covariance
from ldp.inference.estimates import Matrix, Shares, Target, shares, unit_variances
from ldp.inference.hypotheses import ChiSquare, helmert
from ldp.inference.intervals import Interval
from ldp.inference.projected import onto_simplex
from ldp.scores import PairMoments, ScoreMoments

# A subgroup whose share is fewer standard errors than this above 0 is too small: quotients by it are skewed and wild,
# and their intervals, though they still cover, say next to nothing.
SUBGROUP_ERRORS_MIN = 5.0


@dataclass(frozen=True)
class CrossTable:
    """Unbiased shares: `joint` (d1, d2), its margins `rows` (d1,) and `columns` (d2,) from each question alone."""

    joint: Matrix
    rows: Shares
    columns: Shares
    n: int
    first: ScoreMoments
    second: ScoreMoments


class Subgroup(NamedTuple):
    """The shares of the second question (d2,) among those of one category of the first."""

    shares: Shares
    standard_errors: Shares
    intervals: list[Interval]
    too_small: bool


def products(first: npt.ArrayLike, second: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Totals of the products of scores, shape (d1, d2), from the scores (n, d1) and (n, d2); they add over batches.

    Of 0/1 scores they count the reports that support both categories.
    """
    return np.asarray(np.asarray(first, dtype=np.int64).T @ np.asarray(second, dtype=np.int64))


def cross(
    products: npt.ArrayLike,
    first_totals: npt.ArrayLike,
    second_totals: npt.ArrayLike,
    n: int,
    first: ScoreMoments,
    second: ScoreMoments,
) -> CrossTable:
    """The estimates from the sufficient statistic: totals of products (d1, d2) and of each question's scores."""
    rows, columns = shares(first_totals, n, first), shares(second_totals, n, second)
    b1, b2 = float(first.b), float(second.b)
    # sum (s1 - b1)(s2 - b2) / (n g1 g2), with s1 = b1 + g1 phi1 in the totals of one question.
    mean = np.asarray(products, dtype=np.float64) / n
    centred = mean - b1 * (b2 + float(second.gap) * columns) - b2 * (float(first.gap) * rows)[:, None]
    return CrossTable(centred / float(first.gap * second.gap), rows, columns, n, first, second)


def standard_errors(table: CrossTable, target: Target) -> Matrix:
    """Standard errors of the joint shares, shape (d1, d2): at shares cut to what a table can hold."""
    r, c = np.clip(table.rows, 0, 1)[:, None], np.clip(table.columns, 0, 1)
    t = np.clip(table.joint, np.maximum(r + c - 1, 0), np.minimum(r, c))
    constant, slope = _second_moment(table, r, c)
    variance = constant + slope * t - (t**2 if target == "population" else t)
    return np.asarray(np.sqrt(variance / table.n))


def cell_intervals(table: CrossTable, confidence: float, target: Target) -> list[list[Interval]]:
    """Score intervals of the joint shares: the variance is taken at the share itself, the margins at their estimates.

    For all cells together give intervals.bonferroni(confidence, d1 * d2).
    """
    constant, slope = _second_moment(table, np.clip(table.rows, 0, 1)[:, None], np.clip(table.columns, 0, 1))
    linear, square = (slope, 1.0) if target == "population" else (slope - 1, 0.0)
    return [
        [
            intervals.within(float(estimate), table.n, confidence, float(constant[j, k]), linear, square)
            for k, estimate in enumerate(row)
        ]
        for j, row in enumerate(table.joint)
    ]


def subgroup(table: CrossTable, row: int, confidence: float) -> Subgroup:
    """The second question among those whose truth in the first is `row`, for the population, by the delta method.

    t_k / r with r the row's margin from the first question alone: where the second question is M2 or M4 that is the sum
    of the row; where it is M3 or M5 it leaves out the noise of all other columns.

        Var = (Var t - 2 s Cov(t, r) + s^2 Var r) / r^2  at s = t/r,    n Cov(t, r) = t A1 + (c - t) B1 - t r

    The shares are not cut; the intervals are.
    """
    r = float(table.rows[row])
    joint, columns = table.joint[row], np.clip(table.columns, 0, 1)
    inside, outside = _second_moments(table.first)
    margin_variance = float(unit_variances(np.clip(np.array(r), 0, 1), table.first, "population")) / table.n
    quotients = joint / r
    within_row = np.clip(quotients, 0, 1)
    t = np.minimum(within_row * min(max(r, 0), 1), columns)
    mixed = (t * inside + (columns - t) * outside - t * r) / table.n
    variance = standard_errors(table, "population")[row] ** 2 - 2 * within_row * mixed + within_row**2 * margin_variance
    errors = np.sqrt(np.maximum(variance, 0.0)) / abs(r)
    half_widths = intervals.z(confidence) * errors
    cut = [intervals.cut(s - half, s + half) for s, half in zip(quotients, half_widths, strict=True)]
    return Subgroup(quotients, errors, cut, r < SUBGROUP_ERRORS_MIN * margin_variance**0.5)


def independence(table: CrossTable, first: PairMoments, second: PairMoments) -> ChiSquare:
    """Whether the two questions are independent in the population, by Wald's statistic with (d1-1)(d2-1) degrees.

    D = joint - rows columns' is, to first order, the mean of (phi1 - rows)(phi2 - columns)'. Under the hypothesis both
    factors are independent, so the covariance of D is the Kronecker product of those of M13, and with contrasts on
    both sides (helmert) the statistic is n trace(S1^-1 D S2^-1 D').
    """
    left, right = helmert(len(table.rows)), helmert(len(table.columns))
    difference = left @ (table.joint - np.outer(table.rows, table.columns)) @ right.T
    one = left @ covariance(onto_simplex(table.rows), 1, table.first, first, "population") @ left.T
    two = right @ covariance(onto_simplex(table.columns), 1, table.second, second, "population") @ right.T
    statistic = table.n * float(np.sum(np.linalg.solve(one, difference) * np.linalg.solve(two, difference.T).T))
    degrees = difference.size
    return ChiSquare(statistic, degrees, float(stats.chi2.sf(statistic, degrees)))


def _second_moments(moments: ScoreMoments) -> tuple[float, float]:
    """E[phi^2] where the category is the truth, and where it is not."""
    gap_squared = float(moments.gap) ** 2
    return float(moments.v_a) / gap_squared + 1, float(moments.v_b) / gap_squared


def _second_moment(table: CrossTable, rows: Matrix, columns: Shares) -> tuple[Matrix, float]:
    """E[phi1_j^2 phi2_k^2] as constant (d1, d2) + slope * t."""
    a1, b1 = _second_moments(table.first)
    a2, b2 = _second_moments(table.second)
    constant = b1 * b2 + rows * (a1 - b1) * b2 + columns * b1 * (a2 - b2)
    return np.asarray(constant), (a1 - b1) * (a2 - b2)
