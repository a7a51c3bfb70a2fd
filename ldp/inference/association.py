"""Tests of independence of two crossed variables in the population (M31).

One cell. With 0/1 scores the reports make a table of two by two: support of category j of the first variable, and of k
of the second. The two have independent noise, so [x = j] and [y = k] are independent if and only if the two bits are
(M17: their covariance is (a1-b1)(a2-b2)(t - r c)). So Fisher's test of that table is exact for any noise and number of
reports. Holm's correction (1979) bounds the chance of naming any cell with independent answers. Scores of an inverted
channel have no such bit, so their cells are not tested.

The whole table. Wald's statistic tests the joint shares less the products of the margins, over contrasts (M17). If one
symbol of each variable is sent, it is Pearson's statistic of the table of sent symbols. There is a p-value only if
every expected count is at least 5 (M31).
"""

from typing import NamedTuple

import numpy as np
import scipy

from ldp.arrays import Integers, Values
from ldp.inference.crossed import Crossing
from ldp.inference.estimates import covariance, onto_simplex
from ldp.inference.hypotheses import EXPECTED_MIN, ChiSquare, helmert
from ldp.inference.variables import Variable


class Standing(NamedTuple):
    """The tests of all cells, (d1, d2): Fisher's two-sided p-values (twice the smaller tail), Holm's correction for all
    cells, and the direction, 1 if the joint share is above the product of the margins, -1 if below."""

    p_values: Values
    corrected: Values
    direction: Integers


def cells(crossing: Crossing) -> Standing | None:
    """Return the tests of all cells; None if a variable lacks 0/1 scores."""
    if not are_cells_tested(crossing):
        return None
    n, both = crossing.n, crossing.counts[1:, 1:]
    one, other = crossing.counts[1:, :1], crossing.counts[:1, 1:]
    # An impossible estimate has at least the p-value of the nearest possible one (M37).
    p_values = np.maximum(*(_fisher(each, n, one, other) for each in (both, _possible(crossing))))
    return Standing(p_values, holm(p_values), np.sign(both * n - one * other))


def are_cells_tested(crossing: Crossing) -> bool:
    """Return whether both variables have 0/1 scores."""
    return crossing.first.phi is None and crossing.second.phi is None


def _fisher(both: Integers, n: int, one: Integers, other: Integers) -> Values:
    at_least = scipy.stats.hypergeom.sf(both - 1, n, one, other)
    at_most = scipy.stats.hypergeom.cdf(both, n, one, other)
    return np.asarray(np.minimum(2 * np.minimum(at_least, at_most), 1.0))


def _possible(crossing: Crossing) -> Integers:
    """Return how many reports have both bits, kept between two expected counts (M37): at the least and at the largest
    joint share that the margins allow."""
    n, both = crossing.n, crossing.counts[1:, 1:]
    one, other = crossing.counts[1:, :1], crossing.counts[:1, 1:]
    rows, columns = (np.clip(shares, 0.0, 1.0) for shares in (crossing.margins[0][0][:, None], crossing.margins[1][0]))
    least, most = np.maximum(rows + columns - 1, 0.0), np.minimum(rows, columns)
    even = np.asarray(one * other / n)
    scale = n * float(crossing.first.moments.gap) * float(crossing.second.moments.gap)
    low, high = (np.round(even + scale * (joint - rows * columns)) for joint in (least, most))
    return np.asarray(np.clip(both, low, high)).astype(np.int64)


def holm(p_values: Values) -> Values:
    """Return Holm's adjusted p-values, in the same shape. Rejecting those up to c rejects any true hypothesis with a
    chance of at most c."""
    flat = p_values.ravel()
    order = np.argsort(flat, kind="stable")
    corrected = np.empty(len(flat))
    corrected[order] = np.minimum(np.maximum.accumulate(flat[order] * np.arange(len(flat), 0, -1)), 1.0)
    return corrected.reshape(p_values.shape)


def whole_table(crossing: Crossing) -> ChiSquare | None:
    """Return Wald's test of independence; None if a cell expects fewer than 5 reports."""
    if least_expected(crossing) < EXPECTED_MIN:
        return None
    rows, columns = crossing.margins[0][0], crossing.margins[1][0]
    left, right = helmert(len(rows)), helmert(len(columns))
    difference = left @ (crossing.joint - np.outer(rows, columns)) @ right.T
    one = left @ covariance_of(crossing.first, rows, crossing.counts[:, 0]) @ left.T
    two = right @ covariance_of(crossing.second, columns, crossing.counts[0]) @ right.T
    statistic = crossing.n * float(np.sum(np.linalg.solve(one, difference) * np.linalg.solve(two, difference.T).T))
    return ChiSquare(statistic, difference.size, float(scipy.stats.chi2.sf(statistic, difference.size)))


def least_expected(crossing: Crossing) -> float:
    """Return the smallest expected count of a cell under independence, in the table of sent symbols or of two bits."""
    one = _rarest(crossing.first, crossing.counts[:, 0])
    return one * _rarest(crossing.second, crossing.counts[0]) / crossing.n


def _rarest(variable: Variable, counts: Integers) -> float:
    rarest = counts[1:].min()
    return float(rarest if variable.one_sent else min(rarest, (counts[0] - counts[1:]).min()))


def covariance_of(variable: Variable, shares: Values, counts: Integers) -> Values:
    """Return n times the covariance of the estimated shares, (d, d): from observed symbols if one is sent, otherwise by
    M13."""
    n = int(counts[0])
    if variable.phi is not None:
        return np.asarray(variable.phi.T @ (counts[1:, None] / n * variable.phi) - np.outer(shares, shares))
    if variable.one_sent:
        chances, gap = counts[1:] / n, float(variable.moments.gap)
        return np.asarray((np.diag(chances) - np.outer(chances, chances)) / gap**2)
    return covariance(onto_simplex(shares), 1, variable.moments, variable.pair, "population")
