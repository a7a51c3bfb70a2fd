"""A trusted curator's mechanisms keep their alpha, and inference from what they release holds (M23 to M25)."""

import math
import random
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from ldp import bounds
from ldp.central import curator as central
from ldp.central import proportion as released

ALPHAS = (0.2, 1.0, 3.0)
SLACK = 1 + 1e-9


def _worst(law, other):
    return max(max(p / q, q / p) for p, q in zip(law, other, strict=True))


# M23 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [1, 20, 1000])
def test_laplace_noise_is_above_the_two_point_bound(n, alpha):
    """One of the two populations that the bound is about always has the error, sampling included."""
    noise = central.laplace_scale(1, alpha) / n
    assert central.two_point_bound(n, alpha) <= noise
    assert central.two_point_bound(10**6, alpha) == pytest.approx(1 / (4 * math.e * 10**6 * alpha))


def test_the_price_of_locality_grows_with_the_root_of_n():
    """Local noise falls as 1/sqrt(n), a curator's as 1/n: for large n the price is that of randomization against
    sampling.
    """
    prices = []
    for n in (10**2, 10**4, 10**8):
        local = 1 / (4 * n * bounds.gap_squared(0.2))
        prices.append(central.price(local, central.variance(0.25, n, 0.2)))
    assert prices[0] < prices[1] < prices[2]
    assert prices[2] == pytest.approx(1 / math.tanh(0.1), rel=1e-4)


# M24 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ALPHAS)
def test_exponential_mechanism_keeps_alpha(alpha):
    utilities = [3.0, 0.0, 7.0, 7.0]
    for changes in np.ndindex(3, 3, 3, 3):
        neighbour = [u + change - 1 for u, change in zip(utilities, changes, strict=True)]
        worst = _worst(central.exponential(utilities, alpha), central.exponential(neighbour, alpha))
        assert worst <= math.exp(alpha) * SLACK


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("failure", [0.01, 0.3])
def test_exponential_mechanism_rarely_falls_short(alpha, failure):
    utilities = [-float(k % 40) for k in range(120)]
    allowed = central.shortfall(alpha, len(utilities), failure)
    law = central.exponential(utilities, alpha)
    assert sum(p for p, u in zip(law, utilities, strict=True) if u <= -allowed) <= failure


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("joins", [(1, 0, 0), (0, 1, 1), (1, 1, 1)])
def test_report_noisy_max_keeps_alpha_where_counts_only_rise(alpha, joins):
    """The winner's law by integration over its own noise."""
    noise = stats.laplace(scale=1 / alpha)

    def law(counts):
        def wins(i):
            others = [count for j, count in enumerate(counts) if j != i]
            density = lambda y: noise.pdf(y - counts[i]) * np.prod([noise.cdf(y - count) for count in others])  # noqa: E731
            return integrate.quad(density, -60 / alpha, 60 / alpha, points=sorted(set(counts)), limit=400)[0]

        return [wins(i) for i in range(len(counts))]

    counts = (4.0, 5.0, 3.0)
    joined = tuple(c + join for c, join in zip(counts, joins, strict=True))
    assert sum(law(counts)) == pytest.approx(1)
    assert _worst(law(counts), law(joined)) <= math.exp(alpha) * (1 + 1e-6)


def test_report_noisy_max_without_noise_is_the_maximum():
    assert central.noisy_max([1, 9, 4], lambda: 0.0) == 1
    noises = iter([10.0, 0.0, 0.0])
    assert central.noisy_max([1, 9, 4], lambda: next(noises)) == 0


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [1, 2, 7, 8])
def test_majority_keeps_alpha_and_uses_all_of_it(alpha, n):
    chances = [central.majority(yes, n, alpha) for yes in range(n + 1)]
    ratios = [_worst((p, 1 - p), (q, 1 - q)) for p, q in pairwise(chances)]
    assert max(ratios) == pytest.approx(math.exp(alpha))
    assert all((chance > 0.5) == (2 * yes > n) for yes, chance in enumerate(chances))


@pytest.mark.parametrize("alpha", ALPHAS)
def test_inverse_sensitivity_keeps_alpha_for_more_than_two_outcomes(alpha):
    first, second = [0, 2, 5], [1, 1, 4]
    laws = central.inverse_sensitivity(first, alpha), central.inverse_sensitivity(second, alpha)
    assert _worst(*laws) <= math.exp(alpha) * SLACK


