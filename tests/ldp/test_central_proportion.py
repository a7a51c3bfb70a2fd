"""Inference for one share that a curator released: tests, intervals, their size, power and coverage (M25)."""

import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from benchmarks import comparison
from ldp.central import proportion, trust, tulap
from ldp.inference import intervals
from ldp.scores import indicator

ALPHAS = (0.2, 1.0, 3.0)
SHARES = (0.02, 0.1, 0.3, 0.5, 0.9)


# Tulap noise and the most powerful tests ------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ALPHAS)
def test_tulap_is_a_difference_of_geometric_numbers_spread_over_unit_cells(alpha):
    b = math.exp(-alpha)
    whole = np.arange(-400, 401)
    mass = (1 - b) / (1 + b) * b ** np.abs(whole)
    for x in (-3.2, -0.5, -0.1, 0.0, 0.4, 0.5, 2.7):
        spread = mass @ np.clip(x - whole + 0.5, 0, 1)
        assert tulap.cdf(x, alpha) == pytest.approx(spread, abs=1e-12)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_tests_noise_keeps_alpha(alpha):
    """Counts that differ by one give densities within a factor of e^alpha, which is reached."""
    points = np.arange(-20, 20, 0.25) + 0.1
    steps = [tulap.cdf(points + 0.01 - k, alpha) - tulap.cdf(points - k, alpha) for k in (0, 1)]
    inner = np.abs(points) * alpha < 12  # farther out the differences of the distribution function have no digits left
    ratios = steps[0][inner] / steps[1][inner]
    assert max(ratios.max(), 1 / ratios.min()) == pytest.approx(math.exp(alpha), rel=1e-6)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_test_has_exactly_its_level(alpha, share):
    """P(p <= level) is the level under the hypothesis: the noise beyond the critical value, summed over counts."""
    n, level = 30, 0.05
    grid = np.linspace(-60, 90, 60_001)
    values = np.array([tulap.p_value(z, n, share, alpha) for z in grid[::200]])
    assert (np.diff(values) <= 1e-12).all()
    low, high = -60.0, 120.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if tulap.p_value(middle, n, share, alpha) > level else (low, middle)
    counts = np.arange(n + 1)
    beyond = 1 - tulap.cdf(high - counts, alpha)
    assert stats.binom.pmf(counts, n, share) @ beyond == pytest.approx(level, rel=1e-6)
    assert tulap.critical_value(n, share, alpha, level) == pytest.approx(high)
    assert tulap.power(n, share, share, alpha, level) == pytest.approx(level)


def _releases(n, share, alpha, size, seed):
    generator = np.random.default_rng(seed)
    b = math.exp(-alpha)
    noise = generator.geometric(1 - b, size) - generator.geometric(1 - b, size) + generator.random(size) - 0.5
    return generator.binomial(n, share, size) + noise


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize(("n", "share", "alpha"), [(30, 0.1, 1.0), (100, 0.5, 0.2), (20, 0.3, 3.0)])
def test_p_values_are_uniform_under_the_hypothesis(alternative, n, share, alpha):
    """Kolmogorov and Smirnov's test on 600 surveys rejects the truth once in 10,000 runs."""
    found = [tulap.p_value(z, n, share, alpha, alternative) for z in _releases(n, share, alpha, 600, n)]
    assert stats.kstest(found, "uniform").pvalue > 1e-4


def _two_sided_power(n, null, share, alpha, level):
    """Return the chance of rejecting "exactly null" at a share."""
    far = n + 10 + math.log(2 / level) / alpha
    beyond = lambda z: tulap.p_value(z, n, null, alpha, "two-sided") - level  # noqa: E731
    high = optimize.brentq(beyond, tulap._centre(n, null, alpha), far, xtol=1e-9)
    low = tulap.partner(high, n, null, alpha)
    return tulap.at_least(high, n, share, alpha) + tulap.at_most(low, n, share, alpha)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("null", [0.05, 0.4, 0.5])
def test_the_two_sided_test_is_unbiased(alpha, null):
    """The power is least, and equal to the level, at the hypothesis. The test is symmetric at one half."""
    n, level = 40, 0.05
    assert _two_sided_power(n, null, null, alpha, level) == pytest.approx(level, rel=1e-6)
    for share in np.linspace(0.01, 0.99, 15):
        assert _two_sided_power(n, null, share, alpha, level) >= level * (1 - 1e-6)
    if null == 0.5:
        for z in (3.3, 12.0, 19.2, 26.0):
            assert tulap.partner(z, n, 0.5, alpha) == pytest.approx(n - z, abs=1e-6)


