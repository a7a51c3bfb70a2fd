"""Plans for known shares, weights, subgroups and waves agree with simulated surveys."""

from fractions import Fraction

import numpy as np
import pytest

from benchmarks.crossings_coverage import question, sent
from ldp import subgroup_comparisons
from ldp.forms.crossed import of_reports
from ldp.forms.joint_crossing import JointCrossing
from ldp.honesty.known import difference
from ldp.inference import intervals
from ldp.inference.reading import moved
from ldp.inference.tallied import Tallied
from ldp.inference.variables import variable
from ldp.mechanisms import of
from ldp.planning import expectation, groups, known, waves
from ldp.planning.arms import Arm
from ldp.planning.associations import of_ways
from ldp.planning.expectation import Way
from ldp.planning.groups import Planned
from ldp.regression import expectation as expected_reports
from ldp.weighting import margin, raking
from tests.ldp.test_planned_regressions import counted, reported, together

WHOLE = Fraction(1)
MECHANISMS = ["randomized_response", "bitwise", "randomized_response 2", "exponential", "laplace"]


def asked(mechanism, d, alpha, key="a"):
    return question(key, mechanism, d, alpha)


def found(own, shares, n, generator) -> Tallied:
    """Return the totals of n people with these shares of answers."""
    answers, (name, moments) = generator.choice(len(shares), n, p=shares), of(own).default()
    scores = variable([own], own["key"]).symbols(sent(own, answers, generator))
    return Tallied(moments, of(own).pairs().get(name), scores.sum(axis=0).tolist(), n)


# Known shares ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize(("true", "departure"), [(0.3, 0.1), (0.05, 0.12)])
def test_the_chance_to_show_a_departure_from_a_known_share_is_that_of_simulated_surveys(
    mechanism, true, departure, length
):
    own, generator, n = asked(mechanism, 3, "2"), np.random.default_rng(5), 400
    planned = known.power(Arm(own, WHOLE), true, departure, n)
    shown = []
    for signed in known.departures(true, departure):
        shares = np.array([true + signed, *[(1 - true - signed) / 2] * 2])
        surveys = [found(own, shares, n, generator) for _ in range(length.surveys)]
        spans = [difference(float(each.shares[0]), each.interval(0, 0.95, "population"), true) for each in surveys]
        shown.append(sum(each.direction == np.sign(signed) for each in spans) / length.surveys)
    assert 0.2 < planned < 0.99 and abs(planned - min(shown)) < length.near


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_as_many_people_as_a_departure_needs_are_enough_and_a_few_less_are_not(mechanism):
    one = Arm(asked(mechanism, 3, "1"), Fraction(1, 3))
    n = known.needed(one, 0.4, 0.1)
    assert known.power(one, 0.4, 0.1, n) >= 0.8 > known.power(one, 0.4, 0.1, n - 3)
    least = known.smallest(one, 0.4, n)
    assert least == pytest.approx(0.1) and known.power(one, 0.4, least - known.STEP, n) < 0.8
    assert known.smallest(one, 0.4, 2) is None


def test_a_part_of_the_people_counts_as_a_part_and_impossible_shares_are_refused():
    own = asked("randomized_response", 2, "1")
    whole, third = (known.power(Arm(own, part), 0.5, 0.1, n) for part, n in ((WHOLE, 1000), (Fraction(1, 3), 3000)))
    assert whole == pytest.approx(third, abs=1e-3)
    assert known.departures(0.05, 0.1) == [0.1] and known.departures(0.5, 0.6) == []
    with pytest.raises(ValueError, match="from 0 to 1"):
        known.design(Arm(own, WHOLE), 1.5)
    with pytest.raises(ValueError, match="departs so much"):
        known.power(Arm(own, WHOLE), 0.5, 0.6, 1000)


# Waves ----------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(
    ("now", "before", "d", "change", "n", "ratio", "many"),
    [
        (("randomized_response", "2"), ("randomized_response", "1"), 2, 0.15, 900, 2.0, 4),
        (("randomized_response 2", "2"), ("bitwise", "2"), 4, 0.25, 1000, 0.5, 16),
        (("laplace", "2"), ("laplace", "2"), 3, 0.2, 900, 1.0, 6),
    ],
    ids=str,
)
def test_the_chance_to_show_a_change_from_wave_to_wave_is_that_of_simulated_surveys(
    now, before, d, change, n, ratio, many, length
):
    generator = np.random.default_rng(6)
    own, earlier = asked(now[0], d, now[1]), asked(before[0], d, before[1])
    planned = waves.power(waves.design(Arm(own, WHOLE), Arm(earlier, WHOLE), ratio, 0.4), change, n, many)
    level, shown = intervals.bonferroni(0.95, many), 0
    for _ in range(length.surveys):
        waved = []
        for each, share, people in ((own, 0.4 + change / 2, n), (earlier, 0.4 - change / 2, round(n * ratio))):
            shares = np.array([share, *[(1 - share) / (d - 1)] * (d - 1)])
            one = found(each, shares, people, generator)
            span = one.interval(0, level, "population")
            waved.append(moved.PublishedShare(float(one.shares[0]), span, moved.sampled(one, 0, span)))
        shown += moved.interval(waved[1], waved[0]).low > 0
    assert 0.2 < planned < 0.97 and abs(planned - shown / length.surveys) < length.near


