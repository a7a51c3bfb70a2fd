"""Gaussian and OSGT noise in bins (M6): delta from the integer table, exactly, and the published figures."""

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from scipy import integrate

from ldp import exact
from ldp.central import offset
from ldp.mechanisms import gaussian, laplace, osgt
from ldp.tables import noise, shapes
from tests.support.channels import SMALL, delta
from tests.support.stated_channels import noise_channel

# The published example: D = 1, m = 3, s^2 = 40.
M, S = 3.0, math.sqrt(40)
SAME_VARIANCE = math.sqrt(offset.variance(M, S))


def test_the_published_figures_to_four_digits():
    assert offset.variance(M, S) == pytest.approx(27.7047, abs=5e-5)
    assert offset.delta(0.5, M, S) == pytest.approx(6.787e-5, abs=5e-9)
    assert offset.delta(0.5, 0, SAME_VARIANCE) == pytest.approx(3.214e-4, abs=5e-8)
    assert offset.alpha(1e-10, M, S) == pytest.approx(0.9366, abs=5e-5)
    assert offset.alpha(1e-10, 0, SAME_VARIANCE) == pytest.approx(1.1199, abs=5e-5)


def test_the_density_has_the_stated_total_and_variance():
    half = integrate.quad(offset.density, 0, 90, args=(M, S))[0]
    second = integrate.quad(lambda y: y**2 * offset.density(y, M, S), 0, 90)[0]
    assert (2 * half, 2 * second) == pytest.approx((1, offset.variance(M, S)))


@pytest.mark.parametrize("alpha", [0, 0.01, 0.05, 0.0874, 0.0876, 0.1, 0.5, 1])
@pytest.mark.parametrize(("m", "s", "sensitivity"), [(3, S, 1), (0, 2, 1.5), (0.5, 1, 2)])
def test_delta_is_the_integral_on_both_sides_of_the_kink(alpha, m, s, sensitivity):
    """The published formula holds above D^2/(2 s^2) + D m/s^2 (0.0875 for the first); below, the other piece does."""

    def excess(y):
        return max(offset.density(y, m, s) - math.exp(alpha) * offset.density(y - sensitivity, m, s), 0)

    ends = [-12 * s - m, -4 * s, -s, 0, sensitivity / 2, sensitivity]
    total = sum(integrate.quad(excess, low, high, limit=400)[0] for low, high in pairwise(ends))
    assert offset.delta(alpha, m, s, sensitivity) == pytest.approx(total, rel=1e-5, abs=1e-12)


@pytest.mark.parametrize("order", [1.5, 2, 3, 8, 20])
@pytest.mark.parametrize(("m", "s", "sensitivity"), [(3, S, 1), (1, 2, 1), (0, 2, 1.5), (0.5, 1, 1)])
def test_renyi_divergence_agrees_with_numerical_integration(order, m, s, sensitivity):
    """The closed form of M6 is right. The code computes its middle piece from the other tail of the normal law."""

    def logarithm(y):
        return -((abs(y) + m) ** 2) / (2 * s**2) - math.log(math.sqrt(2 * math.pi) * s * 2 * offset.tail(m / s))

    def power(y):
        return math.exp(order * logarithm(y) + (1 - order) * logarithm(y - sensitivity))

    ends = [-12 * s - order * sensitivity - m, -order * sensitivity, 0, sensitivity, sensitivity + 12 * s]
    total = sum(integrate.quad(power, low, high, epsabs=0, epsrel=1e-11)[0] for low, high in pairwise(ends))
    assert offset.renyi(order, m, s, sensitivity) == pytest.approx(math.log(total) / (order - 1), rel=1e-9)


def test_renyi_divergence_of_the_gaussian_and_of_several_coordinates():
    assert offset.renyi(3, 0, 2, 1.5) == pytest.approx(3 * 1.5**2 / (2 * 2**2))
    assert offset.renyi(2, M, S, coordinates=2) == pytest.approx(2 * offset.renyi(2, M, S))


