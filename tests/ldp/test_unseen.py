"""The unseen respondent's interval (M30): against known ones, against simulation, and at its edges."""

import math

import numpy as np
import pytest
from scipy import stats

from ldp.inference import unseen
from ldp.inference.unseen import Unseen


def _beta_limits(total, n, tail):
    low = stats.beta.ppf(tail, total, n - total + 1) if total else 0.0
    high = stats.beta.isf(tail, total + 1, n - total) if total < n else 1.0
    return low, high


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999, 1 - 1e-6])
@pytest.mark.parametrize("n", [1, 2, 5, 20, 300, 10**4, 10**6])
def test_for_zeros_and_ones_it_is_that_of_clopper_and_pearson(n, confidence):
    for total in {0, 1, n // 3, n // 2, n - 1, n}:
        found = unseen.interval([0, 1], [n - total, total], Unseen.at(0), Unseen.at(1), confidence)
        assert found == pytest.approx(_beta_limits(total, n, (1 - confidence) / 2), abs=1e-11)


# Of 200,000 draws, a share beyond a limit with chance p has the standard error sqrt(p (1-p)/200,000): six of them.
DRAWS = 200_000


@pytest.mark.slow
@pytest.mark.parametrize(("values", "n"), [(2, 1), (5, 3), (40, 40), (40, 10**4), (145, 700)])
@pytest.mark.parametrize("tail", [0.025, 0.2])
def test_so_many_draws_of_the_weighted_mean_lie_beyond_the_limit(values, n, tail):
    generator = np.random.default_rng([values, n])
    scores, chances = generator.normal(size=values), generator.dirichlet(np.ones(values))
    counts = generator.multinomial(n, np.ones(values) / values)
    limit = unseen.upper_limit(scores, counts, Unseen.drawn(scores, chances), tail)
    beyond = 0
    for _ in range(10):
        size = DRAWS // 10
        weights = generator.gamma(np.maximum(counts, 1e-300), size=(size, values))
        own, last = generator.exponential(size=size), generator.choice(scores, p=chances, size=size)
        beyond += np.sum(weights @ scores + own * last > limit * (weights.sum(axis=1) + own))
    # If a score repeats, the limit may be a jump, with less chance beyond it.
    assert beyond / DRAWS <= tail + 6 * math.sqrt(tail * (1 - tail) / DRAWS)
    if n > 1:
        assert beyond / DRAWS >= tail - 6 * math.sqrt(tail * (1 - tail) / DRAWS)


def test_all_reports_equal():
    assert unseen.interval([0.3], [5], Unseen.at(0.3), Unseen.at(0.3), 0.95) == (0.3, 0.3)
    low, high = unseen.interval([0.3], [5], Unseen.at(0), Unseen.at(1), 0.95)
    tail = 0.025 ** (1 / 5)
    assert (low, high) == pytest.approx((0.3 * tail, 1 - 0.7 * tail), abs=1e-12)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_limits_move_and_stretch_with_the_scores(scale):
    generator = np.random.default_rng(3)
    scores, counts = generator.normal(size=12), generator.multinomial(30, np.ones(12) / 12)
    plain = unseen.interval(scores, counts, Unseen.at(-4), Unseen.at(4), 0.95)
    moved = unseen.interval(scale * (scores + 7), counts, Unseen.at(scale * (7 - 4)), Unseen.at(scale * (7 + 4)), 0.95)
    assert moved == pytest.approx([scale * (end + 7) for end in plain], rel=1e-10)


def test_a_score_that_never_came_changes_nothing():
    found = unseen.interval([0, 0.5, 1], [3, 0, 4], Unseen.at(0), Unseen.at(1), 0.95)
    assert found == unseen.interval([0, 1], [3, 4], Unseen.at(0), Unseen.at(1), 0.95)


def test_limits_are_those_of_the_chance_itself():
    generator = np.random.default_rng(4)
    scores, counts = generator.normal(size=9), generator.multinomial(25, np.ones(9) / 9)
    for tail in (1e-9, 1e-4, 0.4):
        limit = unseen.upper_limit(scores, counts, Unseen.at(5.0), tail)
        assert unseen.chance_above(scores[counts > 0], counts[counts > 0], Unseen.at(5.0), limit) == pytest.approx(
            tail, rel=1e-9
        )