def _chance(law, low, high):
    return sum(
        piece.chance * max(0.0, min(high, piece.high) - max(low, piece.low)) / (piece.high - piece.low) for piece in law
    )


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("level", [0.25, 0.5])
def test_private_quantile_keeps_alpha(alpha, level):
    values = [1.0, 2.5, 4.0, 4.0, 7.0]
    first = central.quantile(values, level, 0, 10, alpha)
    for changed in (0.0, 3.0, 10.0, 99.0):
        second = central.quantile([*values[:2], changed, *values[3:]], level, 0, 10, alpha)
        cells = [(k / 10, (k + 1) / 10) for k in range(100)]
        worst = _worst([_chance(first, *cell) for cell in cells], [_chance(second, *cell) for cell in cells])
        assert worst <= math.exp(alpha) * SLACK


def test_private_quantile_finds_the_quantile():
    values = [k / 100 for k in range(1000)]
    assert _chance(central.quantile(values, 0.25, 0, 10, 1.0), 2.2, 2.8) > 0.99


def test_blurring_lets_a_private_quantile_find_an_atom():
    """Between equal values there is no room: where all say 5.0 the median is lost until they are blurred."""
    atom = [5.0] * 1000
    blurred = central.blurred(atom, 0.2, random.Random(1).random)
    assert _chance(central.quantile(atom, 0.5, 0, 10, 1.0), 4.9, 5.1) < 0.05
    assert _chance(central.quantile(blurred, 0.5, 0, 10, 1.0), 4.9, 5.1) > 0.999


# M25 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ALPHAS)
def test_tulap_is_a_difference_of_geometric_numbers_spread_over_unit_cells(alpha):
    b = math.exp(-alpha)
    whole = np.arange(-400, 401)
    mass = (1 - b) / (1 + b) * b ** np.abs(whole)
    for x in (-3.2, -0.5, -0.1, 0.0, 0.4, 0.5, 2.7):
        spread = mass @ np.clip(x - whole + 0.5, 0, 1)
        assert released.tulap_cdf(x, alpha) == pytest.approx(spread, abs=1e-12)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_test_has_exactly_its_level(alpha, share):
    """P(p <= level) under the hypothesis is the level: a sum over counts of the noise beyond the critical value."""
    n, level = 30, 0.05
    grid = np.linspace(-60, 90, 60_001)
    values = np.array([released.p_value(z, n, share, alpha) for z in grid[::200]])
    assert (np.diff(values) <= 1e-12).all()
    low, high = -60.0, 120.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if released.p_value(middle, n, share, alpha) > level else (low, middle)
    counts = np.arange(n + 1)
    beyond = 1 - released.tulap_cdf(high - counts, alpha)
    assert stats.binom.pmf(counts, n, share) @ beyond == pytest.approx(level, rel=1e-6)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_tests_noise_keeps_alpha(alpha):
    """Counts that differ by one give densities within e^alpha, and the bound is met."""
    points = np.arange(-20, 20, 0.25) + 0.1
    steps = [released.tulap_cdf(points + 0.01 - k, alpha) - released.tulap_cdf(points - k, alpha) for k in (0, 1)]
    inner = np.abs(points) * alpha < 12  # farther out the differences of the distribution function have no digits left
    ratios = steps[0][inner] / steps[1][inner]
    assert max(ratios.max(), 1 / ratios.min()) == pytest.approx(math.exp(alpha), rel=1e-6)


@pytest.mark.parametrize("alpha", [0.5, 2.0])
@pytest.mark.parametrize("share", [0.2, 0.5])
def test_normal_interval_covers_about_as_often_as_promised(alpha, share):
    """Exact over the count, by a fine sum over the noise; the approximation is good at n = 400."""
    n, scale = 400, 1 / (400 * alpha)
    levels = (np.arange(200) + 0.5) / 200
    noises = stats.laplace.ppf(levels, scale=scale)
    counts = np.arange(n + 1)
    weights = stats.binom.pmf(counts, n, share)
    coverage = 0.0
    for count in counts[weights > 1e-9]:
        found = [released.normal_interval(count / n + noise, n, alpha, 0.95) for noise in noises]
        coverage += weights[count] * np.mean([low <= share <= high for low, high in found])
    assert coverage == pytest.approx(0.95, abs=0.01)


def test_normal_interval_lies_in_the_unit_interval():
    for value in (-5.0, -0.01, 0.0, 0.5, 1.0, 1.3):
        low, high = released.normal_interval(value, 50, 0.1, 0.95)
        assert 0 <= low <= high <= 1
