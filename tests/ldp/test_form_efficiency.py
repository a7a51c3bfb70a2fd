"""The bound for a survey under one alpha (M48). Enumeration gives the best of all channels. Product subsets reach it.
Nothing exceeds the proved bound."""

import math
from itertools import product

import numpy as np
import pytest

from ldp.bounds import sharp_constant
from ldp.forms import efficiency
from ldp.forms.columns import SurveyColumns, best_alone, bundles, factor, keep_chance
from ldp.forms.efficiency import bound

ALPHAS = (0.5, 1.0, 2.0, 4.0)
FEW = [(2, 2), (2, 3), (3, 3), (2, 2, 3), (3, 4), (2, 5), (2, 2, 2, 2), (4, 4)]
MANY = [(5, 5), (3, 3, 3), (2, 4, 5), (2,) * 10, (5,) * 10, (2, 2, 4, 5, 5, 6, 6)]

# The largest B over all channels of up to four yes/no questions in the units of M36b, found by enumeration.
BEST = {0.5: 0.0600, 1: 0.2136, 1.5: 0.4331, 2: 0.7564, 3: 1.4896, 4: 2.3723}


def shares_told(alpha, sizes, f):
    """Return I_j/best_j of each question for each row f, from the derivatives of a report's chance."""
    answers = np.array(list(product(*map(range, sizes))))
    gamma, told = f.mean(axis=1), []
    for j, d in enumerate(sizes):
        means = np.stack([f[:, answers[:, j] == k].mean(axis=1) for k in range(d)], axis=1)
        slopes = math.expm1(alpha) * (means - gamma[:, None])
        trace = (slopes**2).sum(axis=1) / (1 + math.expm1(alpha) * gamma) ** 2
        told.append(d / (d - 1) ** 2 * trace / best_alone(alpha, d))
    return np.stack(told, axis=1)


def least_mean(alpha, sizes, importance=()):
    weights = importance or [1.0] * len(sizes)
    return efficiency.least_mean(alpha, tuple(zip(sizes, weights, strict=True)))


def product_subsets(alpha, sizes):
    """Return the largest sum of I_j/best_j over all sizes of all questions. A question outside a form has none."""
    best = 0.0
    for listed in product(*(range(1, d + 1) for d in sizes)):
        keep = keep_chance(alpha, math.prod(d / a for d, a in zip(sizes, listed, strict=True)))
        each = [keep**2 * factor(d, a) / best_alone(alpha, d) for d, a in zip(sizes, listed, strict=True) if a < d]
        best = max(best, math.fsum(each))
    return best


@pytest.mark.parametrize("sizes", FEW)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_of_few_combinations_the_best_of_all_channels_is_a_product_subset(sizes, alpha):
    every = np.array(list(product((0.0, 1.0), repeat=math.prod(sizes))))[1:-1]
    best = shares_told(alpha, sizes, every).sum(axis=1).max()
    found = bound(alpha, sizes)
    assert found.how == "enumerated" and found.value == found.at_most == pytest.approx(best, rel=1e-9)
    assert product_subsets(alpha, sizes) == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("sizes", MANY)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_of_more_no_better_channel_than_a_product_subset_is_found(sizes, alpha):
    found = bound(alpha, sizes)
    assert found.how == "searched" and found.value <= found.at_most
    if math.prod(sizes) <= 2000:
        assert found.value == pytest.approx(product_subsets(alpha, sizes), rel=1e-9)


@pytest.mark.parametrize("sizes", [*FEW, (5, 5), (3, 3, 3), (2, 4, 5)])
@pytest.mark.parametrize("alpha", ALPHAS)
def test_nothing_exceeds_what_is_proved(sizes, alpha):
    chance = np.random.default_rng(48)
    some = chance.random((4000, math.prod(sizes))) < chance.random((4000, 1))
    between = chance.beta(0.3, 0.3, size=(1000, math.prod(sizes)))
    survey = SurveyColumns(alpha, tuple((d, 1.0) for d in sizes))
    for weights in (np.ones(len(survey.kinds)), chance.random(len(survey.kinds))):
        each = [weights[survey.kinds.index((d, 1.0))] for d in sizes]
        most = survey.at_most(weights) * (1 + 1e-9)
        for f in (some, between):
            f = f[(f.mean(axis=1) > 0) & (f.mean(axis=1) < 1)]
            assert (shares_told(alpha, sizes, f) @ each).max() <= most
        assert survey.best(weights) @ weights <= most


