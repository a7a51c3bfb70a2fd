"""A curator's noise: Laplace, Gaussian and Laplace shared among the respondents (M24, M25)."""

import math
import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from ldp import exact
from ldp.central import gaussian, laplace, offset, shared
from ldp.tables import noise

ALPHAS = (0.2, 1.0, 3.0)


def _uniform(seed):
    chance = random.Random(seed)
    return lambda: chance.getrandbits(53)


def _integer_laplace(alpha, sensitivity=1, reach=400):
    r = math.exp(-alpha / sensitivity)
    return {k: (1 - r) / (1 + r) * r ** abs(k) for k in range(-reach, reach + 1)}


# Laplace --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("sensitivity", [1, 3])
def test_integer_laplace_noise_keeps_alpha_and_varies_no_more_than_real_noise(alpha, sensitivity):
    law = _integer_laplace(alpha, sensitivity)
    ratios = [law[k] / law[k - sensitivity] for k in range(-150, 150)]
    assert max(max(ratios), 1 / min(ratios)) == pytest.approx(math.exp(alpha))
    second = math.fsum(p * k**2 for k, p in _integer_laplace(alpha, sensitivity, 4000).items())
    assert second <= laplace.noise_variance(sensitivity, alpha)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("failure", [0.5, 0.05, 1e-6])
def test_laplace_error_bounds_are_exact(alpha, failure):
    law_of_noise = stats.laplace(scale=2 / alpha)
    assert 2 * law_of_noise.sf(laplace.error_bound(2, alpha, failure)) == pytest.approx(failure)
    together = (1 - 2 * law_of_noise.sf(laplace.error_bound(2, alpha, failure, numbers=5))) ** 5
    assert together == pytest.approx(1 - failure)


def test_what_is_released_has_the_law():
    """Chi-square of 4,000 draws over 13 cells: it rejects the truth once in 10,000 runs."""
    uniform, law = _uniform(11), _integer_laplace(1.0)
    drawn = np.array([laplace.release([7], Fraction(1), uniform)[0] - 7 for _ in range(4000)])
    clipped = np.clip(drawn, -6, 6)
    expected = [math.fsum(p for k, p in law.items() if np.clip(k, -6, 6) == cell) * 4000 for cell in range(-6, 7)]
    observed = [(clipped == cell).sum() for cell in range(-6, 7)]
    assert stats.chisquare(observed, expected, sum_check=False).pvalue > 1e-4


# Gaussian -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.0, 0.1, 1.0, 4.0])
@pytest.mark.parametrize("s", [0.4, 1.5, 6.0])
def test_gaussian_delta_is_the_integral_of_the_excess(alpha, s):
    def excess(y):
        return max(stats.norm.pdf(y, scale=s) - math.exp(alpha) * stats.norm.pdf(y, 1.5, s), 0.0)

    ends = [-15 * s, -5 * s, -s, 0, 0.75, 1.5]
    total = sum(integrate.quad(excess, low, high, limit=400)[0] for low, high in pairwise(ends))
    assert gaussian.delta(alpha, s, 1.5) == pytest.approx(total, rel=1e-6, abs=1e-13)
    assert gaussian.delta(alpha, s, 1.5) == pytest.approx(offset.delta(alpha, 0, s, 1.5), rel=1e-6, abs=1e-14)


@pytest.mark.parametrize(("alpha", "delta"), [(0.1, 1e-6), (1, 1e-5), (1, 1e-10), (5, 1e-3), (20, 1e-6)])
def test_the_least_gaussian_noise_is_the_least_and_below_the_textbooks(alpha, delta):
    s = gaussian.deviation(alpha, delta, 2)
    assert gaussian.delta(alpha, s, 2) <= delta < gaussian.delta(alpha, s * (1 - 1e-6), 2)
    if alpha <= 1:
        assert s < 2 * math.sqrt(2 * math.log(1.25 / delta)) / alpha


def test_gaussian_error_bounds_are_exact():
    for failure in (0.5, 0.01, 1e-9):
        assert 2 * stats.norm.sf(gaussian.error_bound(3, failure) / 3) == pytest.approx(failure)
        assert (1 - 2 * stats.norm.sf(gaussian.error_bound(3, failure, 4) / 3)) ** 4 == pytest.approx(1 - failure)


@pytest.mark.parametrize("order", [1.5, 2.0, 8.0])
def test_renyi_divergence_of_integer_noise_is_below_that_of_real_noise(order):
    """Canonne, Kamath and Steinke's theorem, by summing; the formula gives the real noise."""
    for variance in (0.3, 1.0, 9.0):
        weights = {k: -(k**2) / (2 * variance) for k in range(-200, 201)}
        total = math.log(math.fsum(math.exp(w) for w in weights.values()))
        powers = (math.exp(order * weights[k] + (1 - order) * weights[k - 1]) for k in range(-199, 201))
        divergence = (math.log(math.fsum(powers)) - total) / (order - 1)
        assert divergence <= gaussian.renyi(order, math.sqrt(variance)) * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize(("alpha", "delta"), [(0.1, 1e-3), (0.5, 1e-6), (1, 1e-10), (3, 1e-6)])
