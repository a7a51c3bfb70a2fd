"""What forged reports can do, and what the health check sees of them (M15b)."""

from fractions import Fraction

import numpy as np
import pytest

from ldp.inference import estimates, robustness
from ldp.mechanisms import bitwise, randomized_response
from ldp.planning import simulation
from ldp.scores import indicator
from tests.support.channels import bitwise_channel


def law_of(mechanism, alpha, d):
    return mechanism.moments(mechanism.table(Fraction(alpha), d), d)["support"]


def test_reach_at_alpha_one_is_the_published_number():
    assert robustness.influence(law_of(bitwise, "1", 8)) == pytest.approx(4.08, abs=0.005)
    assert robustness.influence(law_of(randomized_response, "1", 2)) == pytest.approx(2.16, abs=0.005)


def test_no_forgery_moves_a_share_further_than_stated_and_the_worst_one_does():
    moments, n, total = law_of(bitwise, "1", 4), 1000, 400
    honest = estimates.shares([total], n, moments)[0]
    for m in (1, 17, 400):
        # The worst: m reports that did not support the category are replaced by ones that do.
        forged = estimates.shares([total + m], n, moments)[0]
        assert forged - honest == pytest.approx(robustness.shift(m, n, moments))


def test_the_number_needed_is_the_least_that_moves_a_share_by_the_margin():
    moments = law_of(bitwise, "1", 4)
    for n in (50, 1000, 999_983):
        for margin in (0.001, 0.02, 0.1, 0.37):
            m = robustness.reports_needed(margin, n, moments)
            assert robustness.shift(m, n, moments) >= margin > robustness.shift(m - 1, n, moments)


def test_a_report_with_a_wide_score_reaches_further():
    moments = law_of(bitwise, "1", 4)
    assert robustness.influence(moments, 128) == pytest.approx(128 * robustness.influence(moments))


@pytest.mark.parametrize("d", [2, 3])
def test_number_of_ones_has_its_law_whatever_the_answer(d):
    """Enumerated: every row of the channel gives the same law."""
    t, resolution = 5, 16
    moments = indicator(Fraction(11, 16), Fraction(5, 16))
    for row in bitwise_channel(d, {"flip": t}, resolution):
        ones = [float(sum(chance for z, chance in row.items() if z.count("1") == k)) for k in range(d + 1)]
        assert robustness.ones_law(moments, d) == pytest.approx(ones)


# 1000 surveys: a check at .05 rejects fewer than 23 or more than 82 by luck for 1.2e-5 of all seeds.
SURVEYS, N, D = 1000, 500, 8


def _p_values(make):
    moments = law_of(bitwise, "1", D)
    expected = robustness.ones_law(moments, D)
    generator = np.random.default_rng(15)
    result = []
    for _ in range(SURVEYS):
        ones = make(generator, moments).sum(axis=1)
        result.append(robustness.health_check(np.bincount(ones, minlength=D + 1), expected).p_value)
    return np.array(result)


@pytest.mark.parametrize("shares", [[1 / D] * D, [1.0] + [0.0] * (D - 1)])
def test_honest_reports_pass_as_often_as_promised(shares):
    p_values = _p_values(lambda g, moments: simulation.bits(simulation.answers(shares, N, g), D, moments, g))
    assert 23 <= (p_values <= 0.05).sum() <= 82


@pytest.mark.parametrize(
    "forged",
    [
        lambda g, law: np.tile([1] + [0] * (D - 1), (N // 5, 1)),  # no randomization at all
        lambda g, law: np.ones((N // 5, D), dtype=int),  # everything at once
        lambda g, law: simulation.bits(np.zeros(N // 5, dtype=int), D, law_of(bitwise, "3", D), g),  # too little noise
    ],
)
def test_crude_forgeries_of_a_fifth_of_the_reports_are_found(forged):
    def make(generator, moments):
        honest = simulation.bits(simulation.answers([1 / D] * D, N - N // 5, generator), D, moments, generator)
        return np.concatenate((honest, forged(generator, moments)))

    assert np.mean(_p_values(make) <= 0.05) > 0.8


def test_a_forger_who_uses_the_mechanism_is_not_found():
    """The check promises no more: an invented answer, properly randomized, looks like everybody else's."""
    p_values = _p_values(lambda g, moments: simulation.bits(np.zeros(N, dtype=int), D, moments, g))
    assert np.mean(p_values <= 0.05) < 0.09


def test_cells_with_few_expected_reports_are_joined():
    counts, moments = [1, 0, 9, 80, 10, 0, 0], [0.01, 0.02, 0.07, 0.8, 0.08, 0.01, 0.01]
    found = robustness.health_check(counts, moments)
    assert found.degrees == 2
    assert found.statistic == pytest.approx((10 - 10) ** 2 / 10 + 0 + 0)
    assert robustness.health_check([2, 1], [0.5, 0.5]) == (0.0, 0, 1.0)
    with pytest.raises(ValueError, match="2 cells and the law 3"):
        robustness.health_check([2, 1], [0.5, 0.25, 0.25])