@pytest.mark.parametrize("questions", [2, 3, 4])
@pytest.mark.parametrize("alpha", BEST)
def test_of_up_to_four_yes_no_questions_it_is_that_of_a_joint_form(questions, alpha):
    joint = max(t * keep_chance(alpha, 2**t) ** 2 for t in range(1, questions + 1))
    assert bound(alpha, (2,) * questions).value * best_alone(alpha, 2) / 4 == pytest.approx(joint)
    if questions == 4:
        assert joint == pytest.approx(BEST[alpha], abs=5e-5)


@pytest.mark.parametrize(
    ("alpha", "ratio"), [(0.25, 1.02), (0.5, 1.06), (1, 1.27), (1.5, 1.44), (2, 1.39), (4, 1.40), (10, 1.39)]
)
def test_many_yes_no_questions_are_within_a_factor_of_what_is_proved(alpha, ratio):
    found = bound(alpha, (2,) * 40)
    assert found.at_most / found.value == pytest.approx(ratio, abs=0.006)


def test_questions_with_several_options_need_proportionally_more_people_whatever_the_method():
    """Ten questions of five options at a total of 2 need at least 9.1 times the people of one; forms need 10 times."""
    assert bound(2.0, (5,) * 10).at_most == pytest.approx(1.097, abs=0.001)
    least = least_mean(2.0, (5,) * 10)
    assert least.at_least == pytest.approx(9.11, abs=0.01) and least.value == pytest.approx(10)


def test_for_one_question_it_is_the_sharp_constant():
    for alpha, d in product((0.1, 1.0, 4.0, 16.0), (2, 3, 7)):
        assert bound(alpha, (d,)).value == pytest.approx(1) and bound(alpha, (d,)).how == "proved"
        assert 1 / best_alone(alpha, d) == pytest.approx(sharp_constant(alpha, d) / d)


@pytest.mark.parametrize("sizes", [(2, 2, 3), (2, 3), (2, 5), (2, 4, 5), (2, 2, 4, 5, 5, 6, 6), (3, 4, 5, 6, 6)])
@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_least_mean_is_no_less_than_that_of_the_sum_and_is_reached_by_columns(sizes, alpha):
    least = least_mean(alpha, sizes)
    assert least.at_least <= least.value * (1 + 1e-9)
    assert len(sizes) / bound(alpha, sizes).value <= least.value * (1 + 1e-6)
    alone = [least.value / len(sizes) / best_alone(alpha, d) for d in sizes]
    assert efficiency.efficiency(alpha, sizes, [len(sizes) * each for each in alone]).value == pytest.approx(1)


def test_a_survey_of_pairs_has_the_efficiency_of_its_own_information():
    keep = keep_chance(2.0, 4)
    own = efficiency.efficiency(2.0, [2] * 20, [20 / 2 / (4 * keep**2)] * 20)
    assert own.value == pytest.approx(1) and own.at_least == pytest.approx(0.7205, abs=1e-3)
    asked_all = efficiency.efficiency(2.0, [2] * 20, [1 / (4 * math.tanh(0.05) ** 2)] * 20)
    assert asked_all.at_least == pytest.approx(0.048, abs=0.001)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_what_is_twice_as_important_counts_twice(alpha):
    """Two alike questions have importance 1 and 3. No weights of all channels have a mean below the enumerated one."""
    least, every = least_mean(alpha, (2, 2), (1.0, 3.0)), np.array(list(product((0.0, 1.0), repeat=4)))[1:-1]
    told = shares_told(alpha, (2, 2), every)
    chance = np.random.default_rng(3)
    means = [(np.array([1, 3]) / (chance.dirichlet(np.full(len(told), 0.1)) @ told)).sum() / 4 for _ in range(2000)]
    assert min(means) >= least.value * (1 - 1e-9)
    alike = least_mean(alpha, (2, 2))
    assert least.value <= alike.value and least.value == pytest.approx(least_mean(alpha, (2, 2), (2.0, 6.0)).value)


@pytest.mark.parametrize("count", range(1, 201))
def test_bundles_make_up_every_number_of_questions_in_few_steps(count):
    sizes = bundles(count)
    assert {sum(chosen) for chosen in product(*((0, size) for size in sizes))} == set(range(count + 1))
    assert len(sizes) <= 4 + max(0, math.ceil(math.log2(count / 4)))
