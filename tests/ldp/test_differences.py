"""The planned power to show a difference is that of the exact tests and of simulated surveys."""

import numpy as np
import pytest
from scipy import stats

from benchmarks import comparisons as simulated
from ldp.planning import share_comparisons
from tests.ldp.test_comparisons import empty
from tests.support.powers import power


@pytest.mark.parametrize("difference", [-0.2, 0.05, 0.1])
@pytest.mark.parametrize("level", [0.05, 0.001])
def test_the_planned_power_against_a_value_is_the_exact_tests(difference, level):
    """The exact power rises and falls with n like a saw, so the tolerance is two hundredths."""
    one = empty("randomized_response", "1", 2)
    for wanted in (0.8, 0.9):
        design = share_comparisons.of_value(one, 0, 0.3)
        n = share_comparisons.needed(design, difference, level, wanted)
        reached = power(n, one.moments, 0.3, 0.3 + difference, level, "two-sided")
        assert reached == pytest.approx(wanted, abs=0.02)
        assert share_comparisons.power(design, difference, level, n) >= wanted
        assert share_comparisons.power(design, difference, level, n - 1) < wanted


@pytest.mark.parametrize("name", ["randomized_response", "bitwise", "exponential"])
def test_the_variance_of_a_pair_is_that_of_the_covariances(name):
    one, shares = empty(name, "2", 4), np.array([0.4, 0.3, 0.2, 0.1])
    design = share_comparisons.of_pair(one, 0, 1, shares)
    cov = share_comparisons._covariance(one, shares)
    weights = np.array([1, -1, 0, 0])
    squared_error = weights @ cov @ weights
    assert design.variance(0.1) == pytest.approx(squared_error)
    assert design.without_privacy(0.1) == pytest.approx(0.7 - 0.1**2)
    assert share_comparisons.of_pair(one, 0, 1, shares, 3.0).variance(0.1) == pytest.approx(3 * squared_error)


def test_moved_shares_are_shares_with_the_difference():
    for shares in ([0.4, 0.3, 0.2, 0.1], [0, 0, 1, 0], [0.5, 0.5, 0, 0], [0.5, 0.5]):
        for difference in (-1.0, -0.2, 0.0, 0.3, 1.0):
            found = share_comparisons.moved(np.array(shares), 0, 1, difference)
            assert found.sum() == pytest.approx(1) and found.min() >= 0
            assert found[0] - found[1] == pytest.approx(difference)


def off(found, surveys):
    """Return the cells whose share of shown differences is too far from a power three hundredths off."""
    return [
        row
        for row in found
        for shown in [round(row.reached * surveys)]
        if stats.binom.cdf(shown, surveys, row.planned - 0.03) < 1e-4
        or stats.binom.sf(shown - 1, surveys, row.planned + 0.03) < 1e-4
    ]


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(("name", "surveys"), [("bitwise", 40), ("osgt", 20)])
def test_so_many_reports_reach_the_power_that_is_said(name, surveys, nightly):
    """One of eight cells fails by luck in at most one of 600 seeds."""
    surveys = 300 if nightly else surveys
    scale = simulated.Scale(("8",), (), surveys, (name,))
    found = list(simulated.powers(scale, np.random.default_rng(3), (0.2,)))
    assert len(found) == 8 and off(found, surveys) == []


def test_half_of_the_reports_that_are_needed_are_found_to_be_too_few(monkeypatch):
    needed = share_comparisons.needed
    monkeypatch.setattr(share_comparisons, "needed", lambda *said: needed(*said) // 2)
    found = list(simulated.powers(simulated.Scale(("8",), (), 30, ("bitwise",)), np.random.default_rng(3), (0.2,)))
    assert off(found, 30)


def test_what_needs_too_many_reports_has_no_number():
    one = empty("randomized_response", "0.01", 8)
    assert share_comparisons.needed(share_comparisons.of_pair(one, 0, 1, np.full(8, 1 / 8)), 0.001, 0.001, 0.9) is None
