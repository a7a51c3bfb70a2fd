"""The lower bound on alpha that drawn reports prove is right as often as stated, for any chances and any event."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from tests.support.audit import alpha_bound, chosen_event, lower_chance, upper_chance


@pytest.mark.parametrize(("k", "n"), [(0, 5), (1, 5), (5, 5), (3, 20), (700, 25_000), (24_999, 25_000)])
def test_a_chance_at_its_bound_shows_so_many_with_the_stated_chance(k, n):
    low, high = lower_chance(k, n, 0.025), upper_chance(k, n, 0.025)
    assert low <= k / n <= high
    if k:
        assert stats.binom.sf(k - 1, n, low) == pytest.approx(0.025, rel=1e-6)
    if k < n:
        assert stats.binom.cdf(k, n, high) == pytest.approx(0.025, rel=1e-6)


@pytest.mark.parametrize("delta", [0.0, 0.01])
def test_the_bound_is_too_high_with_at_most_the_stated_chance_for_every_pair_of_chances(delta):
    """Two independent counts of 25: the chances of all pairs are summed, not simulated."""
    n = 25
    bounds = [[alpha_bound((k, m), n, delta) for m in range(n + 1)] for k in range(n + 1)]
    for p in (0.05, 0.27, 0.5, 0.73, 0.95, 0.999):
        for q in (0.001, 0.05, 0.27, 0.5, 0.73):
            true = math.log(max(p - delta, 1e-300) / q) if p > q else 0.0
            too_high = np.array([[bound > max(true, 0.0) for bound in row] for row in bounds])
            chance = stats.binom.pmf(range(n + 1), n, p) @ too_high @ stats.binom.pmf(range(n + 1), n, q)
            assert chance <= 0.05, (p, q)


def test_the_event_of_randomized_response_is_an_answer_itself():
    event = chosen_event({"0": (731, 269), "1": (269, 731)}, 1000)
    assert (event.values, event.likelier) in ((frozenset("0"), 0), (frozenset("1"), 1))


def test_an_event_gathers_the_values_that_speak_for_one_answer():
    counts = {"a": (400, 100), "b": (300, 90), "c": (200, 310), "d": (100, 500)}
    event = chosen_event(counts, 1000)
    assert event.values in ({"a", "b"}, {"d"}, {"a"}, {"c", "d"})
    assert chosen_event({}, 1000).values == frozenset()


def test_many_reports_come_close_to_alpha_and_not_beyond():
    """The counts are those expected of 25,000 reports each at alpha 1."""
    kept = Fraction(731_059, 1_000_000)
    hits = (round(25_000 * kept), round(25_000 * (1 - kept)))
    assert 0.95 < alpha_bound(hits, 25_000) < 1
    assert alpha_bound(hits, 25_000, 0.5) < alpha_bound(hits, 25_000, 0.1) < alpha_bound(hits, 25_000)
    assert alpha_bound((10, 9), 25_000) == alpha_bound((0, 0), 25_000) == 0


def test_without_a_single_report_of_the_other_answer_the_bound_is_finite():
    assert 8 < alpha_bound((25_000, 0), 25_000) < 9
