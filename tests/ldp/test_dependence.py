"""The test of two questions of one draw rejects independence as often as stated (M34b, M44)."""

import numpy as np
import pytest
from scipy import stats

from ldp.forms.joint_crossing import independence
from ldp.forms.marginals import JointTally
from tests.support.together import counted, table

LEVEL, SURVEYS = 0.05, 600
# Four standard errors of 600 tests above the level, plus the error of the approximation: luck fails once in 20,000.
MOST = 0.058 + 4 * (0.05 * 0.95 / SURVEYS) ** 0.5


def refused(shape, alpha, n, theta, seed=1, sizes=None):
    """Return the fraction of surveys with a test whose p-value is at most the level, and the number with a test."""
    rng, made = np.random.default_rng(seed), table(alpha, shape, sizes)
    tests = [independence(counted(shape, made, theta, n, rng).pair(0, 1)) for _ in range(SURVEYS)]
    found = [test.p_value for test in tests if test]
    return np.mean(np.array(found) <= LEVEL) if found else None, len(found)


EVEN, SKEWED = (np.array([0.5, 0.5]), np.full(5, 0.2)), (np.array([0.9, 0.1]), np.array([0.8, 0.05, 0.05, 0.05, 0.05]))


@pytest.mark.parametrize("margins", [EVEN, SKEWED])
@pytest.mark.parametrize(("alpha", "n"), [("1", 6000), ("2", 1000), ("8", 5000)])
def test_independent_questions_are_called_dependent_about_as_seldom_as_stated(margins, alpha, n):
    share, tested = refused((2, 5), alpha, n, np.outer(*margins))
    assert tested > SURVEYS / 2 and share <= MOST


@pytest.mark.parametrize("margins", [EVEN, SKEWED])
@pytest.mark.parametrize(("sizes", "alpha", "n"), [((1, 2), "1", 6000), ((1, 4), "2", 2500), ((1, 2), "4", 1500)])
def test_where_several_options_are_listed_they_are_called_dependent_as_seldom(margins, sizes, alpha, n):
    share, tested = refused((2, 5), alpha, n, np.outer(*margins), sizes=sizes)
    assert tested > SURVEYS / 2 and share <= MOST


def test_dependent_questions_are_found():
    theta = np.array([[0.4, 0.1], [0.1, 0.4]])
    assert refused((2, 2), "2", 1000, theta)[0] > 0.99
    weak = np.array([[0.3, 0.2], [0.2, 0.3]])
    assert 0.05 < refused((2, 2), "2", 200, weak)[0] < 0.9
    assert refused((2, 4), "3", 1500, np.kron(theta, [[0.5, 0.5]]), sizes=(1, 2))[0] > 0.9


def test_where_reports_are_few_there_is_no_test():
    assert refused((2, 5), "0.5", 1000, np.outer(*SKEWED))[1] == 0
    assert refused((2, 5), "8", 50, np.outer(*SKEWED))[1] == 0


def test_the_statistic_of_plain_answers_is_nearly_pearsons():
    """A large alpha keeps nearly all answers."""
    shape, counts = (2, 3), (300, 200, 100, 250, 260, 130)
    found = independence(JointTally(table("16", shape), shape, counts).pair(0, 1))
    pearson = stats.chi2_contingency(np.reshape(counts, shape), correction=False)
    assert found.degrees == pearson.dof == 2
    assert found.statistic == pytest.approx(pearson.statistic, rel=1e-3)


def test_two_questions_of_three_are_tested_over_the_third():
    shape, made = (2, 2, 2), table("4", (2, 2, 2))
    counts = np.random.default_rng(4).integers(90, 200, size=8)
    tally = JointTally(made, shape, tuple(map(int, counts)))
    folded = counts.reshape(shape).sum(axis=1).ravel()
    pair = JointTally(made | {"sizes": [1, 1]}, (2, 2), tuple(map(int, folded))).pair(0, 1)
    assert independence(tally.pair(0, 2)) == pytest.approx(independence(pair))
