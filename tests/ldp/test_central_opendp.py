"""OpenDP's mechanisms are a second opinion on a curator's."""

import math
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from ldp.central import composition, exponential, gaussian, laplace, tulap
from tests.support import channel_algebra

dp = pytest.importorskip("opendp.prelude")
dp.enable_features("contrib")

INTEGERS = (dp.atom_domain(T=int), dp.absolute_distance(T=int))


@pytest.mark.parametrize("alpha", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("sensitivity", [1, 2])
def test_integer_laplace_noise_has_the_same_guarantee_and_accuracy(alpha, sensitivity):
    scale = laplace.scale(sensitivity, alpha)
    assert dp.m.make_laplace(*INTEGERS, scale=scale).map(sensitivity) == pytest.approx(alpha)
    for failure in (0.5, 0.05, 1e-4):
        assert dp.laplacian_scale_to_accuracy(scale, failure) == pytest.approx(
            laplace.error_bound(sensitivity, alpha, failure)
        )


def test_integer_laplace_noise_has_the_same_law():
    """Chi-square of OpenDP's 4,000 draws against our law: it rejects the truth once in 10,000 runs."""
    release = dp.m.make_laplace(*INTEGERS, scale=1.0)
    drawn = np.clip([release(0) for _ in range(4000)], -4, 4)
    r = math.exp(-1.0)
    law = [(1 - r) / (1 + r) * r ** abs(k) for k in range(-3, 4)]
    tail = (1 - sum(law)) / 2
    counts = Counter(int(k) for k in drawn)
    observed = [counts[k] for k in range(-4, 5)]
    assert stats.chisquare(observed, [4000 * p for p in (tail, *law, tail)]).pvalue > 1e-4


@pytest.mark.parametrize("s", [1.0, 4.0])
def test_gaussian_noise_has_the_same_renyi_divergence(s):
    """OpenDP states rho, and the divergence of order r is rho r."""
    rho = dp.m.make_gaussian(*INTEGERS, scale=s).map(3)
    for order in (1.5, 2.0, 9.0):
        assert order * rho == pytest.approx(gaussian.renyi(order, s, 3))


@pytest.mark.parametrize(("s", "delta"), [(2.0, 1e-6), (10.0, 1e-9)])
def test_gaussian_alpha_is_below_opendps_which_goes_by_divergence(s, delta):
    release = dp.m.make_gaussian(*INTEGERS, scale=s)
    theirs = dp.c.make_zCDP_to_approxDP(release).map(1).epsilon(delta)
    ours = composition.from_renyi(lambda order: gaussian.renyi(order, s), delta)
    assert gaussian.delta(theirs, s) <= delta
    assert theirs == pytest.approx(ours, rel=1e-3)
    assert composition.least(lambda alpha: gaussian.delta(alpha, s), delta, 100.0) < theirs


@pytest.mark.parametrize("alpha", [0.2, 1.0])
@pytest.mark.parametrize("z", [-2.0, 7.4, 19.0, 28.3])
def test_p_values_of_tulap_noise_are_the_same(alpha, z):
    """Two-sided values are compared at one half only, because OpenDP's are symmetric about n share."""
    canonical = pytest.importorskip("opendp.extras.numpy.canonical")
    theirs = canonical.BinomialCND(z, 1.0, (alpha, 0.0), 30)
    for share in (0.1, 0.5, 0.8):
        assert theirs.p_value(share, "right") == pytest.approx(tulap.p_value(z, 30, share, alpha), abs=1e-12)
        assert theirs.p_value(share, "left") == pytest.approx(tulap.p_value(z, 30, share, alpha, "less"), abs=1e-12)
    assert theirs.p_value(0.5) == pytest.approx(tulap.p_value(z, 30, 0.5, alpha, "two-sided"), abs=1e-9)


@pytest.mark.parametrize("alpha", [0.3, 1.0, 4.0])
def test_randomized_response_gives_what_composes(alpha):
    """OpenDP's randomized response is the channel whose delta is the composed delta of one release."""
    truth = math.exp(alpha) / (1 + math.exp(alpha))
    assert dp.m.make_randomized_response_bool(prob=truth).map(1) == pytest.approx(alpha)
    channel = [[truth, 1 - truth], [1 - truth, truth]]
    assert composition.composed_delta(alpha / 2, alpha, 1) == pytest.approx(channel_algebra.excess(channel, alpha / 2))
    releases = [dp.m.make_laplace(*INTEGERS, scale=1 / alpha)] * 3
    assert dp.c.make_composition(releases).map(1) == pytest.approx(composition.basic([alpha] * 3))


def test_the_exponential_mechanism_has_the_same_law():
    """Chi-square of OpenDP's 4,000 choices with Gumbel noise: it rejects the truth once in 10,000 runs."""
    utilities, alpha = [0, 1, 3], 1.0
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    choose = dp.m.make_noisy_max(*space, dp.zero_concentrated_divergence(), scale=2 / alpha)
    counts = Counter(choose(utilities) for _ in range(4000))
    expected = [4000 * chance for chance in exponential.law(utilities, alpha)]
    assert stats.chisquare([counts[k] for k in range(3)], expected).pvalue > 1e-4