@pytest.mark.parametrize("alpha", [0.1, 1.0])
@pytest.mark.parametrize("n", [30, 100, 300])
@pytest.mark.parametrize("null", [0.1, 0.4])
def test_no_other_test_of_the_same_size_has_more_power(n, alpha, null):
    """The normal and the fiducial test are compared with the most powerful one at their real sizes."""
    for other in (proportion.normal_power, proportion.fiducial_power):
        size = other(n, null, null, alpha, 0.05)
        for share in (null + 0.05, null + 0.2, null + 0.5):
            assert tulap.power(n, null, share, alpha, size) >= other(n, null, share, alpha, 0.05) - 1e-9


@pytest.mark.parametrize("alpha", [0.1, 1.0, None])
@pytest.mark.parametrize("n", [30, 100])
def test_sizes_are_what_the_tests_say(n, alpha):
    """The most powerful test has its level, the fiducial one at most 1.1 times it, the normal one .8 to 1.3 times."""
    for null in (0.3, 0.5):
        assert proportion.most_powerful(n, null, null, alpha, 0.05) == pytest.approx(0.05)
        assert proportion.fiducial_power(n, null, null, alpha, 0.05) <= 0.055
        assert 0.04 <= proportion.normal_power(n, null, null, alpha, 0.05) <= 0.065
        assert proportion.most_powerful(n, null, null + 0.3, alpha, 0.05) > 0.1


def test_powers_by_simulation():
    """Each power of 20,000 releases is within 4 standard errors; by luck it is not once in 16,000 runs."""
    n, null, share, alpha = 50, 0.3, 0.5, 0.5
    generator = np.random.default_rng(9)
    released = (generator.binomial(n, share, 20_000) + generator.laplace(scale=1 / alpha, size=20_000)) / n
    deviation = math.sqrt(null * (1 - null) / n + 2 / (alpha * n) ** 2)
    refused = (released > null + stats.norm.isf(0.05) * deviation).mean()
    assert refused == pytest.approx(
        proportion.normal_power(n, null, share, alpha, 0.05), abs=4 * 0.5 / math.sqrt(20_000)
    )
    by_count = (_releases(n, share, alpha, 20_000, 3) > tulap.critical_value(n, null, alpha, 0.05)).mean()
    assert by_count == pytest.approx(tulap.power(n, null, share, alpha, 0.05), abs=4 * 0.5 / math.sqrt(20_000))


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize(("n", "alpha", "z"), [(30, 1.0, 7.3), (100, 0.2, 55.0), (20, 3.0, 0.4), (10, 1.0, 10.2)])
def test_intervals_hold_what_the_test_keeps(alternative, n, alpha, z):
    low, high = tulap.interval(z, n, alpha, 0.95, alternative)
    assert 0 <= low <= high <= 1
    for share in np.linspace(0.005, 0.995, 60):
        if min(abs(share - low), abs(share - high)) > 1e-6:
            kept = tulap.p_value(z, n, share, alpha, alternative) > 0.05
            assert kept == (low < share < high)


def test_releases_far_outside_leave_the_nearest_share():
    assert tulap.interval(-9.0, 20, 1.0, 0.95) == (0.0, 0.0)
    assert tulap.interval(29.0, 20, 1.0, 0.95) == (1.0, 1.0)


@pytest.mark.parametrize(("n", "share", "alpha"), [(30, 0.1, 1.0), (100, 0.4, 0.5)])
def test_two_sided_intervals_cover_exactly_as_often_as_promised(n, share, alpha):
    """Intervals contain the share for releases between one and its partner, and no others. Their chance is .9."""
    low, high = -20.0, n * share
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if tulap.p_value(middle, n, share, alpha, "two-sided") < 0.1 else (low, middle)
    other = tulap.partner(high, n, share, alpha)
    covered = 1 - tulap.at_most(high, n, share, alpha) - tulap.at_least(other, n, share, alpha)
    assert covered == pytest.approx(0.9, abs=1e-9)
    for z, inside in ((high - 0.01, False), (high + 0.01, True), (other - 0.01, True), (other + 0.01, False)):
        found = tulap.interval(z, n, alpha, 0.9)
        assert (found.low <= share <= found.high) == inside


# Normal approximation and fiducial law --------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.5, 2.0])
@pytest.mark.parametrize("share", [0.2, 0.5])
def test_normal_interval_covers_about_as_often_as_promised(alpha, share):
    """The coverage is exact over the count, with a fine sum over the noise. The approximation is good at n = 400."""
    n, scale = 400, 1 / (400 * alpha)
    levels = (np.arange(200) + 0.5) / 200
    noises = stats.laplace.ppf(levels, scale=scale)
    counts = np.arange(n + 1)
    weights = stats.binom.pmf(counts, n, share)
    coverage = 0.0
    for count in counts[weights > 1e-9]:
        found = [proportion.normal_interval(count / n + noise, n, alpha, 0.95) for noise in noises]
        coverage += weights[count] * np.mean([low <= share <= high for low, high in found])
    assert coverage == pytest.approx(0.95, abs=0.01)
    assert coverage == pytest.approx(proportion.coverage("normal", n, alpha, share, 0.95), abs=2e-3)


