"""Alpha, people and half-width from each other, curves against people, and splits of a total (M12, M19, M20, M27)."""

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest

from ldp import bounds, kinds
from ldp.exact import ALPHA_MAX, ALPHA_MIN
from ldp.kinds import KINDS, best
from ldp.kinds.protocol import Size
from ldp.mechanisms import FITTING, WITH_DELTA
from ldp.planning import budget, curves, thirds, weights
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.plans import plan

ASKED = [
    PlannedQuestion("yes_no", Size(2)),
    PlannedQuestion("single_choice", Size(5)),
    PlannedQuestion("single_choice", Size(40)),
    PlannedQuestion("ordered", Size(4), "exponential"),
    PlannedQuestion("histogram", Size(12), "laplace"),
    PlannedQuestion("mean", Size(0)),
    PlannedQuestion("multiple_choice", Size(6, 1, 2)),
    PlannedQuestion("grid", Size(3, 4, 1)),
]
NAMES = [f"{asked.kind} {asked.size.d} {asked.mechanism or ''}".strip() for asked in ASKED]
every_kind = pytest.mark.parametrize("asked", ASKED, ids=NAMES)


def planned(asked, alpha, n, wished=None):
    found = plan(asked.kind, asked.size.d, alpha, n, wished, items=asked.size.items, sample=asked.size.sample)
    name = asked.mechanism or found.options[0].mechanism
    return found, next(option for option in found.options if option.mechanism == name)


# Any two give the third -----------------------------------------------------------------------------------------------


@every_kind
@pytest.mark.parametrize(("alpha", "n"), [("0.5", 300), ("2", 5000)])
def test_the_half_width_and_the_people_are_those_of_the_plan(asked, alpha, n):
    wished = 0.06
    _, option = planned(asked, Fraction(alpha), n, wished)
    expected = option.outlook.expected
    assert thirds.half_width(asked, Fraction(alpha), n) == pytest.approx(expected.simultaneous_half_width, rel=1e-12)
    assert thirds.people(asked, Fraction(alpha), wished) == expected.n_needed_simultaneous


@every_kind
def test_so_many_people_are_just_enough_and_no_number_is_said_where_none_is(asked):
    for wished in (0.4, 0.05, 0.001):
        n = thirds.people(asked, Fraction(1), wished)
        assert thirds.half_width(asked, Fraction(1), n) <= wished
        assert n == 1 or thirds.half_width(asked, Fraction(1), n - 1) > wished
    assert thirds.people(asked, ALPHA_MIN, 1e-6) is None


@pytest.mark.parametrize("asked", [ASKED[0], ASKED[1], ASKED[6], ASKED[7]], ids=lambda asked: asked.kind)
@pytest.mark.parametrize("wished", [0.3, 0.08])
def test_the_alpha_is_the_least_hundredth_that_reaches_the_width(asked, wished):
    """By trying all of them."""
    enough = [k for k in range(1, 1601) if thirds.half_width(asked, Fraction(k, 100), 2000) <= wished]
    assert enough == list(range(enough[0], 1601))
    assert thirds.alpha(asked, 2000, wished) == Fraction(enough[0], 100)


def test_no_alpha_is_said_where_none_is_enough():
    assert thirds.alpha(ASKED[0], 100, 0.001) is None
    reached = thirds.alpha(ASKED[0], 2000, 0.05)
    assert thirds.alpha(ASKED[0], 2000, 0.05, most=reached) == reached
    assert thirds.alpha(ASKED[0], 2000, 0.05, most=reached - Fraction(1, 100)) is None


# Curves ---------------------------------------------------------------------------------------------------------------


@every_kind
def test_a_point_of_the_curve_is_the_plan_for_so_many_people(asked):
    for point in curves.curve(asked, Fraction(1), 100, 100_000, 5):
        found, option = planned(asked, Fraction(1), point.n)
        local = option.outlook.expected.simultaneous_half_width
        assert point.local == pytest.approx(local, rel=1e-12)
        assert point.curator == pytest.approx(found.trusted_curator.expected.simultaneous_half_width, rel=1e-12)
        assert point.without_privacy == pytest.approx(found.without_privacy.expected.simultaneous_half_width, rel=1e-12)
        assert point.bound is None or point.bound <= point.local


def test_the_bound_is_that_of_finite_n_for_two_answers_and_none_for_items_and_means():
    z = thirds.quantile(0.95, 2)
    assert curves.point(ASKED[0], Fraction(1), 50).bound == z * bounds.share_bound(1.0, 50) ** 0.5
    five = curves.point(ASKED[1], Fraction(1), 50).bound
    assert five == thirds.quantile(0.95, 5) * (bounds.sharp_constant(1.0, 5) / 5 / 50) ** 0.5
    assert [curves.point(asked, Fraction(1), 50).bound for asked in ASKED[5:]] == [None] * 3


# The best mechanism ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["yes_no", "single_choice", "ordered", "histogram", "mean"])
def test_the_mechanism_chosen_is_the_one_that_trying_all_of_them_chooses(kind):
    """The search stops where a bound is reached; the bound is one."""
    for d, alpha in itertools.product((2, 3, 5, 9, 20), (Fraction(1, 10), Fraction(1), Fraction(7, 2), Fraction(9))):
        names = [name for name in FITTING[kind] if name not in WITH_DELTA]
        errors = {name: kinds._error(kind, name, alpha, d) for name in names}
        least = min(errors.values())
        assert best(kind, alpha, d) == next(name for name in names if errors[name] <= least * (1 + 1e-6))
        assert KINDS[kind].least_error(float(alpha), d) <= least * (1 + 1e-9)


