"""The bounds are the stated ones, and no estimate beats them (M19 to M22)."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from ldp import bounds
from ldp.kinds import KINDS, best, histogram
from ldp.mechanisms import MECHANISMS, WITH_DELTA, laplace, randomized_response
from ldp.scores import ScoreMoments, indicator

ALPHAS = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0)
NOISELESS = ScoreMoments(Fraction(1), Fraction(0), Fraction(0), Fraction(0))


def _worst_risk(alpha, n):
    """Return the largest squared error of one share by binary randomized response, which is at equal shares."""
    return 1 / (4 * n * bounds.gap_squared(alpha))


# M19 and M21 ----------------------------------------------------------------------------------------------------------


def test_the_sharp_constant_of_two_categories_is_the_risk_of_randomized_response():
    for alpha in ALPHAS:
        assert bounds.sharp_constant(alpha, 2) == pytest.approx(2 * _worst_risk(alpha, 1), rel=1e-12)


def test_the_sharp_constant_keeps_its_digits_where_alpha_is_small():
    """For even d and small alpha the constant is 4 (d-1)^2/(d alpha^2): m = d/2 and p - q = d alpha/(4 (d-1))."""
    for d in (2, 10, 100):
        assert bounds.sharp_constant(1e-7, d) * 1e-14 == pytest.approx(4 * (d - 1) ** 2 / d, rel=1e-6)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_no_mechanism_beats_the_sharp_constant(alpha):
    for d in (2, 3, 10, 100):
        exact_alpha = Fraction(str(alpha))
        for module in (randomized_response, laplace):
            for moments in module.moments(module.table(exact_alpha, d), d).values():
                assert bounds.efficiency(moments, alpha, d) <= 1 + 1e-9


def test_equal_shares_are_the_worst():
    moments = randomized_response.moments(randomized_response.table(Fraction(1), 4), 4)["support"]
    for shares in ([0.7, 0.1, 0.1, 0.1], [1, 0, 0, 0], [0.26, 0.24, 0.25, 0.25]):
        assert bounds.risk(moments, shares) < bounds.uniform_risk(moments, 4)


def test_the_risk_is_the_sum_of_the_variances():
    moments = randomized_response.moments(randomized_response.table(Fraction(1), 3), 3)["support"]
    shares = [0.6, 0.3, 0.1]
    variances = [
        (s * float(moments.v_a) + (1 - s) * float(moments.v_b)) / float(moments.gap) ** 2 + s * (1 - s) for s in shares
    ]  # fmt: skip
    assert bounds.risk(moments, shares) == pytest.approx(sum(variances))


def test_effective_sample_size_at_any_law():
    assert bounds.effective_n(NOISELESS, 500, 3, [0.6, 0.3, 0.1]) == pytest.approx(500)
    moments = randomized_response.moments(randomized_response.table(Fraction(1), 2), 2)["support"]
    equal, skewed = bounds.effective_n(moments, 1000, 2), bounds.effective_n(moments, 1000, 2, [0.95, 0.05])
    assert skewed < equal < 1000
    assert bounds.effective_n(moments, 1000, 2, [1.0, 0.0]) == 0


@pytest.mark.parametrize(("alpha", "n", "d"), [(0.1, 50, 4), (1, 10**4, 16), (0.5, 10**6, 256), (1, 10**6, 2)])
def test_rates_are_ordered_and_contain_the_least_risk_up_to_a_constant(alpha, n, d):
    for rate in (bounds.squared_error_rate(alpha, n, d), bounds.absolute_error_rate(alpha, n, d)):
        assert 0 < rate.low <= rate.high <= 1
    least = bounds.sharp_constant(alpha, d) / n
    low, high = bounds.squared_error_rate(alpha, n, d)
    assert low / 8 <= min(1, least) <= 8 * high


# M20 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "ratio"), [(50, 2.20), (1000, 1.21), (10**4, 1.06), (10**6, 1.006)])
def test_randomized_response_comes_as_near_the_van_trees_bound_as_stated(n, ratio):
    digits = 3 if n == 10**6 else 2
    assert round(_worst_risk(1.0, n) / bounds.van_trees(1.0, n), digits) == ratio


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_width_of_the_prior_is_the_best_one(alpha):
    for n in (1, 10, 100, 10**4, 10**6):
        g = bounds.gap_squared(alpha)
        squares = np.linspace(1e-4, 1, 20_001)
        by_search = np.max(1 / (4 * n * g / (1 - g * squares) + 4 * np.pi**2 / squares))
        assert by_search <= bounds.van_trees(alpha, n) * (1 + 1e-12)
        assert by_search == pytest.approx(bounds.van_trees(alpha, n), rel=2e-3)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_bound_approaches_the_sharp_constant(alpha):
    assert 10**12 * bounds.share_bound(alpha, 10**12) == pytest.approx(bounds.sharp_constant(alpha, 2) / 2, rel=1e-5)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_distance_of_the_two_points_is_the_best_one(alpha):
    for n in (1, 10, 1000, 10**6):
        information = math.sqrt(n * min(4, math.exp(2 * alpha))) * math.expm1(alpha)
        distances = np.linspace(0, 1, 200_001)
        by_search = np.max(distances**2 / 8 * (1 - distances * information / 2))
        assert by_search <= bounds.le_cam(alpha, n) * (1 + 1e-9)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_two_point_bound_is_below_the_one_with_exact_total_variation(alpha):
    """For two shares about 1/2 at any distance, the reports' exact total variation gives the exact two-point bound."""
    for n in (1, 4, 30):
        root = math.sqrt(bounds.gap_squared(alpha))
        counts = np.arange(n + 1)
        exact = 0.0
        for t in np.linspace(0.005, 1, 200):
            first, second = (stats.binom.pmf(counts, n, 0.5 + sign * root * t / 2) for sign in (-1, 1))
            exact = max(exact, t**2 / 8 * (1 - np.abs(first - second).sum() / 2))
        assert bounds.le_cam(alpha, n) <= exact * (1 + 1e-3)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_no_shrunken_estimate_beats_the_bounds(alpha):
    """The best of all 1/2 + s (estimate - 1/2) is biased. Its exact worst risk is still above both bounds."""
    for n in (1, 3, 10, 100, 1000, 10**5):
        noise = _worst_risk(alpha, n)
        shares = np.linspace(0, 1, 1001)[:, None]
        shrinkage = np.linspace(0, 1, 1001)[None, :]
        variance = noise - (shares - 0.5) ** 2 / n
        worst = (shrinkage**2 * variance + (1 - shrinkage) ** 2 * (shares - 0.5) ** 2).max(axis=0)
        assert bounds.share_bound(alpha, n) <= worst.min() * (1 + 1e-9)