def test_the_smallest_change_shows_and_one_a_step_smaller_does_not():
    arm = Arm(asked("randomized_response", 2, "1"), WHOLE)
    planned = waves.design(arm, arm, 1.0)
    least = waves.smallest(planned, 2000, 4)
    assert waves.power(planned, least, 2000, 4) >= 0.8 > waves.power(planned, least - waves.STEP, 2000, 4)
    assert waves.smallest(planned, 10, 4) is None
    assert waves.smallest(waves.design(arm, arm, 2.0), 2000, 4) < least


# Subgroups ------------------------------------------------------------------------------------------------------------


GROUPS = [
    (("randomized_response", "randomized_response"), (2, 2), "2", 0.2, 1300, 0.5),
    (("randomized_response", "bitwise"), (3, 4), "3", 0.3, 1200, 0.2),
    (("exponential", "randomized_response 2"), (3, 3), "3", 0.3, 2500, 0.3),
    (("bitwise", "randomized_response"), (3, 2), "2", 0.3, 2500, 0.2),
    (("laplace", "randomized_response"), (2, 2), "4", 0.3, 400, 0.2),
]


def planned_groups(own, shape, gap, size):
    law = groups.law(groups.sizes(shape[0], size), shape[1], gap)
    return Planned(of_ways([Way(1, *own)]), law, shape[0] * shape[1])


def shown_by(crossing, many):
    if crossing.too_small[0][:2].any():
        return False
    [[difference]] = subgroup_comparisons.differences(crossing, [(0, 1)], [0])
    return bool(difference.interval(intervals.bonferroni(0.95, many)).low > 0)


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(("mechanisms", "shape", "alpha", "gap", "n", "size"), GROUPS, ids=str)
def test_the_chance_to_show_a_difference_between_groups_is_that_of_simulated_surveys(
    mechanisms, shape, alpha, gap, n, size, length
):
    generator = np.random.default_rng(7)
    own = [variable([question(key, name, d, alpha)], key) for key, name, d in zip("ab", mechanisms, shape, strict=True)]
    planned, shown = planned_groups(own, shape, gap, size), 0
    for _ in range(length.surveys):
        people = np.unravel_index(generator.choice(planned.law.size, n, p=planned.law.ravel()), shape)
        columns = tuple(sent(each.question, x, generator) for each, x in zip(own, people, strict=True))
        shown += shown_by(of_reports(*own, [columns]), planned.together)
    assert planned.difference == pytest.approx(gap)
    assert 0.3 < planned.chance(n) < 0.97 and abs(planned.chance(n) - shown / length.surveys) < length.near


def test_so_it_is_where_both_share_a_draw():
    form, generator, surveys, n = together("2"), np.random.default_rng(8), 400, 3000
    own = [form.outcome, form.covariate]
    planned, shown = planned_groups(own, (2, 2), 0.2, 0.4), 0
    for _ in range(surveys):
        sample = counted(form, planned.law, n, generator)
        shown += shown_by(JointCrossing(*own, sample.tally.pair(0, 1)), planned.together)
    assert 0.3 < planned.chance(n) < 0.97 and abs(planned.chance(n) - shown / surveys) < 0.03 + 2 * 0.024


