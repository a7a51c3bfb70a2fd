"""Differences of shares of two surveys: tests and intervals agree with their exact laws."""

import itertools
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from scipy import stats

from ldp.inference import estimates, intervals
from ldp.inference.intervals import Interval
from ldp.inference.reading import apart
from tests.ldp.test_comparisons import LEVELS, empty
from tests.ldp.test_reading import tallied

CONFIDENCES = (0.95, 1 - 0.05 / 66)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize(
    ("alphas", "sizes"), [(("0.05", "1"), (24, 60)), (("1", "1"), (24, 72)), (("8", "8"), (24, 72))]
)
def test_a_test_between_two_surveys_refuses_equal_shares_exactly_where_the_interval_leaves_0_out(
    alphas, sizes, confidence
):
    """Fisher's test gave p below .0001 beside an interval at .00076 from -.69 to .08, and for an estimate of -40."""
    sides = [
        side(name, alpha, n)[::4]
        for name, alpha, n in zip(("randomized_response", "bitwise"), alphas, sizes, strict=True)
    ]
    for one, other in itertools.product(*sides):
        (low, high), p = apart.interval(one, other, confidence), apart.p_value(one, other, confidence)
        # The ends are rounded outwards by a ten-thousandth of the standard error.
        assert (low > 1e-6 or high < -1e-6) <= (p <= 1 - confidence) <= (low > -1e-3 or high < 1e-3)


@pytest.mark.parametrize(("alphas", "sizes"), [(("1", "1"), (12, 30)), (("8", "8"), (20, 24)), (("8", "1"), (9, 40))])
def test_no_test_between_two_surveys_is_surer_than_it_says(alphas, sizes):
    starts = [empty(name, alpha, 4) for name, alpha in zip(("randomized_response", "bitwise"), alphas, strict=True)]
    found = list(map(side, ("randomized_response", "bitwise"), alphas, sizes))
    p_values = np.array([[apart.p_value(one, other, 0.95) for other in found[1]] for one in found[0]])
    for share in (0.0, 0.02, 0.3, 0.5, 0.9, 1.0):
        laws = [
            stats.binom.pmf(np.arange(n + 1), n, float(one.moments.b) + float(one.moments.gap) * share)
            for one, n in zip(starts, sizes, strict=True)
        ]
        for level in LEVELS:
            assert laws[0] @ (p_values <= level) @ laws[1] <= level + 1e-12


def test_where_no_exact_test_between_two_surveys_is_known_there_is_none():
    one, other = (tallied("randomized_response", "1", 2, totals) for totals in ([30, 20], [10, 35]))
    assert apart.p_value((one, 0), (other, 0), 0.95, independent=False) is None
    watched = tallied("randomized_response", "1", 2, [30, 20], every_look=True)
    assert apart.p_value((watched, 0), (other, 0), 0.95) is None


@cache
def side(name, alpha, n):
    """Return every total of a survey's first answer, with that answer's place."""
    return [(tallied(name, alpha, 4, [total, 0, 0, 0], n=n), 0) for total in range(n + 1)]


@cache
def ends(one, other, totals, confidence):
    """Return the interval at these totals; it does not depend on the shares."""
    return apart.interval(side(*one)[totals[0]], side(*other)[totals[1]], confidence)


def covered(names, alphas, sizes, shares, confidence=0.95):
    """Return the exact chance that the interval of the difference of two binary shares contains it."""
    surveys, chances = list(zip(names, alphas, sizes, strict=True)), []
    for (name, alpha, n), share in zip(surveys, shares, strict=True):
        start = empty(name, alpha, 4)
        pi = float(start.moments.b + start.moments.gap * Fraction(share))
        chances.append(stats.binom.pmf(np.arange(n + 1), n, pi))
    truth, likely = float(Fraction(shares[0]) - Fraction(shares[1])), np.outer(*chances)
    held = 0.0
    for totals in zip(*np.nonzero(likely > 1e-9), strict=True):
        low, high = ends(*surveys, totals, confidence)
        held += likely[totals] * (low - 1e-12 <= truth <= high + 1e-12)
    return held


@pytest.mark.slow
@pytest.mark.parametrize("alphas", [("1", "1"), ("1", "8"), ("8", "8")])
@pytest.mark.parametrize("shares", [("1/2", "1/2"), ("97/100", "1/100"), ("0", "0"), ("1/50", "0"), ("1", "0")])
def test_the_interval_between_two_surveys_holds_by_its_exact_law(alphas, shares):
    names = "randomized_response", "bitwise"
    for confidence in (0.95, 1 - 0.05 / 66, 0.9999):
        assert covered(names, alphas, (12, 30), shares, confidence) >= confidence


@pytest.mark.parametrize(("alpha", "n", "shares"), [("4", 20, ("0", "1/20", "1")), ("8", 200, ("0", "1"))])
def test_of_66_comparisons_of_two_surveys_each_keeps_its_level_where_variances_added_did_not(alpha, n, shares):
    """Limits combined like variances (MOVER) missed with chances .0056 and .0119, where .00076 is allowed."""
    confidence = 1 - 0.05 / 66
    for pair in itertools.product(shares, repeat=2):
        assert covered(["randomized_response"] * 2, [alpha] * 2, (n, n), pair, confidence) >= confidence


def test_intervals_between_two_surveys_stay_narrow_and_quick_for_many_reports():
    """They are at most a tenth wider than normal ones."""
    for n in (2000, 30_000, 10**6):
        one, other = (tallied("randomized_response", "1", 2, [x, n - x]) for x in (3 * n // 5, n // 2))
        low, high = apart.interval((one, 0), (other, 0), 1 - 0.05 / 66)
        errors = [
            float(estimates.standard_errors(each.shares, n, each.moments, "population")[0]) for each in (one, other)
        ]
        normal = 2 * intervals.z(1 - 0.05 / 66) * float(np.hypot(*errors))
        assert low < apart.estimate((one, 0), (other, 0)) < high and normal < high - low < 1.1 * normal
        blocks = apart._Blocks.of(n, np.array([0.4, 0.6, 1e-6]))
        assert blocks.first.shape[1] <= apart.BLOCKS, "the work is bounded whatever n is"
        assert blocks.masses.sum(axis=1) == pytest.approx(1, abs=1e-7), "a narrow law beside a wide one too"


def test_many_reports_against_one_keep_their_level():
    """All of 200,000 give the answer, and none of one. The limit is exceeded with at most its error chance at the last
    shares that it rejects."""
    error, n = 0.025, 200_000
    one, other = (tallied("randomized_response", "4", 2, totals) for totals in ([0, n], [1, 0]))
    p, q = float(one.moments.a), float(one.moments.b)
    total = round(n * p)
    low = apart.interval((tallied("randomized_response", "4", 2, [n - total, total]), 1), (other, 1), 1 - 2 * error).low
    assert 0 < low < 0.1
    assert stats.binom.sf(total - 1, n, p) * (1 - q - (p - q) * (1 - low)) <= error


def test_where_reports_may_tell_of_both_all_differences_of_two_intervals_are_kept():
    one, other = (tallied("randomized_response", "1", 2, totals) for totals in ([300, 200], [250, 250]))
    narrow = apart.interval((one, 0), (other, 0), 0.95)
    wide = apart.interval((one, 0), (other, 0), 0.95, independent=False)
    each = [tally.interval(0, 0.975, "population") for tally in (one, other)]
    assert wide == Interval(each[0].low - each[1].high, each[0].high - each[1].low)
    assert wide.low < narrow.low < apart.estimate((one, 0), (other, 0)) < narrow.high < wide.high
