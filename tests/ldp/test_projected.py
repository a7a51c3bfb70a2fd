"""Presentable shares are the nearest on the simplex, and are biased (M14)."""

import numpy as np
import pytest
from scipy import stats

from ldp.exact import parse_alpha
from ldp.inference import estimates
from ldp.mechanisms import randomized_response

GENERATOR_SEED = 14


def law_of(alpha, d):
    return randomized_response.moments(randomized_response.table(parse_alpha(alpha), d), d)["support"]


@pytest.mark.parametrize("d", [1, 2, 5, 64])
def test_projection_is_the_nearest_point(d):
    """v is nearest to x on the simplex if and only if (x - v).(e_k - v) <= 0 for every corner e_k."""
    generator = np.random.default_rng(GENERATOR_SEED)
    for scale in (0.01, 1, 100):
        x = generator.normal(1 / d, scale, d)
        v = estimates.onto_simplex(x)
        assert v.min() >= 0 and v.sum() == pytest.approx(1)
        assert np.max((x - v) - (x - v) @ v) <= 1e-9 * scale
        assert estimates.onto_simplex(v) == pytest.approx(v)


def test_projection_of_a_hand_computed_case():
    assert estimates.onto_simplex([0.9, 0.4, -0.3]) == pytest.approx([0.75, 0.25, 0])


@pytest.mark.parametrize("share", [0.0, 0.1])
def test_presentable_shares_are_biased_and_the_unbiased_are_not(share):
    """All totals of 20 reports to a yes/no question at alpha 1 are enumerated."""
    moments, n = law_of("1", 2), 20
    totals = np.arange(n + 1)
    weights = stats.binom.pmf(totals, n, float(moments.b) + float(moments.gap) * share)
    both = np.stack([totals, n - totals], axis=1)
    unbiased = weights @ [estimates.shares(t, n, moments)[0] for t in both]
    nearest = weights @ [estimates.onto_simplex(estimates.shares(t, n, moments))[0] for t in both]
    assert unbiased == pytest.approx(share, abs=1e-12)
    assert nearest > share + 0.04