def test_normal_interval_lies_in_the_unit_interval():
    for value in (-5.0, -0.01, 0.0, 0.5, 1.0, 1.3):
        low, high = proportion.normal_interval(value, 50, 0.1, 0.95)
        assert 0 <= low <= high <= 1


@pytest.mark.parametrize(
    ("released", "n", "alpha", "share"), [(0.2, 100, 1.0, 0.15), (0.01, 50, 0.1, 0.3), (0.7, 5, 4.0, 0.8)]
)
def test_the_fiducial_law_by_another_integration(released, n, alpha, share):
    density = lambda t: (  # noqa: E731
        stats.laplace.pdf(released - t, scale=1 / (n * alpha)) * stats.beta.cdf(share, n * t + 0.5, n * (1 - t) + 0.5)
    )
    inside = integrate.quad(density, 0, 1, points=[released], epsabs=1e-12, limit=500)[0]
    below = stats.laplace.sf(released, scale=1 / (n * alpha))
    assert proportion.fiducial_cdf(share, released, n, alpha) == pytest.approx(inside + below, abs=1e-9)


def test_without_noise_the_rules_give_jeffreys_and_clopper_and_pearson():
    for count in (0, 3, 20):
        n, law = 20, indicator(1, 0)
        jeffreys = comparison.jeffreys(count, n, law, 0.9)
        assert proportion.fiducial_interval(count / n, n, None, 0.9) == pytest.approx(jeffreys, abs=1e-8)
        exact = intervals.exact(count, n, law, 0.9, "population")
        assert proportion.outer(count / n, n, None, 0.9) == pytest.approx(exact, abs=1e-8)


@pytest.mark.parametrize("alpha", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("n", [10, 30, 300])
def test_coverage_tables(n, alpha):
    """The fiducial interval covers .93 to .99, at least .945 up to alpha 1; the outer rules at least .95."""
    for share in SHARES:
        fiducial = proportion.coverage("fiducial", n, alpha, share, 0.95)
        assert (0.945 if alpha <= 1 else 0.93) <= fiducial <= 0.99
        assert proportion.coverage("outer", n, alpha, share, 0.95) >= 0.95
        assert proportion.coverage("normal", n, alpha, share, 0.95) >= 0.9


@pytest.mark.parametrize("method", ["fiducial", "outer"])
def test_coverage_by_simulation(method):
    """The test rejects the truth once in 10,000 runs. Intervals end at the stated releases."""
    n, alpha, share, generator = 40, 1.0, 0.1, np.random.default_rng(17)
    released = (generator.binomial(n, share, 20_000) + generator.laplace(scale=1 / alpha, size=20_000)) / n
    first, last = proportion.releases(method, n, alpha, share, 0.9)
    covered = int(((released >= first) & (released <= last)).sum())
    assert stats.binomtest(covered, 20_000, proportion.coverage(method, n, alpha, share, 0.9)).pvalue > 1e-4
    interval = {"fiducial": proportion.fiducial_interval, "outer": proportion.outer}[method]
    assert interval(first, n, alpha, 0.9).high == pytest.approx(share, abs=1e-6)
    assert interval(last, n, alpha, 0.9).low == pytest.approx(share, abs=1e-6)


# The three models side by side ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "alpha", "d"), [(100, 1.0, 2), (2000, 0.5, 6), (50_000, 2.0, 3)])
def test_the_rows_of_trust(n, alpha, d):
    rows = trust.rows(n, alpha, d, 0.3, 0.95)
    widths = [row.interval.high - row.interval.low for row in rows]
    assert [row.trust for row in rows] == ["none", "curator", "curator", "curator", "local"]
    assert max(widths[:-1]) < widths[-1]
    for row in rows:
        assert 0 <= row.interval.low <= 0.3 <= row.interval.high <= 1
        assert row.coverage >= (0.95 if row.method == "exact" else 0.94)


def test_the_local_row_counts_binomially_with_the_tables_chances():
    law = trust.local_law(1.0, 2)
    assert float(law.a) == pytest.approx(math.e / (1 + math.e))
    assert float(trust.local_law(1.0, 40).a) < 0.6
    row = trust.rows(200, 1.0, 2, 0.3, 0.9)[-1]
    chance = float(law.b) + float(law.gap) * 0.3
    generator = np.random.default_rng(2)
    totals = generator.binomial(200, chance, 400)
    covered = sum(
        low <= 0.3 <= high for low, high in (intervals.exact(int(t), 200, law, 0.9, "population") for t in totals)
    )
    # 400 surveys: the test rejects the truth once in 10,000 runs.
    assert stats.binomtest(covered, 400, row.coverage).pvalue > 1e-4