@pytest.mark.parametrize("thresholds", [[3, 13], [1, 4, 12, 15], [2, 3, 13, 14], [1, 15], [5, 6, 10, 11]])
@pytest.mark.parametrize("alpha", ["0.01", "0.5", "1", "3"])
def test_delta_of_a_table_is_that_of_its_channel(thresholds, alpha, monkeypatch):
    """The running totals equal the sum over all pairs of values, compared with == on the enumerated channel."""
    monkeypatch.setattr("ldp.exact.RESOLUTION", 16)
    table = {"noise": thresholds}
    found = noise.delta_of(noise.weights(table), Fraction(alpha))
    assert found == delta(noise_channel(2, table, 16), exact.exp_short(Fraction(alpha)))


def test_delta_does_not_depend_on_the_number_of_bins(monkeypatch):
    monkeypatch.setattr("ldp.exact.RESOLUTION", 16)
    table = SMALL["osgt"].table
    factor = exact.exp_short(Fraction(1, 2))
    assert delta(noise_channel(2, table, 16), factor) == delta(noise_channel(3, table, 16), factor)


CASES = [("0.1", "0.001"), ("0.2", "0.000000000001"), ("0.5", "0.000001"), ("1", "0.000001"), ("1", "0.001")]
CASES += [("2", "0.000000001"), ("4", "0.000001"), ("10", "0.000000000001")]


@pytest.mark.parametrize(("alpha", "stated"), CASES)
@pytest.mark.parametrize("mechanism", [osgt, gaussian])
def test_every_table_keeps_its_alpha_and_delta(mechanism, alpha, stated):
    alpha, stated = Fraction(alpha), Fraction(stated)
    table = mechanism.table(alpha, 4, stated)
    assert mechanism.certified(table, 4, alpha, stated)
    weights = noise.weights(table)
    assert weights == weights[::-1] and sum(weights) == 2**53 and len(weights) // 2 <= shapes.REACH_MAX
    assert noise.realized_delta(table, alpha) <= float(stated)
    realized = mechanism.realized_alpha(table, 4, stated)
    assert realized <= float(alpha) + 1e-9
    if mechanism is osgt and alpha < 10:
        assert realized > 0.999 * float(alpha)


@pytest.mark.parametrize(("alpha", "stated"), CASES)
def test_osgt_is_never_noisier_than_gaussian_or_laplace(alpha, stated):
    alpha, stated = Fraction(alpha), Fraction(stated)
    variance = {
        module.__name__: float(module.moments(module.table(alpha, 4, stated), 4)["sum"].v_b)
        for module in (osgt, gaussian)
    }
    assert variance["ldp.mechanisms.osgt"] <= variance["ldp.mechanisms.gaussian"]
    r = math.exp(-float(alpha) / 2)
    assert variance["ldp.mechanisms.osgt"] <= 2 * r / (1 - r) ** 2 * (1 + 1e-4)


def test_a_generous_delta_buys_less_noise():
    pure = laplace.moments(laplace.table(Fraction(1), 4), 4)["sum"]
    table = osgt.table(Fraction(1), 4, Fraction(1, 1000))
    moments = osgt.moments(table, 4)["sum"]
    assert float(moments.v_b) < 0.97 * float(pure.v_b / pure.gap**2)
    assert (moments.a, moments.b) == (1, 0), "the noise is symmetric"


def test_certificate_refuses_tables_that_are_too_narrow_or_no_tables():
    table = gaussian.table(Fraction(1), 4)
    thresholds = table["noise"]
    assert noise.certified(table, 4, Fraction(1))
    assert not noise.certified(table, 4, Fraction(9, 10))
    assert not noise.certified({"noise": thresholds[1:-1]}, 4, Fraction(1), Fraction(1, 10**7))
    for wrong in (thresholds[:-1], thresholds[::-1], [0, *thresholds[1:]], [*thresholds[:-1], 2**53]):
        assert not noise.certified({"noise": wrong}, 4, Fraction(1))


@pytest.mark.parametrize("mechanism", [osgt, gaussian])
def test_what_would_need_too_wide_a_table_is_refused(mechanism):
    with pytest.raises(ValueError, match="needs noise beyond"):
        mechanism.table(Fraction(1, 100), 4, Fraction(1, 10**12))