# M22 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("smoothness", [0.5, 1.0])
@pytest.mark.parametrize("v", [0.0, 0.9, 3.92, 800.0])
def test_the_number_of_bins_is_the_best_one(v, smoothness):
    for n in (10, 1000, 10**5, 10**8):
        errors = [histogram.bin_error(k, n, v, smoothness) for k in range(2, 257)]
        assert histogram.best_bins(n, v, smoothness) == 2 + int(np.argmin(errors))


def test_the_number_of_bins_grows_with_n_alpha_squared():
    """K* grows as (n alpha^2)^{1/(2 beta + 2)} and the error falls as (n alpha^2)^{-2 beta/(2 beta + 2)}, beta = 1."""
    found = [histogram.best_bins(n, 400.0, most=10**6) for n in (10**8, 16 * 10**8)]
    assert found[1] / found[0] == pytest.approx(2, rel=0.02)
    errors = [histogram.bin_error(k, n, 400.0) for k, n in zip(found, (10**8, 16 * 10**8), strict=True)]
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.02)
    assert found[0] == pytest.approx((histogram.STEEPNESS**2 * 10**8 / 400) ** (1 / 4), rel=0.02)


def test_the_noise_of_a_histogram_is_that_of_the_mechanism():
    moments = laplace.moments(laplace.table(Fraction(1, 10), 8), 8)
    assert histogram.bin_noise(moments["threshold"]) == pytest.approx(4 / 0.1**2, rel=0.01)
    assert histogram.bin_noise(moments["sum"]) == pytest.approx(8 / 0.1**2, rel=0.01)


@pytest.mark.parametrize("k", [2, 5, 16])
def test_the_bound_holds_for_a_density_as_steep_as_allowed(k):
    """The triangle has slopes of 4 and -4 on [0, 1]. Its exact error by thresholds is below the bound."""
    moments = laplace.moments(laplace.table(Fraction(1), k), k)["threshold"]
    n, points = 5000, (np.arange(k * 1000) + 0.5) / (k * 1000)
    density = np.minimum(4 * points, 4 - 4 * points)
    shares = density.reshape(k, -1).mean(axis=1) / k
    flatness = ((density - np.repeat(shares * k, 1000)) ** 2).mean()
    exact = flatness + k * bounds.risk(moments, shares / shares.sum()) / n
    assert exact <= histogram.bin_error(k, n, histogram.bin_noise(moments))


# Short forms of the benchmarks' claims --------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ["0.5", "1", "2", "4"])
def test_no_published_oracle_errs_less_than_the_default(alpha):
    """Errors are those at equal shares, from each oracle's exact p and q: unary, optimized and local hashing."""
    for d in (2, 4, 16, 64, 256):
        e = math.exp(float(alpha))
        half = math.sqrt(e)
        g = round(e) + 1
        oracles = {
            "direct": (e / (e + d - 1), 1 / (e + d - 1)),
            "symmetric unary": (half / (half + 1), 1 / (half + 1)),
            "optimized unary": (1 / 2, 1 / (e + 1)),
            "binary local hashing": (e / (e + 1), 1 / 2),
            "optimal local hashing": (e / (e + g - 1), 1 / g),
        }
        name = best("single_choice", Fraction(alpha), d)
        table = MECHANISMS[name].table(Fraction(alpha), d)
        ours = KINDS["single_choice"].error(MECHANISMS[name].moments(table, d)["support"], d)
        for p, q in oracles.values():
            assert ours <= bounds.uniform_risk(indicator(Fraction(p), Fraction(q)), d) * (1 + 1e-6)


@pytest.mark.parametrize("name", sorted(set(MECHANISMS) - set(WITH_DELTA)))
def test_errors_fall_as_one_over_alpha_squared_where_alpha_is_small(name):
    """Twice the alpha leaves a quarter of what randomization adds, by exact variances (slope -2 in the benchmark)."""
    d, mechanism = 4, MECHANISMS[name]
    noises = []
    for alpha in (Fraction(2, 100), Fraction(4, 100)):
        for moments in mechanism.moments(mechanism.table(alpha, d), d).values():
            noises.append(float(moments.v_b) / float(moments.gap) ** 2)
    half = len(noises) // 2
    for small, large in zip(noises[:half], noises[half:], strict=True):
        assert small / large == pytest.approx(4, rel=0.06)
