"""Tests keep their level and gain power with the distance: exactly where the law is finite (M16)."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from benchmarks.interval_methods import binary_law
from ldp.inference import estimates, hypotheses, intervals
from ldp.mechanisms import bitwise, randomized_response
from ldp.planning import simulation
from ldp.scores import EXCLUSIVE, independent

LEVEL = 0.05


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize("alpha", ["0.5", "1", "4"])
@pytest.mark.parametrize("n", [1, 20, 200])
def test_an_exact_test_never_rejects_the_truth_more_often_than_its_level(n, alpha, alternative):
    """A sum over all totals; and `power` at the hypothesis itself says the same number."""
    moments = binary_law(Fraction(alpha))
    for share in (0.0, 0.05, 0.5, 1.0):
        weights = stats.binom.pmf(np.arange(n + 1), n, float(moments.b) + float(moments.gap) * share)
        p_values = np.array([hypotheses.share_test(s, n, moments, share, alternative) for s in range(n + 1)])
        rejected = weights[p_values <= LEVEL].sum()
        assert rejected <= LEVEL + 1e-12
        assert hypotheses.power(n, moments, share, share, LEVEL, alternative) == pytest.approx(rejected, abs=1e-12)


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
            assert hypotheses.power(n, moments, 0.3, share, LEVEL, alternative) == pytest.approx(expected, abs=1e-12)


def test_power_rises_with_the_distance_and_with_alpha():
    shares = np.linspace(0.1, 0.9, 17)
    for n in (50, 400):
        curves = [
            [hypotheses.power(n, binary_law(alpha), 0.1, share, LEVEL) for share in shares]
            for alpha in (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))
        ]
        assert all(np.all(np.diff(curve) >= -1e-12) for curve in curves)
        assert all(weak[8] <= strong[8] for weak, strong in pairwise(curves))
    moments = binary_law(Fraction(1))
    assert hypotheses.power(1600, moments, 0.1, 0.3, LEVEL) > hypotheses.power(400, moments, 0.1, 0.3, LEVEL)


@pytest.mark.parametrize("target", estimates.TARGETS)
def test_two_sided_test_and_exact_interval_say_the_same(target):
    moments, n = binary_law(Fraction(1)), 50
    for total in range(0, n + 1, 5):
        low, high = intervals.exact(total, n, moments, 1 - LEVEL, target)
        for share in (0.0, 0.1, 0.5, 0.9, 1.0):
            rejected = hypotheses.share_test(total, n, moments, share, "two-sided", target) <= LEVEL
            # Where every share is refused the interval is the end point nearest to the data.
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


# Simulation: a test at .05 rejects 2000 true hypotheses fewer than 61 or more than 147 times for 9.3e-6 of all seeds.
SURVEYS, REJECTED = 2000, (61, 147)
TRUE = np.array([0.4, 0.3, 0.2, 0.1])


def _estimates(name, shares, n, generator, alpha=Fraction(1)):
    counts = simulation.population_counts(shares, n, SURVEYS, generator)
    d = len(shares)
    if name == "randomized response":
        moments = randomized_response.moments(randomized_response.table(alpha, d), d)["support"]
        totals, pair = simulation.randomized_response_totals(counts, moments, generator), EXCLUSIVE
    else:
        moments = bitwise.moments(bitwise.table(alpha, d), d)["support"]
        totals, pair = simulation.bit_totals(counts, moments, generator), independent(moments)
    return [estimates.shares(t, n, moments) for t in totals], moments, pair


@pytest.mark.slow
@pytest.mark.parametrize("name", ["randomized response", "bits"])
def test_goodness_of_fit_keeps_its_level_and_finds_other_shares(name):
    generator = np.random.default_rng(16)
    found, moments, pair = _estimates(name, TRUE, 1000, generator)
    tests = [hypotheses.goodness_of_fit(e, 1000, moments, pair, TRUE) for e in found]
    assert {t.degrees for t in tests} == {3}
    assert REJECTED[0] <= sum(t.p_value <= LEVEL for t in tests) <= REJECTED[1]
    powers = []
    for distance in (0.1, 0.2, 0.3):
        other = TRUE - distance * np.array([1, -1, 0, 0])
        found, _, _ = _estimates(name, other, 1000, generator)
        powers.append(
            np.mean([hypotheses.goodness_of_fit(e, 1000, moments, pair, TRUE).p_value <= LEVEL for e in found])
        )
    assert powers[0] < powers[1] < powers[2]


@pytest.mark.parametrize("name", ["randomized response", "bits"])
def test_a_contrast_covers_and_keeps_its_level(name):
    generator = np.random.default_rng(17)
    found, moments, pair = _estimates(name, np.array([0.3, 0.3, 0.3, 0.1]), 1000, generator)
    weights = [1, -1, 0, 0]
    rejected = covered = joint = 0
    for e in found:
        cov = hypotheses.estimated_covariance(e, 1000, moments, pair, "population")
        contrast = hypotheses.contrast(e, cov, weights, 1 - LEVEL)
        rejected += contrast.p_value <= LEVEL
        covered += contrast.interval.low <= 0 <= contrast.interval.high
        joint += hypotheses.contrasts(e, cov, [weights, [0, 1, -1, 0]], [0, 0]).p_value <= LEVEL
    assert covered == SURVEYS - rejected
    assert REJECTED[0] <= rejected <= REJECTED[1] and REJECTED[0] <= joint <= REJECTED[1]


def test_one_contrast_is_the_quadratic_form_of_one_row():
    moments = binary_law(Fraction(1), 4)
    e = np.array([0.5, 0.2, 0.4, -0.1])
    cov = hypotheses.estimated_covariance(e, 400, moments, EXCLUSIVE, "respondents")
    single = hypotheses.contrast(e, cov, [1, 0, -1, 0], 0.9, 0.3)
    form = hypotheses.contrasts(e, cov, [[1, 0, -1, 0]], [0.3])
    assert single.p_value == pytest.approx(form.p_value) and form.degrees == 1
    assert single.estimate == pytest.approx(0.1)
