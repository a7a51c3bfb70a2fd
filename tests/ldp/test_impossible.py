"""The interval of an estimate far outside the possible range is as wide as at the edge (M37)."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from benchmarks import impossible, shares
from ldp.inference import hypotheses, intervals, published
from ldp.inference.intervals import Interval
from ldp.inference.reading import apart, pairs, weighted
from ldp.mechanisms import MECHANISMS, WITH_DELTA
from tests.ldp.test_reading import tallied
from tests.support.powers import power

CONFIDENCE = 0.95
TARGETS = ("population", "respondents")


def law(name, alpha, d):
    mechanism = MECHANISMS[name]
    extra = {"delta": Fraction(1, 1000)} if name in WITH_DELTA else {}
    return list(mechanism.moments(mechanism.table(Fraction(alpha), d, **extra), d).values())[-1]


@pytest.mark.parametrize("every_look", [False, True])
@pytest.mark.parametrize("target", TARGETS)
def test_an_estimate_of_minus_890_percent_says_nothing(target, every_look):
    """An interval from 0.0% to 0.0% was published for this estimate, at alpha .01 and 1,000 reports."""
    spans = published.of(law("randomized_response", "0.01", 2), 1000, every_look)
    assert spans.interval([453], 0, CONFIDENCE, target) == (0.0, 1.0)
    assert spans.interval([547], 0, CONFIDENCE, target) == (0.0, 1.0)


@pytest.mark.parametrize("every_look", [False, True])
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("name", "alpha"), [("randomized_response", "1"), ("laplace", "1"), ("gaussian", "2")])
def test_beyond_the_edge_an_interval_is_as_wide_as_at_the_edge(name, alpha, target, every_look):
    moments, n = law(name, alpha, 4), 1000
    spans = published.of(moments, n, every_look)
    least, most = (round(n * float(mean)) for mean in (moments.b, moments.a))
    for total, edge in ((least - 60, least), (most + 60, most)):
        low, high = spans.interval([edge], 0, CONFIDENCE, target)
        assert spans.interval([total], 0, CONFIDENCE, target) == (low, high) and high - low > 0.02
    # Inside nothing changes.
    middle = (least + most) // 2
    if not every_look and moments.binary:
        invert = intervals._population_exact if target == "population" else intervals._respondents_exact
        assert spans.interval([middle], 0, CONFIDENCE, target) == invert(middle, n, moments, 0.025)


@pytest.mark.parametrize("every_look", [False, True])
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("name", "d"), [("exponential", 4), ("laplace_mean", 1)])
def test_a_channels_impossible_estimate_says_as_little(name, d, target, every_look):
    """Every report is the one that speaks most against the first option, or for the least number."""
    moments = law(name, "4", d)
    scores = np.array(moments.phi())[:, 0]
    for place in (scores.argmin(), scores.argmax()):
        counts = [0] * len(scores)
        counts[int(place)] = 30
        low, high = published.of(moments, 30, every_look).interval(counts, 0, CONFIDENCE, target)
        assert high - low > 0.02


def test_the_union_holds_what_was_published_before():
    """Coverage is therefore never lower. Every total of 40 reports is tried."""
    moments, n = law("bitwise", "1", 3), 40
    for target in TARGETS:
        invert = intervals._population_exact if target == "population" else intervals._respondents_exact
        for total in range(n + 1):
            before, now = invert(total, n, moments, 0.025), intervals.exact(total, n, moments, CONFIDENCE, target)
            assert now.low <= before.low + 1e-12 and before.high - 1e-12 <= now.high


def test_a_moved_interval_is_united_with_the_one_where_it_was():
    assert intervals.clipped(Interval(-9.2, -8.6), -8.9) == (0.0, pytest.approx(0.3))
    assert intervals.clipped(Interval(0.9, 1.5), 1.2) == (pytest.approx(0.7), 1.0)
    assert intervals.clipped(Interval(-0.2, 0.6), 0.2) == (0.0, 0.6)


def test_no_test_is_surer_than_at_the_edge_and_its_power_knows():
    """An impossible total rejects no share at the level .001, so no test has power at these shares."""
    moments, n = law("randomized_response", "0.01", 2), 1000
    assert hypotheses.share_test(440, n, moments, 0.5, "less") > 0.4
    assert power(n, moments, 0.5, 0.0, 0.05, "less") == 0.0
    for hypothesis in (0.2, 0.6):
        one = law("bitwise", "1", 3)
        pi = float(one.b + one.gap * Fraction(1, 10))
        found = sum(
            float(stats.binom.pmf(total, 60, pi))
            for total in range(61)
            if hypotheses.share_test(total, 60, one, hypothesis, "two-sided") <= 0.05
        )
        assert power(60, one, hypothesis, 0.1, 0.05, "two-sided") == pytest.approx(found)


@pytest.mark.parametrize("name", ["randomized_response", "bitwise", "exponential"])
def test_differences_and_sums_of_shares_are_no_points_either(name):
    if name == "exponential":
        one = tallied(name, "0.5", 4, [0, 300, 0, 0])
    else:
        one = tallied(name, "0.5", 4, [0, 200, 60, 40], n=300)
    low, high = pairs.interval(one, 0, 1, CONFIDENCE)
    assert high - low > 0.1
    for weights in ([1.0, 2.0, 3.0, 4.0], [1.0, 0.0, 0.0, 0.0]):
        low, high = weighted.interval(one, np.array(weights), CONFIDENCE, "population")
        assert high - low > 0.05


def test_a_difference_between_two_surveys_is_no_point_either():
    one, other = (tallied("randomized_response", "0.05", 2, [x, 400 - x]) for x in (260, 140))
    assert apart.estimate((one, 0), (other, 0)) > 5
    low, high = apart.interval((one, 0), (other, 0), CONFIDENCE)
    assert low < 0 and high == 1.0


@pytest.mark.slow
def test_of_ten_thousand_surveys_none_publishes_a_point():
    """This is a seeded, small run of `python -m benchmarks.impossible`."""
    scale = impossible.Scale(("0.01", "1"), (100, 1000), 650)
    found = list(impossible.cells(scale, np.random.default_rng(37)))
    assert sum(cell.surveys for cell in found) > 10_000 and len({cell.mechanism for cell in found}) > 4
    assert [cell for cell in found if cell.points or cell.narrowest < cell.normal / 2] == []


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_no_interval_of_a_share_falls_short_with_impossible_estimates_widened(n):
    """The coverage is exact, over all totals. `python -m benchmarks.shares` tries every n from 1 to 100."""
    found = list(shares.cells(range(n, n + 1), ("0.01", "1", "16")))
    assert len(found) == 48
    assert [cell for cell in found if cell[-1] < cell[-2] - 1e-9] == []
