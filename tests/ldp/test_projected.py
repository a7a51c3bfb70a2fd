"""Presentable shares are the nearest, or the likeliest, on the simplex; and they are biased (M14)."""

import numpy as np
import pytest
from scipy import stats

from ldp.exact import parse_alpha
from ldp.inference import estimates, projected
from ldp.mechanisms import randomized_response

GENERATOR_SEED = 14


def law_of(alpha, d):
    return randomized_response.moments(randomized_response.table(parse_alpha(alpha), d), d)["support"]


@pytest.mark.parametrize("d", [1, 2, 5, 64])
def test_projection_is_the_nearest_point(d):
    """v is nearest to x on the simplex exactly when (x - v).(e_k - v) <= 0 for every corner e_k."""
    generator = np.random.default_rng(GENERATOR_SEED)
    for scale in (0.01, 1, 100):
        x = generator.normal(1 / d, scale, d)
        v = projected.onto_simplex(x)
        assert v.min() >= 0 and v.sum() == pytest.approx(1)
        assert np.max((x - v) - (x - v) @ v) <= 1e-9 * scale
        assert projected.onto_simplex(v) == pytest.approx(v)


def test_projection_of_a_hand_computed_case():
    assert projected.onto_simplex([0.9, 0.4, -0.3]) == pytest.approx([0.75, 0.25, 0])


@pytest.mark.parametrize("alpha", ["0.5", "1", "4"])
@pytest.mark.parametrize("totals", [[60, 40], [70, 20, 10], [100, 0, 0, 0], [5, 5, 5, 40, 45], [1, 0, 0]])
def test_likeliest_shares_of_randomized_response_agree_with_em(alpha, totals):
    d, n = len(totals), sum(totals)
    moments = law_of(alpha, d)
    channel = float(moments.b) + float(moments.gap) * np.eye(d)
    best = projected.randomized_response_likelihood(totals, moments)
    assert best.min() >= 0 and best.sum() == pytest.approx(1)
    # The condition of a maximum (Karush, Kuhn, Tucker): the gradient is 1 where the share is positive, at most 1 else.
    gradient = channel @ (np.array(totals) / (best @ channel)) / n
    assert gradient[best > 0] == pytest.approx(1) and gradient.max() <= 1 + 1e-9

    def likelihood(share):
        return float(np.array(totals) @ np.log(share @ channel))

    found = projected.maximum_likelihood(totals, channel, 1e-3)
    assert likelihood(best) - 1e-3 <= likelihood(found) <= likelihood(best) + 1e-9


def test_likeliest_shares_inside_the_simplex_are_the_unbiased_ones():
    moments = law_of("1", 3)
    assert projected.randomized_response_likelihood([30, 33, 37], moments) == pytest.approx(
        estimates.shares([30, 33, 37], 100, moments)
    )


def test_likelihood_needs_only_which_categories_a_report_supports():
    """EM on the reports of bits equals EM on the full channel over all 2^d reports, whose columns are proportional."""
    p, q, d = 0.7, 0.3, 3
    reports = np.array([[z >> j & 1 for j in range(d)] for z in range(2**d)])
    chances = np.where(np.eye(d)[:, None, :] == 1, p, q)
    channel = np.prod(np.where(reports == 1, chances, 1 - chances), axis=2)
    counts = np.array([5, 40, 12, 9, 3, 2, 8, 6])
    odds = p * (1 - q) / (q * (1 - p))
    found = projected.maximum_likelihood(counts, projected.support_likelihood(reports, odds), 1e-9)
    assert found == pytest.approx(projected.maximum_likelihood(counts, channel, 1e-9), abs=1e-6)


def test_em_recovers_the_shares_of_many_reports_through_any_channel():
    """Expected counts are their own best explanation."""
    distance = np.abs(np.arange(6)[:, None] - np.arange(6))
    channel = np.exp(-0.8 * distance)
    channel /= channel.sum(axis=1, keepdims=True)
    shares = np.array([0.3, 0.1, 0.0, 0.2, 0.25, 0.15])
    assert projected.maximum_likelihood(shares @ channel, channel, 1e-12) == pytest.approx(shares, abs=1e-3)


def test_em_says_when_it_has_not_arrived():
    with pytest.raises(ArithmeticError, match="after 3 rounds"):
        projected.maximum_likelihood([90, 10], [[0.6, 0.4], [0.4, 0.6]], 1e-12, 3)


@pytest.mark.parametrize("share", [0.0, 0.1])
def test_presentable_shares_are_biased_and_the_unbiased_are_not(share):
    """Exactly, over all totals of 20 reports to a yes/no question at alpha 1."""
    moments, n = law_of("1", 2), 20
    totals = np.arange(n + 1)
    weights = stats.binom.pmf(totals, n, float(moments.b) + float(moments.gap) * share)
    both = np.stack([totals, n - totals], axis=1)
    unbiased = weights @ [estimates.shares(t, n, moments)[0] for t in both]
    nearest = weights @ [projected.onto_simplex(estimates.shares(t, n, moments))[0] for t in both]
    likeliest = weights @ [projected.randomized_response_likelihood(t, moments)[0] for t in both]
    assert unbiased == pytest.approx(share, abs=1e-12)
    assert min(nearest, likeliest) > share + 0.04


def test_a_category_that_nobody_supports_gets_nothing():
    assert projected.randomized_response_likelihood([50, 30, 20, 0], law_of("2", 4))[3] == 0
