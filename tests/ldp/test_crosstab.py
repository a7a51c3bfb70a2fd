"""Crossed questions: unbiased with the stated variance, exactly; intervals and tests keep their promise (M17)."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ldp.inference import crosstab
from ldp.mechanisms import bitwise, laplace, randomized_response
from ldp.planning import simulation
from ldp.scores import EXCLUSIVE, independent, indicator
from tests.ldp.test_covariance import bits, mean, subset
from tests.ldp.test_covariance import randomized_response as enumerated_response

JOINT = np.array([[0.24, 0.06, 0.10], [0.16, 0.04, 0.40]])


def _exact_pair():
    """Channels of the two questions, enumerated: (rows, law, pair) each."""
    return [(bits(2), subset(3, 2)), (enumerated_response(2), enumerated_response(3))]


@pytest.mark.parametrize(("first", "second"), _exact_pair())
def test_joint_shares_are_unbiased_with_the_stated_variance_exactly(first, second):
    """Over all pairs of reports and truths, in fractions; both targets."""
    joint = [[Fraction(int(100 * share), 100) for share in row] for row in JOINT]
    (rows1, law1, _), (rows2, law2, _) = first, second
    d1, d2 = JOINT.shape

    def moment(j, k, power):
        def phi(moments, score):
            return ((score - moments.b) / moments.gap) ** power

        return sum(
            joint[x][y] * mean(rows1[x], lambda z: phi(law1, z[j])) * mean(rows2[y], lambda z: phi(law2, z[k]))
            for x, y in product(range(d1), range(d2))
        )

    shares = np.array(JOINT)
    table = crosstab.CrossTable(shares, shares.sum(axis=1), shares.sum(axis=0), 10, law1, law2)
    population = crosstab.standard_errors(table, "population")
    respondents = crosstab.standard_errors(table, "respondents")
    for j, k in product(range(d1), range(d2)):
        assert moment(j, k, 1) == joint[j][k]
        second_moment = float(moment(j, k, 2))
        t = float(joint[j][k])
        assert population[j, k] ** 2 * 10 == pytest.approx(second_moment - t**2)
        # Given its truths a report has mean [x = j][y = k], so the squares of the means average to t.
        assert respondents[j, k] ** 2 * 10 == pytest.approx(second_moment - t)


def test_totals_of_products_are_all_that_is_needed_and_add_over_batches():
    generator = np.random.default_rng(17)
    first, second = generator.integers(0, 2, (60, 3)), generator.integers(-5, 9, (60, 4))
    law1 = indicator(Fraction(3, 4), Fraction(1, 5))
    law2 = laplace.moments({"flip": 2**51, "magnitude": [2**51, 2**50]}, 4)["sum"]
    whole = crosstab.products(first, second)
    assert np.array_equal(
        whole, crosstab.products(first[:20], second[:20]) + crosstab.products(first[20:], second[20:])
    )
    table = crosstab.cross(whole, first.sum(axis=0), second.sum(axis=0), 60, law1, law2)
    phi1 = (first - float(law1.b)) / float(law1.gap)
    phi2 = (second - float(law2.b)) / float(law2.gap)
    assert table.joint == pytest.approx(phi1.T @ phi2 / 60)
    assert table.rows == pytest.approx(phi1.mean(axis=0)) and table.columns == pytest.approx(phi2.mean(axis=0))


# Simulation -----------------------------------------------------------------------------------------------------------


def _channel(name, true, d, alpha, generator):
    if name == "randomized response":
        moments = randomized_response.moments(randomized_response.table(Fraction(alpha), d), d)["support"]
        return moments, EXCLUSIVE, simulation.randomized_response(true, d, moments, generator)
    moments = bitwise.moments(bitwise.table(Fraction(alpha), d), d)["support"]
    return moments, independent(moments), simulation.bits(true, d, moments, generator)


def _survey(name, joint, n, alpha, generator):
    """A crossed table of n simulated respondents, and what M13 says of pairs in both questions."""
    d1, d2 = joint.shape
    cells = generator.choice(d1 * d2, size=n, p=joint.ravel())
    law1, pair1, first = _channel(name, cells // d2, d1, alpha, generator)
    law2, pair2, second = _channel(name, cells % d2, d2, alpha, generator)
    totals = crosstab.products(first, second), first.sum(axis=0), second.sum(axis=0)
    return crosstab.cross(*totals, n, law1, law2), pair1, pair2


# 500 surveys. At coverage exactly .95 a cell covers fewer than 452 times for 7.7e-6 of all seeds, some 30 cells.
SURVEYS, COVERED_MIN = 500, 452
NAMES = ["randomized response", "bits"]


@pytest.mark.parametrize("n", [200, 2000])
@pytest.mark.parametrize("name", NAMES)
def test_intervals_of_joint_shares_and_of_subgroups_cover(name, n):
    generator = np.random.default_rng(18)
    covered, within = np.zeros(JOINT.shape), np.zeros(JOINT.shape[1])
    for _ in range(SURVEYS):
        table, _, _ = _survey(name, JOINT, n, 2, generator)
        found = np.array(crosstab.cell_intervals(table, 0.95, "population"))
        covered += (found[..., 0] <= JOINT) & (found[..., 1] >= JOINT)
        ends = np.array(crosstab.subgroup(table, 0, 0.95).intervals)
        truth = JOINT[0] / JOINT[0].sum()
        within += (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    assert covered.min() >= COVERED_MIN and within.min() >= COVERED_MIN


@pytest.mark.parametrize("name", NAMES)
def test_intervals_among_the_respondents_are_narrower_and_cover(name):
    generator, n = np.random.default_rng(19), 500
    people = np.repeat(np.arange(JOINT.size), np.round(JOINT.ravel() * n).astype(int))
    covered = np.zeros(JOINT.shape)
    for _ in range(SURVEYS):
        law1, _, first = _channel(name, people // 3, 2, 4, generator)
        law2, _, second = _channel(name, people % 3, 3, 4, generator)
        totals = crosstab.products(first, second), first.sum(axis=0), second.sum(axis=0)
        table = crosstab.cross(*totals, n, law1, law2)
        found = np.array(crosstab.cell_intervals(table, 0.95, "respondents"))
        covered += (found[..., 0] <= JOINT) & (found[..., 1] >= JOINT)
    assert covered.min() >= COVERED_MIN
    assert np.all(crosstab.standard_errors(table, "respondents") < crosstab.standard_errors(table, "population"))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_independence_is_rejected_as_often_as_promised_and_dependence_more_and_more(name):
    generator = np.random.default_rng(20)
    rejections = []
    for strength in (0.0, 0.3, 0.6):
        joint = np.outer([0.4, 0.6], [0.4, 0.1, 0.5])
        joint = (1 - strength) * joint + strength * np.array([[0.4, 0, 0], [0, 0.1, 0.5]])
        tests = [crosstab.independence(*_survey(name, joint, 1000, 2, generator)) for _ in range(SURVEYS)]
        assert {test.degrees for test in tests} == {2}
        rejections.append(sum(test.p_value <= 0.05 for test in tests))
    # At .05 fewer than 8 or more than 48 of 500 happens for 8e-6 of all seeds.
    assert 8 <= rejections[0] <= 48 and rejections[0] + 50 < rejections[1] < rejections[2]


def test_a_small_subgroup_carries_a_warning():
    generator = np.random.default_rng(21)
    joint = np.outer([0.02, 0.98], [0.5, 0.5])
    table, _, _ = _survey("randomized response", joint, 2000, 1, generator)
    assert crosstab.subgroup(table, 0, 0.95).too_small and not crosstab.subgroup(table, 1, 0.95).too_small


def test_shares_within_a_subgroup_of_one_choice_add_to_one():
    table, _, _ = _survey("randomized response", JOINT, 500, 1, np.random.default_rng(22))
    assert crosstab.subgroup(table, 1, 0.95).shares.sum() == pytest.approx(1)
    assert table.joint.sum() == pytest.approx(1)
