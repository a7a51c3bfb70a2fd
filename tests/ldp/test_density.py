"""Densities, distribution functions and quantiles from histograms, with atoms (M18)."""

from fractions import Fraction

import numpy as np
import pytest

from ldp.inference import covariance, density, estimates, hypotheses
from ldp.mechanisms import bitwise
from ldp.planning import simulation
from ldp.scores import independent

EDGES = [0, 10, 20, 30, 50, 100]
SHARES = np.array([0.1, 0.3, 0.2, 0.3, 0.1])
NOTHING = np.zeros((5, 5))


def test_heights_times_widths_are_the_shares():
    heights = density.heights(SHARES, EDGES)
    assert heights == pytest.approx([0.01, 0.03, 0.02, 0.015, 0.002])
    assert heights @ np.diff(EDGES) == pytest.approx(1)


def test_negative_estimates_stay_in_the_density_and_leave_the_distribution_function():
    found = [0.4, -0.2, 0.5, 0.35, -0.05]
    assert density.heights(found, EDGES)[1] < 0
    function = density.cumulated(found, EDGES)
    # Cumulated .4 .2 .7 1.05; the first two pooled to .3, the last cut to 1.
    assert function == pytest.approx([0, 0.3, 0.3, 0.7, 1, 1])


def test_the_distribution_function_is_among_those_with_a_number():
    with_refusals = np.append(0.8 * SHARES, 0.2)
    assert density.cumulated(with_refusals, EDGES) == pytest.approx(density.cumulated(SHARES, EDGES))


@pytest.mark.parametrize(
    ("level", "value", "k"), [(0.05, 5, 0), (0.1, 10, 0), (0.25, 15, 1), (0.5, 25, 2), (0.75, 40, 3), (0.95, 75, 4)]
)
def test_quantiles_without_noise_are_those_of_even_bins(level, value, k):
    found = density.quantile(SHARES, NOTHING, EDGES, level, 0.95)
    assert (found.value, found.bin) == (pytest.approx(value), k)
    assert found.interpolated == pytest.approx((value, value), abs=1e-6)
    if level == 0.1:  # the edge itself: both bins beside it are kept
        assert found.interval == (0, 20)
    else:
        assert found.interval == (EDGES[k], EDGES[k + 1])


def test_an_empty_stretch_at_the_level_gives_its_middle():
    found = density.quantile([0.5, 0, 0, 0.5, 0], NOTHING, EDGES, 0.5, 0.95)
    assert found.value == 20 and found.interpolated.low == found.interpolated.high == 20
    assert found.interval.low <= 10 and found.interval.high >= 30


def test_an_atom_keeps_the_quantile_in_its_bin_and_is_reported():
    atom = [0.02, 0.9, 0.03, 0.03, 0.02]
    assert density.atoms(atom, EDGES) == [1]
    moments = bitwise.moments(bitwise.table(Fraction(1), 5), 5)["support"]
    cov = covariance.covariance(atom, 3000, moments, independent(moments), "population")
    for level in (0.25, 0.5, 0.75):
        found = density.quantile(atom, cov, EDGES, level, 0.95)
        assert found.atom and found.bin == 1 and found.interval == (10, 20)
    # Beyond the atom, too close to call: the atom stays among the possible bins.
    beyond = density.quantile(atom, cov, EDGES, 0.94, 0.95)
    assert not beyond.atom and beyond.interval.low <= 10


def test_two_bins_and_one_bin_are_enough():
    assert density.quantile([0.5, 0.5], np.zeros((2, 2)), [0, 1, 3], 0.25, 0.95).value == pytest.approx(0.5)
    assert density.quantile([1.0, 0.0], np.zeros((2, 2)), [0, 4], 0.25, 0.95).value == pytest.approx(1)


@pytest.mark.parametrize("level", [0, 1, -0.5])
def test_a_level_outside_is_refused(level):
    with pytest.raises(ValueError, match="between 0 and 1"):
        density.quantile(SHARES, NOTHING, EDGES, level, 0.95)


# 1000 surveys: at coverage exactly .95 fewer than 919 cover for 1.2e-5 of all seeds.
SURVEYS, COVERED_MIN, N = 1000, 919, 800


@pytest.mark.parametrize("refused", [0.0, 0.3])
@pytest.mark.parametrize("target", estimates.TARGETS)
def test_intervals_in_whole_bins_hold_the_bin_of_the_quantile(target, refused):
    """Levels inside a bin and one exactly at an edge, where the band is put to the test on both sides."""
    generator = np.random.default_rng(18)
    true = np.append((1 - refused) * SHARES, refused) if refused else SHARES
    d = len(true)
    moments = bitwise.moments(bitwise.table(Fraction(2), d), d)["support"]
    if target == "population":
        counts = simulation.population_counts(true, N, SURVEYS, generator)
    else:
        counts = np.tile(np.round(true * N).astype(int), (SURVEYS, 1))
    levels = {0.25: (10, 20), 0.5: (20, 30), 0.4: (20, 20), 0.85: (30, 50)}
    covered = dict.fromkeys(levels, 0)
    widths = dict.fromkeys(levels, 0.0)
    for totals in simulation.bit_totals(counts, moments, generator):
        found = estimates.shares(totals, N, moments)
        cov = hypotheses.estimated_covariance(found, N, moments, independent(moments), target)
        for level, (left, right) in levels.items():
            quantile = density.quantile(found, cov, EDGES, level, 0.95)
            covered[level] += quantile.interval.low <= left and right <= quantile.interval.high
            widths[level] += quantile.interval.high - quantile.interval.low
            assert quantile.interval.low <= quantile.interpolated.low <= quantile.interpolated.high
            assert quantile.interpolated.high <= quantile.interval.high
            assert EDGES[quantile.bin] <= quantile.value <= EDGES[quantile.bin + 1]
    assert min(covered.values()) >= COVERED_MIN, covered
    assert widths[0.25] / SURVEYS < 20 and widths[0.5] / SURVEYS < 40


def test_interpolated_intervals_cover_where_numbers_lie_evenly():
    generator = np.random.default_rng(19)
    moments = bitwise.moments(bitwise.table(Fraction(2), 5), 5)["support"]
    counts = simulation.population_counts(SHARES, N, SURVEYS, generator)
    covered = 0
    for totals in simulation.bit_totals(counts, moments, generator):
        found = estimates.shares(totals, N, moments)
        cov = hypotheses.estimated_covariance(found, N, moments, independent(moments), "population")
        low, high = density.quantile(found, cov, EDGES, 0.5, 0.95).interpolated
        covered += low <= 25 <= high
    assert covered >= COVERED_MIN