# Splits ---------------------------------------------------------------------------------------------------------------


def test_an_equal_split_adds_up_exactly_and_no_two_differ_by_more_than_a_thousandth():
    chance = random.Random(1)
    for _ in range(300):
        questions = chance.randint(1, 200)
        total = Fraction(chance.randint(questions * 10**4, questions * 16 * 10**6), 10**6)
        split = budget.equal(total, questions)
        assert sum(split) == total and len(split) == questions
        assert all(ALPHA_MIN <= alpha <= ALPHA_MAX for alpha in split)
        assert max(split) - min(split) < 2 * budget.UNIT
    assert budget.equal(Fraction(4), 3) == [Fraction(1334, 1000), Fraction(1333, 1000), Fraction(1333, 1000)]


@pytest.mark.parametrize("total", [Fraction(1, 100), Fraction(33)])
def test_a_total_that_cannot_be_shared_is_refused(total):
    with pytest.raises(ValueError, match=r"0\.02 to 32"):
        budget.equal(total, 2)


def test_the_smooth_constant_is_convex_and_below_the_sharp_one_by_little():
    alphas = np.linspace(0.01, 16, 3200)
    for d in (2, 3, 4, 5, 10, 100):
        smooth = weights.smooth_constant(alphas, d)
        sharp = np.array([bounds.sharp_constant(float(alpha), d) for alpha in alphas])
        ratio = smooth / sharp
        assert ratio.max() <= 1 + 1e-9 and ratio.min() >= (1 - 1e-9 if d < 4 else 0.92)
        assert np.all(np.diff(smooth, 2) >= -1e-9 * smooth[1:-1])


@pytest.mark.parametrize("units", [4, 9, 14])
def test_no_split_in_units_has_a_smaller_weighted_sum(units):
    """By trying all of them, in units of one half."""
    half = Fraction(1, 2)
    parts = [weights.Part(1, 2), weights.Part(3, 5), weights.Part(1, 2, 2, 3.0)]

    def risk(split):
        return sum(float(part.risk(float(alpha))) for part, alpha in zip(parts, split, strict=True))

    every = [[k * half for k in split] for split in itertools.product(range(1, 33), repeat=3) if sum(split) == units]
    found = weights.by_weight(units * half, parts, half)
    assert sum(found) == units * half
    assert risk(found) == pytest.approx(min(map(risk, every)), rel=1e-12)


def test_a_split_by_weight_adds_up_exactly_and_gives_equal_questions_the_same():
    chance = random.Random(2)
    for questions in (1, 2, 7, 200):
        asked = [chance.choice(ASKED) for _ in range(questions)]
        parts = [weights.part(each, chance.choice([0.5, 1, 2])) for each in asked]
        for total in (Fraction(questions, 100), Fraction("3.333333") + questions, 16 * questions):
            split = weights.by_weight(Fraction(total), parts)
            assert sum(split) == total and all(ALPHA_MIN <= alpha <= ALPHA_MAX for alpha in split)
    twice = weights.by_weight(Fraction(4), [weights.Part(1, 5), weights.Part(2, 5), weights.Part(1, 5)])
    assert twice[0] == twice[2] < twice[1]


def test_a_split_by_width_adds_up_exactly_and_stretches_every_wish_alike():
    wishes = [
        budget.Wish(asked, width)
        for asked, width in zip(ASKED[:3] + ASKED[6:], (0.03, 0.1, 0.1, 0.3, 0.2), strict=True)
    ]
    for total in (Fraction(3), Fraction("7.777777"), Fraction(40)):
        found = budget.by_width(total, wishes, 2000)
        assert sum(found.alphas) == total
        ratios = [
            thirds.half_width(wish.question, alpha, 2000) / wish.half_width
            for wish, alpha in zip(wishes, found.alphas, strict=True)
        ]
        assert max(ratios) <= found.stretch
        less = [thirds.alpha(wish.question, 2000, 0.998 * found.stretch * wish.half_width) for wish in wishes]
        assert None in less or sum(less) > total
    needed = [thirds.alpha(wish.question, 2000, wish.half_width) for wish in wishes]
    assert found.needed == sum(needed)


def test_a_split_by_width_is_made_where_no_alpha_is_enough_and_where_any_is():
    impossible = [budget.Wish(ASKED[0], 1e-6), budget.Wish(ASKED[1], 0.1)]
    found = budget.by_width(Fraction(2), impossible, 500)
    assert sum(found.alphas) == 2 and found.needed is None and found.stretch > 1
    easy = budget.by_width(Fraction(32), [budget.Wish(ASKED[0], 0.5)] * 2, 10**6)
    assert easy.alphas == [ALPHA_MAX, ALPHA_MAX] and easy.stretch < 1


STATED = [(8, 4, 8, 4.17), (8, 4, 2, 1.72), (20, 4, 20, 25.2), (20, 4, 2, 4.31), (8, 8, 8, 1.17), (8, 8, 4, 0.86)]


@pytest.mark.parametrize(("questions", "total", "sample", "factor"), STATED)
def test_blind_samples_have_the_variances_that_m27_states(questions, total, sample, factor):
    assert float(f"{budget.blind_factor(questions, sample, total):.3g}") == pytest.approx(factor, abs=0.006)
    assert budget.best_sample(questions, total) in (2, 4)


def test_a_blind_sample_of_all_is_the_plan_of_yes_no_questions():
    """Each gets total/Q."""
    one = curves.point(ASKED[0], Fraction(1, 2), 10**6).local
    factor = budget.blind_factor(8, 8, 4.0)
    assert thirds.quantile(0.95, 2) * (factor / 10**6) ** 0.5 == pytest.approx(one, rel=0.002)
