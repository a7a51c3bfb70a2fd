"""Whether two questions of a joint form depend on each other (M34b): refused about as often as stated, and found."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from ldp.forms.crossed import independence
from ldp.forms.marginals import JointTally
from ldp.mechanisms import joint

LEVEL, SURVEYS = 0.05, 600
# Four standard errors of 600 tests above the level, and what the approximation itself adds: luck fails 1 in 20,000.
MOST = 0.058 + 4 * (0.05 * 0.95 / SURVEYS) ** 0.5


def refused(sizes, alpha, n, theta, seed=1):
    """The part of surveys with a test whose p-value is at most the level, and how many have a test."""
    table = joint.table(Fraction(alpha), sizes)
    q = table["other"] / 2**53
    chances = q + (1 - theta.size * q) * theta.ravel()
    counts = np.random.default_rng(seed).multinomial(n, chances / chances.sum(), size=SURVEYS)
    tests = [independence(JointTally(table, sizes, tuple(map(int, each))), 0, 1) for each in counts]
    found = [test.p_value for test in tests if test]
    return np.mean(np.array(found) <= LEVEL) if found else None, len(found)


EVEN, SKEWED = (np.array([0.5, 0.5]), np.full(5, 0.2)), (np.array([0.9, 0.1]), np.array([0.8, 0.05, 0.05, 0.05, 0.05]))


@pytest.mark.parametrize("margins", [EVEN, SKEWED])
@pytest.mark.parametrize(("alpha", "n"), [("1", 6000), ("2", 1000), ("8", 5000)])
def test_independent_questions_are_called_dependent_about_as_seldom_as_stated(margins, alpha, n):
    share, tested = refused((2, 5), alpha, n, np.outer(*margins))
    assert tested > SURVEYS / 2 and share <= MOST


def test_dependent_questions_are_found():
    theta = np.array([[0.4, 0.1], [0.1, 0.4]])
    assert refused((2, 2), "2", 1000, theta)[0] > 0.99
    weak = np.array([[0.3, 0.2], [0.2, 0.3]])
    assert 0.05 < refused((2, 2), "2", 200, weak)[0] < 0.9


def test_where_reports_are_few_there_is_no_test():
    assert refused((2, 5), "0.5", 1000, np.outer(*SKEWED))[1] == 0
    assert refused((2, 5), "8", 50, np.outer(*SKEWED))[1] == 0


def test_the_statistic_of_plain_answers_is_nearly_pearsons():
    """Under a large alpha nearly all answers stay."""
    sizes, counts = (2, 3), (300, 200, 100, 250, 260, 130)
    found = independence(JointTally(joint.table(Fraction(16), sizes), sizes, counts), 0, 1)
    pearson = stats.chi2_contingency(np.reshape(counts, sizes), correction=False)
    assert found.degrees == pearson.dof == 2
    assert found.statistic == pytest.approx(pearson.statistic, rel=1e-3)


def test_two_questions_of_three_are_tested_over_the_third():
    sizes = (2, 2, 2)
    table = joint.table(Fraction(4), sizes)
    counts = np.random.default_rng(4).integers(90, 200, size=8)
    tally = JointTally(table, sizes, tuple(map(int, counts)))
    pair = joint.marginal(table, sizes, (0, 2))
    folded = JointTally(pair, (2, 2), tuple(map(int, counts.reshape(sizes).sum(axis=1).ravel())))
    assert independence(tally, 0, 2) == pytest.approx(independence(folded, 0, 1))
