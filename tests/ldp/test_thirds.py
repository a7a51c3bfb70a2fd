"""Alpha, people and half-width from each other, curves by people, and splits of a total (M12, M19, M20, M27)."""

import itertools
import random
from fractions import Fraction

import pytest

from ldp import bounds, kinds
from ldp.exact import ALPHA_MAX, ALPHA_MIN
from ldp.kinds import KINDS, best
from ldp.kinds.protocol import Size
from ldp.mechanisms import FITTING, WITH_DELTA
from ldp.planning import budget, thirds
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
    """All hundredths are tried."""
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
    for point in thirds.curve(asked, Fraction(1), 100, 100_000, 5):
        found, option = planned(asked, Fraction(1), point.n)
        local = option.outlook.expected.simultaneous_half_width
        assert point.local == pytest.approx(local, rel=1e-12)
        assert point.curator == pytest.approx(found.trusted_curator.expected.simultaneous_half_width, rel=1e-12)
        assert point.without_privacy == pytest.approx(found.without_privacy.expected.simultaneous_half_width, rel=1e-12)
        assert point.bound is None or point.bound <= point.local


def test_the_bound_is_that_of_finite_n_for_two_answers_and_none_for_items_and_means():
    z = thirds.quantile(0.95)
    assert thirds.point(ASKED[0], Fraction(1), 50).bound == z * bounds.share_bound(1.0, 50) ** 0.5
    five = thirds.point(ASKED[1], Fraction(1), 50).bound
    assert five == thirds.quantile(0.95, 5) * (bounds.sharp_constant(1.0, 5) / 5 / 50) ** 0.5
    assert [thirds.point(asked, Fraction(1), 50).bound for asked in ASKED[5:]] == [None] * 3


# The best mechanism ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["yes_no", "single_choice", "ordered", "histogram", "mean"])
def test_the_mechanism_chosen_is_the_one_that_trying_all_of_them_chooses(kind):
    """The search stops at a mechanism that reaches the bound; the bound is right."""
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


def test_parts_in_proportion_add_up_exactly():
    chance = random.Random(2)
    for _ in range(300):
        alphas = [Fraction(chance.randint(100, 8000), 1000) for _ in range(chance.randint(1, 20))]
        total = sum(alphas) * Fraction(chance.randint(10**6, 2 * 10**6), 10**6)
        total = Fraction(int(total * 10**6), 10**6)
        split = budget.proportional(total, alphas)
        ratio = total / sum(alphas)
        assert sum(split) == total
        assert all(abs(part - ratio * alpha) < 2 * budget.UNIT for part, alpha in zip(split, alphas, strict=True))


@pytest.mark.parametrize(("total", "alphas"), [("0.02", (1, 100)), ("20", (1, 9))])
def test_no_part_is_one_that_a_question_cannot_have(total, alphas):
    with pytest.raises(ValueError, match="an alpha that it can have"):
        budget.proportional(Fraction(total), [Fraction(alpha) for alpha in alphas])
