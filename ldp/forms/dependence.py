"""Whether two questions of a joint form depend on each other, in the population (M34b).

g_jk = t_jk - r_j c_k, the estimated joint share less the product of its margins', is quadratic in the counts of the
cross-table. Its covariance comes by the delta method from that of the cells (M13), taken where the questions are
independent: at the product of the projected margins. Over the (d1-1)(d2-1) contrasts the quadratic form is chi-square
for many reports. There is none where fewer than 5 reports are expected in a cell, or where the margins are known so
badly that the product of their errors matters beside the error of a cell: that goes by n times the square of the chance
that answers stay.
"""

import numpy as np
import scipy

from ldp.arrays import Values
from ldp.forms.marginals import JointTally
from ldp.inference.estimates import covariance, onto_simplex
from ldp.inference.hypotheses import EXPECTED_MIN, ChiSquare, helmert
from ldp.scores import EXCLUSIVE

# By simulation: below, tests at .05 refused up to 20% of independent questions.
KNOWN_MIN = 50.0


def independence(tally: JointTally, first: int, second: int) -> ChiSquare | None:
    """The test of two questions in the order of the form; None where there are too few reports."""
    table = tally.tallied(first, second)
    shape = tally.sizes[first], tally.sizes[second]
    if tally.n < tested_from(tally, first, second):
        return None
    rows, columns = _margins(tally, first, second)
    null = np.outer(rows, columns)
    cov = covariance(null.ravel(), tally.n, table.moments, EXCLUSIVE, "population")
    joint = table.shares.reshape(shape)
    difference = joint - np.outer(joint.sum(axis=1), joint.sum(axis=0))
    contrasts = np.kron(helmert(shape[0]), helmert(shape[1]))
    jacobian = contrasts @ _jacobian(rows, columns)
    value = contrasts @ difference.ravel()
    statistic = float(value @ np.linalg.solve(jacobian @ cov @ jacobian.T, value))
    return ChiSquare(statistic, len(value), float(scipy.stats.chi2.sf(statistic, len(value))))


def tested_from(tally: JointTally, first: int, second: int) -> float:
    """The number of reports from which there is a test, were the margins as they are estimated here."""
    moments, (rows, columns) = tally.tallied(first, second).moments, _margins(tally, first, second)
    gap, least = float(moments.gap), float(rows.min() * columns.min())
    return max(EXPECTED_MIN / (float(moments.b) + gap * least), KNOWN_MIN / gap**2)


def _margins(tally: JointTally, first: int, second: int) -> tuple[Values, Values]:
    one, other = (onto_simplex(tally.tallied(place).shares) for place in (first, second))
    return one, other


def _jacobian(rows: Values, columns: Values) -> Values:
    """The derivative of every g_jk by every t_lm at the product of the margins, shape (d1 d2, d1 d2)."""
    d1, d2 = len(rows), len(columns)
    by_row = np.kron(np.eye(d1), np.ones((d2, d2)) * columns[:, None])
    by_column = np.kron(np.ones((d1, d1)) * rows[:, None], np.eye(d2))
    return np.asarray(np.eye(d1 * d2) - by_row - by_column)
