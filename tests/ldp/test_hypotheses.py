"""Tests keep their level and gain power with the distance, exactly where the law is finite (M16)."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from benchmarks.interval_methods import binary_law
from ldp.inference import estimates, hypotheses, intervals
from tests.support.powers import power

LEVEL = 0.05


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize("alpha", ["0.5", "1", "4"])
@pytest.mark.parametrize("n", [1, 20, 200])
def test_an_exact_test_never_rejects_the_truth_more_often_than_its_level(n, alpha, alternative):
    """The chances of all totals are summed. `power` at the hypothesis returns the same number."""
    moments = binary_law(Fraction(alpha))
    for share in (0.0, 0.05, 0.5, 1.0):
        weights = stats.binom.pmf(np.arange(n + 1), n, float(moments.b) + float(moments.gap) * share)
        p_values = np.array([hypotheses.share_test(s, n, moments, share, alternative) for s in range(n + 1)])
        rejected = weights[p_values <= LEVEL].sum()
        assert rejected <= LEVEL + 1e-12
        assert power(n, moments, share, share, LEVEL, alternative) == pytest.approx(rejected, abs=1e-12)


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_an_exact_test_among_the_respondents_keeps_its_level(alternative):
    moments, n = binary_law(Fraction(1)), 60
    for m in (0, 3, 30, 60):
        weights = np.convolve(
            stats.binom.pmf(np.arange(m + 1), m, float(moments.a)),
            stats.binom.pmf(np.arange(n - m + 1), n - m, float(moments.b)),
        )
        p_values = [hypotheses.share_test(s, n, moments, m / n, alternative, "respondents") for s in range(n + 1)]
        assert weights[np.array(p_values) <= LEVEL].sum() <= LEVEL + 1e-12


def test_power_is_the_sum_over_the_totals_that_reject():
    moments, n = binary_law(Fraction(1)), 150
    for alternative in ("greater", "less", "two-sided"):
        p_values = np.array([hypotheses.share_test(s, n, moments, 0.3, alternative) for s in range(n + 1)])
        for share in (0.0, 0.2, 0.6):
            weights = stats.binom.pmf(np.arange(n + 1), n, float(moments.b) + float(moments.gap) * share)
            expected = weights[p_values <= LEVEL].sum()
            assert power(n, moments, 0.3, share, LEVEL, alternative) == pytest.approx(expected, abs=1e-12)


def test_power_rises_with_the_distance_and_with_alpha():
    shares = np.linspace(0.1, 0.9, 17)
    for n in (50, 400):
        curves = [
            [power(n, binary_law(alpha), 0.1, share, LEVEL) for share in shares]
            for alpha in (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))
        ]
        assert all(np.all(np.diff(curve) >= -1e-12) for curve in curves)
        assert all(weak[8] <= strong[8] for weak, strong in pairwise(curves))
    moments = binary_law(Fraction(1))
    assert power(1600, moments, 0.1, 0.3, LEVEL) > power(400, moments, 0.1, 0.3, LEVEL)


@pytest.mark.parametrize("target", estimates.TARGETS)
def test_two_sided_test_and_exact_interval_say_the_same(target):
    moments, n = binary_law(Fraction(1)), 50
    for total in range(0, n + 1, 5):
        low, high = intervals.exact(total, n, moments, 1 - LEVEL, target)
        for share in (0.0, 0.1, 0.5, 0.9, 1.0):
            rejected = hypotheses.share_test(total, n, moments, share, "two-sided", target) <= LEVEL
            # If every share is rejected, the interval is the end point nearest to the data.
            assert rejected == (not low - 1e-9 <= share <= high + 1e-9) or (low == high == share)


def test_p_values_are_the_binomial_ones():
    moments, n, total = binary_law(Fraction(1)), 100, 41
    pi = float(moments.b + moments.gap * Fraction(1, 10))
    expected = stats.binomtest(total, n, pi, alternative="greater").pvalue
    assert hypotheses.share_test(total, n, moments, 0.1, "greater") == pytest.approx(expected)


def test_what_is_no_hypothesis_is_refused():
    moments = binary_law(Fraction(1))
    for total, share in ((-1, 0.5), (11, 0.5), (5, 1.5)):
        with pytest.raises(ValueError, match="0 or 1"):
            hypotheses.share_test(total, 10, moments, share, "greater")
    with pytest.raises(ValueError, match="no number of 10"):
        hypotheses.share_test(5, 10, moments, 0.25, "two-sided", "respondents")


@pytest.mark.parametrize("d", [2, 3, 17])
def test_helmert_rows_are_an_orthonormal_basis_of_the_contrasts(d):
    rows = hypotheses.helmert(d)
    assert rows @ rows.T == pytest.approx(np.eye(d - 1)) and rows.sum(axis=1) == pytest.approx(0)
