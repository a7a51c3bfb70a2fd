"""What a trusted curator can publish, and lower bounds for all methods (M23)."""

import math

import numpy as np
import pytest
from scipy import stats

from ldp import bounds as local
from ldp.central import bounds, laplace
from ldp.central import exponential as mechanism

ALPHAS = (0.2, 1.0, 3.0)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [1, 20, 1000])
def test_laplace_noise_is_above_the_private_bound(n, alpha):
    """One of the two populations of the bound always has this error, which is at most noise plus sampling."""
    error = laplace.scale(1, alpha) / n + math.sqrt(0.25 / n)
    distance = min(1.0, 1 / (n * alpha))
    by_jensen = distance / 4 * math.exp(-alpha * n * distance)
    assert by_jensen <= bounds.private_le_cam(n, alpha) * (1 + 1e-12) <= error


@pytest.mark.parametrize("n", [1, 2, 7, 60])
@pytest.mark.parametrize("distance", [0.05, 0.3, 0.9])
def test_without_privacy_the_test_by_the_count_errs_as_stated(n, distance):
    """1 - TV is the sum over all counts of the smaller of two chances."""
    low, high = (stats.binom.pmf(np.arange(n + 1), n, 0.5 + sign * distance / 2) for sign in (-1, 1))
    assert bounds.undecided(distance, n) == pytest.approx(np.minimum(low, high).sum(), abs=1e-12)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [1, 5, 30])
def test_no_private_test_of_two_shares_beats_the_bound(n, alpha):
    """Randomized majority, the exponential mechanism and noisy counts at any threshold err more in sum."""
    counts = np.arange(n + 1)
    noise = stats.laplace(scale=1 / alpha)
    said = [np.array([mechanism.majority(int(yes), n, alpha) for yes in counts])]
    said += [noise.cdf(counts - threshold) for threshold in np.linspace(-3, n + 3, 40)]
    for distance in (0.02, 0.1, 0.5, 1.0):
        low, high = (stats.binom.pmf(counts, n, 0.5 + sign * distance / 2) for sign in (-1, 1))
        least = min(float(low @ yes + high @ (1 - yes)) for yes in said)
        assert bounds.private_undecided(distance, n, alpha) <= least + 1e-12


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [1, 10, 200])
def test_the_distance_of_the_private_bound_is_the_best_one(n, alpha):
    by_search = max(t / 4 * bounds.private_undecided(t, n, alpha) for t in np.linspace(1e-4, 1, 5001))
    assert by_search <= bounds.private_le_cam(n, alpha) * (1 + 1e-9)
    assert bounds.private_le_cam(n, alpha) >= max(by_search * (1 - 1e-9), bounds.le_cam(n))
    assert bounds.two_points(0.1, n, alpha) >= bounds.two_points(0.1, n)


@pytest.mark.parametrize("n", [1, 10, 500])
def test_le_cams_bound_is_below_the_error_of_the_proportion(n):
    """The worst expected absolute error of count/n is at least the bound, and at most 8 times that."""
    worst = max(
        float(stats.binom.pmf(np.arange(n + 1), n, share) @ np.abs(np.arange(n + 1) / n - share))
        for share in np.linspace(0, 1, 101)
    )
    assert bounds.le_cam(n) <= worst <= 8.01 * bounds.le_cam(n)


def test_the_price_of_locality_grows_with_the_root_of_n():
    """Local noise falls as 1/sqrt(n), a curator's as 1/n. For large n the price is the root of local noise over
    sampling."""
    prices = []
    for n in (10**2, 10**4, 10**8):
        local_variance = 1 / (4 * n * local.gap_squared(0.2))
        prices.append(laplace.price(local_variance, laplace.variance(0.25, n, 0.2)))
    assert prices[0] < prices[1] < prices[2]
    assert prices[2] == pytest.approx(1 / math.tanh(0.1), rel=1e-4)


@pytest.mark.parametrize(("n", "alpha", "d"), [(100, 0.2, 2), (1000, 1, 10), (10**5, 4, 50)])
def test_histogram_errors_are_ordered_and_within_their_rates(n, alpha, d):
    for errors in (bounds.squared_errors(n, alpha, d), bounds.absolute_errors(n, alpha, d)):
        assert errors.without_privacy < errors.curator < errors.local
    rates = bounds.squared_rates(n, alpha, d)
    assert rates.local.low <= rates.local.high <= 1
    assert bounds.squared_errors(n, alpha, d).curator <= 8 * (1 / n + d / (n * alpha) ** 2)
    skewed = bounds.squared_errors(n, alpha, d, [1.0] + [0.0] * (d - 1))
    assert skewed.without_privacy == 0
    equal = bounds.squared_errors(n, alpha, d)
    assert skewed.local == pytest.approx(equal.local - equal.without_privacy)


def test_histogram_errors_of_a_curator_by_simulation():
    """The mean squared error is within 4 of its standard errors; by luck it is not in 1 of 16,000 runs."""
    generator, (n, alpha, d), surveys = np.random.default_rng(5), (200, 0.5, 4), 20_000
    counts = generator.multinomial(n, [1 / d] * d, surveys) + generator.laplace(scale=2 / alpha, size=(surveys, d))
    errors = ((counts / n - 1 / d) ** 2).sum(axis=1)
    expected = bounds.squared_errors(n, alpha, d).curator
    assert abs(errors.mean() - expected) < 4 * errors.std() / math.sqrt(surveys)
    rough = np.abs(counts / n - 1 / d).sum(axis=1).mean()
    assert rough == pytest.approx(bounds.absolute_errors(n, alpha, d).curator, rel=0.1)