def test_the_people_and_the_size_of_a_group_that_would_do_are_enough_and_less_is_not():
    own = [variable([question(key, "randomized_response", 2, "2")], key) for key in "ab"]
    planned = planned_groups(own, (2, 2), 0.2, 0.5)
    n = planned.needed()
    assert planned.chance(n) >= 0.8 > planned.chance(int(n * 0.88))
    least = groups.smallest_group(of_ways([Way(1, *own)]), (2, 2), 0.2, 2 * n, planned.together)
    assert 0 < least < 0.5
    assert planned_groups(own, (2, 2), 0.2, least).chance(2 * n) >= 0.8
    assert planned_groups(own, (2, 2), 0.2, least - groups.STEP).chance(2 * n) < 0.8
    assert groups.smallest_group(of_ways([Way(1, *own)]), (2, 2), 0.2, n // 2, planned.together) is None


def test_the_law_of_groups_is_the_one_that_was_meant():
    law = groups.law(groups.sizes(3, 0.2), 4, 0.3)
    assert law.sum(axis=1) == pytest.approx([0.2, 0.4, 0.4]) and law.sum() == pytest.approx(1)
    within = law / law.sum(axis=1)[:, None]
    assert within[0, 0] - within[1, 0] == pytest.approx(0.3) and within[2] == pytest.approx([0.25] * 4)
    assert groups.law([0.5, 0.5], 2, 1.0)[0] == pytest.approx([0.5, 0])
    with pytest.raises(ValueError, match="above 0"):
        groups.law([0.5, 0.5], 2, 0.0)


# Weights --------------------------------------------------------------------------------------------------------------


KNOWN = (0.6, 0.3, 0.1)
LAW = np.full((3, 2), 1 / 6)


def simulated(weigh, surveys=1500):
    """Return the standard deviations of the first weighted share and of the unweighted one."""
    made = [weigh() for _ in range(surveys)]
    return [float(np.std([getattr(each, name)[0] for each in made])) for name in ("estimates", "unweighted")]


@pytest.mark.parametrize("mechanisms", [("randomized_response", "bitwise"), ("bitwise", "randomized_response")])
def test_what_weighting_will_cost_is_what_it_costs_in_simulated_surveys(mechanisms):
    """The standard deviation of 1,500 surveys has an error of 2%, and so has half of the design effect."""
    own = [variable([question(k, name, d, "2")], k) for k, name, d in zip("ab", mechanisms, (3, 2), strict=True)]
    n, generator = 4000, np.random.default_rng(9)
    planned = margin.weighted(expectation.apart(*own, LAW), KNOWN, n)

    def weigh():
        people = np.unravel_index(generator.choice(6, n, p=LAW.ravel()), LAW.shape)
        columns = tuple(sent(each.question, x, generator) for each, x in zip(own, people, strict=True))
        return margin.weighted(of_reports(*own, [columns]), KNOWN)

    deviation, unweighted = simulated(weigh)
    assert planned.standard_errors[0] == pytest.approx(deviation, rel=0.06)
    assert planned.design_effects[0] == pytest.approx((deviation / unweighted) ** 2, rel=0.12)
    assert planned.effective_n[0] == pytest.approx(0.25 / deviation**2, rel=0.12)
    assert abs(1.96 * planned.standard_errors[0] - 1.96 * deviation) < 0.03


def test_of_several_margins_too_and_where_both_share_a_draw():
    own = [
        variable([question(key, "randomized_response", d, "3")], key) for key, d in zip("abc", (2, 2, 2), strict=True)
    ]
    law, n, generator = np.full((2, 2, 2), 1 / 8), 5000, np.random.default_rng(10)
    margins = [(0.6, 0.4), (0.7, 0.3)]
    planned = raking.raked(expected_reports.apart(law, own), own, margins, n)
    deviation, unweighted = simulated(lambda: raking.raked(reported(own, law, n, generator), own, margins), 500)
    assert planned.standard_errors[0] == pytest.approx(deviation, rel=0.1)
    assert planned.design_effects[0] == pytest.approx((deviation / unweighted) ** 2, rel=0.2)


def test_so_many_reports_are_judged_as_if_they_had_come():
    """The present number of reports changes nothing. With fewer, strata are too small, and the error has the number."""
    own = [variable([question(key, "randomized_response", d, "2")], key) for key, d in zip("ab", (3, 2), strict=True)]
    expected = expectation.apart(*own, LAW)
    same, plain = margin.weighted(expected, KNOWN, expected.n), margin.weighted(expected, KNOWN)
    assert same.laws == plain.laws and same.design_effects == plain.design_effects
    with pytest.raises(margin.TooFewStrata) as refused:
        margin.weighted(expected, KNOWN, 60)
    enough = max(refused.value.needed.values())
    assert margin.weighted(expected, KNOWN, enough).n == enough
    one = expected_reports.apart(LAW, own)
    with pytest.raises(raking.NotRaked):
        raking.raked(one, own, [KNOWN], 60)
    by_raking, by_margin = raking.raked(one, own, [KNOWN], 5000), margin.weighted(expected, KNOWN, 5000)
    assert by_raking.design_effects == pytest.approx(by_margin.design_effects, rel=1e-4)
    assert by_raking.effective_n == pytest.approx(by_margin.effective_n, rel=1e-4)


def test_one_draw_has_a_design_effect_too():
    form = together("2", (3, 2, 2))
    own = [form.outcome, form.covariate]
    planned = margin.weighted(expectation.together(*own, LAW, own[0].question["table"]["keep"]), KNOWN, 20000)
    assert planned.n == 20000 and 1 < planned.design_effects[0] < 9