def test_the_narrowest_offset_noise_is_between_laplace_and_gaussian(alpha, delta):
    """Offset noise is far below Gaussian noise, below Laplace noise at a large delta, and near it at a small one."""
    m, s = offset.narrowest(alpha, delta, 2.0)
    assert offset.delta(alpha, m, s, 2.0) <= delta * (1 + 1e-9)
    assert offset.variance(m, s) <= gaussian.deviation(alpha, delta, 2.0) ** 2 * (1 + 1e-9)
    assert offset.variance(m, s) <= laplace.noise_variance(2.0, alpha) * (0.9 if delta == 1e-3 else 1.05)
    for ratio in (0.0, 0.5, m / s * 0.9, min(m / s * 1.1, 25.6), 12.0):
        other = offset.deviation(alpha, delta, ratio, 2.0)
        assert offset.delta(alpha, ratio * other * 0.999, other * 0.999, 2.0) > delta
        assert offset.variance(ratio * other, other) >= offset.variance(m, s) * (1 - 1e-6)


@pytest.mark.parametrize(("alpha", "delta"), [("0.5", "0.000001"), ("2", "0.001")])
def test_offset_noise_of_a_count_keeps_alpha_and_delta_by_enumeration(alpha, delta):
    """A draw from every stretch between two thresholds gives the table's law, whose excess is summed."""
    alpha, delta = Fraction(alpha), Fraction(delta)
    thresholds = noise.table(alpha, delta, offset=True)["noise"]
    places = [0, *thresholds]
    drawn = [offset.release(5, alpha, delta, lambda u=u: u) - 5 for u in places]
    assert drawn == list(range(-(len(thresholds) // 2), len(thresholds) // 2 + 1))
    weights = [0, *np.diff([*places, 2**53]).tolist(), 0]
    bound = exact.exp_below(alpha)
    for pairs in (pairwise(weights), pairwise(weights[::-1])):
        assert sum(max(v - bound * u, 0) for u, v in pairs) / 2**53 <= delta


# Laplace noise shared among the respondents ---------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [1.0, 0.5, 0.1, 0.01])
def test_the_density_of_a_share_has_its_total_and_moments(shape):
    scale = 1.7
    assert shared.beyond(1e-280, shape, scale) == pytest.approx(1 - 1e-280 ** (2 * shape), abs=0.3)
    moments = shared.moments(round(1 / shape), scale)
    law = lambda u, k: 2 * math.exp(u * (k + 1)) * shared.density(math.exp(u), shape, scale)  # noqa: E731
    for power, expected in ((1, moments.absolute), (2, moments.variance), (4, moments.kurtosis * moments.variance**2)):
        total = integrate.quad(law, -40, 0, args=(power,))[0] + integrate.quad(law, 0, 5, args=(power,), limit=200)[0]
        assert total == pytest.approx(expected, rel=1e-6)


def test_a_single_share_of_one_person_is_laplace_noise():
    for x in (0.01, 0.3, 4.0):
        assert shared.density(x, 1.0, 2.0) == pytest.approx(stats.laplace.pdf(x, scale=2.0))
        assert shared.beyond(x, 1.0, 2.0) == pytest.approx(2 * stats.laplace.sf(x, scale=2.0))


@pytest.mark.parametrize(("present", "n", "alpha"), [(1, 10, 1.0), (5, 10, 0.3), (9, 10, 1.0), (99, 100, 3.0)])
def test_missing_shares_cost_the_stated_delta(present, n, alpha):
    """The excess of one density over e^alpha times the other is integrated on both sides of both poles."""
    shape, scale = present / n, 1 / alpha

    def excess(x):
        return max(shared.density(x, shape, scale) - math.exp(alpha) * shared.density(x - 1, shape, scale), 0)

    grid = [-math.exp(u) for u in np.linspace(4, -60, 65)]
    left = sum(integrate.quad(excess, low, high)[0] for low, high in pairwise(grid))
    grid = [math.exp(u) for u in np.linspace(-60, math.log(0.5), 65)]
    right = sum(integrate.quad(excess, low, high)[0] for low, high in pairwise(grid))
    pole = 1 - shared.beyond(math.exp(-60), shape, scale)
    assert shared.missing_delta(present, n, alpha) == pytest.approx(left + right + pole, rel=1e-4, abs=1e-7)


def test_missing_deltas_fall_as_more_are_there():
    deltas = [shared.missing_delta(present, 20, 1.0) for present in range(1, 20)]
    assert deltas == sorted(deltas, reverse=True) and 0 < deltas[-1] < 0.03
