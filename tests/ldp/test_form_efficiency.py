"""The bound for a whole survey under one alpha (M36b): nobody can beat it, and joint forms are near it."""

import math
from itertools import product

import numpy as np
import pytest

from ldp.forms import efficiency

# The largest B over all channels of up to four yes/no questions, found by enumeration.
BEST = {0.5: 0.0600, 1: 0.2136, 1.5: 0.4331, 2: 0.7564, 3: 1.4896, 4: 2.3723}


def every_channel(questions, alpha):
    """B of every 0/1-valued f on {-1, 1}^Q, where the maximum lies: a norm over an affine function."""
    points = np.array(list(product((-1, 1), repeat=questions)))
    size = len(points)
    f = np.arange(1 << size)[:, None] >> np.arange(size) & 1
    weight = ((f @ points / size) ** 2).sum(axis=1)
    return math.expm1(alpha) ** 2 * weight / (1 + math.expm1(alpha) * f.mean(axis=1)) ** 2


@pytest.mark.parametrize("questions", [2, 3, 4])
@pytest.mark.parametrize("alpha", BEST)
def test_of_up_to_four_questions_the_best_of_all_channels_is_a_joint_form(questions, alpha):
    best = every_channel(questions, alpha).max()
    joint = max(efficiency.joint_information(alpha, t) for t in range(1, questions + 1))
    assert best == pytest.approx(joint, rel=1e-12)
    assert best <= efficiency.bound(alpha, questions) * (1 + 1e-9)
    if questions == 4:
        assert best == pytest.approx(BEST[alpha], abs=5e-5)


@pytest.mark.parametrize("questions", [2, 3])
def test_no_channel_with_values_between_is_better(questions):
    points, chance = np.array(list(product((-1, 1), repeat=questions))), np.random.default_rng(1)
    for alpha in (0.5, 2.0, 6.0):
        f = chance.beta(0.3, 0.3, size=(20_000, len(points)))
        weight = ((f @ points / len(points)) ** 2).sum(axis=1)
        values = math.expm1(alpha) ** 2 * weight / (1 + math.expm1(alpha) * f.mean(axis=1)) ** 2
        assert values.max() <= every_channel(questions, alpha).max() * (1 + 1e-12)


@pytest.mark.parametrize("questions", [1, 2, 3, 4])
def test_every_ingredient_of_the_bound_holds_for_every_channel(questions):
    points = np.array(list(product((-1, 1), repeat=questions)))
    f = np.arange(1 << len(points))[:, None] >> np.arange(len(points)) & 1
    gamma = f.mean(axis=1)
    weight, least = ((f @ points / len(points)) ** 2).sum(axis=1), np.minimum(gamma, 1 - gamma)
    assert (weight <= gamma * (1 - gamma) + 1e-12).all()
    assert (weight <= questions * least**2 + 1e-12).all()
    some = least > 0
    assert (weight[some] <= 2 * least[some] ** 2 * np.log(1 / least[some]) + 1e-12).all()


def test_for_one_question_it_is_randomized_response():
    for alpha in (0.1, 1.0, 4.0, 16.0):
        assert efficiency.bound(alpha, 1) == pytest.approx(math.tanh(alpha / 2) ** 2, rel=1e-9)


@pytest.mark.parametrize(
    ("alpha", "ratio"), [(0.25, 1.02), (0.5, 1.06), (1, 1.27), (1.5, 1.44), (2, 1.39), (3, 1.40), (4, 1.40), (10, 1.39)]
)
def test_joint_forms_are_within_44_percent_of_the_bound_at_every_alpha(alpha, ratio):
    joint = max(efficiency.joint_information(alpha, t) for t in range(1, 41))
    assert efficiency.bound(alpha, 40) / joint == pytest.approx(ratio, abs=0.006)


def test_the_search_finds_the_largest_value():
    for alpha, questions in product((0.1, 1.0, 3.0, 9.0, 16.0), (1, 2, 5, 20, 200)):
        gamma = np.geomspace(1e-9, 0.5, 200_001)
        weight = np.minimum.reduce(
            [gamma * (1 - gamma), questions * gamma**2, -2 * gamma**2 * np.log(gamma)],
        )
        largest = (math.expm1(alpha) ** 2 * weight / (1 + math.expm1(alpha) * gamma) ** 2).max()
        assert largest * (1 - 1e-12) <= efficiency.bound(alpha, questions) <= largest * (1 + 1e-4)


def test_a_survey_of_joint_forms_has_the_efficiency_of_its_own_information():
    alpha, t, questions = 2.0, 2, 20
    keep = math.expm1(alpha) / (math.expm1(alpha) + 4)
    own = efficiency.efficiency(alpha, [questions / t / (4 * keep**2)] * questions)
    assert own == pytest.approx(efficiency.joint_information(alpha, t) / efficiency.bound(alpha, questions))
    asked_all = efficiency.efficiency(alpha, [1 / (4 * math.tanh(alpha / questions / 2) ** 2)] * questions)
    assert asked_all < own / 15 < 0.05


def test_how_many_questions_a_joint_form_has_best():
    assert [efficiency.best_joint(alpha, 20) for alpha in (1, 2, 3, 4, 8)] == [1, 2, 3, 4, 8]
    assert efficiency.best_joint(8, 3) == 3
