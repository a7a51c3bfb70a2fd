"""A curator's choices keep their alpha: exponential, noisy max, inverse sensitivity (M24)."""

import math
import random
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product

import numpy as np
import pytest
from scipy import integrate, stats

from ldp import exact
from ldp.central import draws, exponential, inverse

ALPHAS = (0.2, 1.0, 3.0)
SLACK = 1 + 1e-9


def _worst(law, other):
    return max(max(p / q, q / p) for p, q in zip(law, other, strict=True))


def _uniform(seed):
    chance = random.Random(seed)
    return lambda: chance.getrandbits(53)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_exponential_mechanism_keeps_alpha(alpha):
    utilities = [3.0, 0.0, 7.0, 7.0]
    for changes in np.ndindex(3, 3, 3, 3):
        neighbour = [u + change - 1 for u, change in zip(utilities, changes, strict=True)]
        assert _worst(exponential.law(utilities, alpha), exponential.law(neighbour, alpha)) <= math.exp(alpha) * SLACK


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("failure", [0.01, 0.3])
def test_exponential_mechanism_rarely_falls_short(alpha, failure):
    utilities = [-float(k % 40) for k in range(120)]
    allowed = exponential.shortfall(alpha, len(utilities), failure)
    law = exponential.law(utilities, alpha)
    assert sum(p for p, u in zip(law, utilities, strict=True) if u <= -allowed) <= failure


def test_exponential_draws_have_the_law(monkeypatch):
    """A proposal is accepted by one coin: with chance exactly proportional to the outcome's weight."""
    coins = []
    monkeypatch.setattr(draws, "decays", lambda x, _: coins.append(x) or True)
    utilities = [3, 0, 7]
    for k in range(3):
        monkeypatch.setattr(draws, "below", lambda total, _, k=k: k)
        assert exponential.draw(utilities, Fraction(1), None, sensitivity=2) == k
    assert coins == [Fraction(7 - u, 4) for u in utilities]
    expected = [w / math.fsum(map(math.exp, [-1, -1.75, 0])) for w in map(math.exp, [-1, -1.75, 0])]
    assert exponential.law(utilities, 1.0, 2.0) == pytest.approx(expected)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [1, 2, 7, 8])
def test_majority_by_the_exponential_mechanism_keeps_alpha_and_uses_all_of_it(alpha, n):
    chances = [exponential.majority(yes, n, alpha) for yes in range(n + 1)]
    assert max(_worst((p, 1 - p), (q, 1 - q)) for p, q in pairwise(chances)) <= math.exp(alpha) * SLACK


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
    assert exponential.noisy_max([1, 9, 4], lambda: 0.0) == 1
    noises = iter([10.0, 0.0, 0.0])
    assert exponential.noisy_max([1, 9, 4], lambda: next(noises)) == 0


def _winners(counts, alpha, reach=120):
    """The law of the winner with integer noise, over every noise of every count; of equal ones the first wins."""
    k = np.arange(-reach, reach + 1)
    mass = np.tanh(alpha / 2) * np.exp(-alpha * np.abs(k))
    values = [count + k for count in counts]
    law = []
    for i, mine in enumerate(values):
        chance = mass.copy()
        for j, other in enumerate(values):
            if j != i:
                below = mine[:, None] - other[None, :]
                chance *= np.where(below >= 0 if i < j else below > 0, mass, 0.0).sum(axis=1)
        law.append(chance.sum())
    return law


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("joins", [(1, 0, 0), (0, 1, 1), (0, 0, 1), (1, 1, 1)])
def test_noisy_max_with_integer_noise_keeps_alpha_by_enumeration(alpha, joins):
    counts = (4, 5, 4)
    joined = tuple(c + join for c, join in zip(counts, joins, strict=True))
    assert sum(_winners(counts, alpha)) == pytest.approx(1, abs=1e-9)
    assert _worst(_winners(counts, alpha), _winners(joined, alpha)) <= math.exp(alpha) * SLACK


def test_drawn_winners_have_the_law():
    """Chi-square of 3,000 draws: refuses the truth 1 time in 10,000."""
    uniform = _uniform(6)
    drawn = [exponential.draw_max([4, 5, 4], Fraction(1), uniform) for _ in range(3000)]
    expected = 3000 * np.array(_winners((4, 5, 4), 1.0))
    assert stats.chisquare([drawn.count(i) for i in range(3)], expected, sum_check=False).pvalue > 1e-4


# Inverse sensitivity --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [1, 2, 7, 8])
def test_majority_keeps_alpha_and_uses_all_of_it(alpha, n):
    chances = [inverse.majority(yes, n, alpha) for yes in range(n + 1)]
    ratios = [_worst((p, 1 - p), (q, 1 - q)) for p, q in pairwise(chances)]
    assert max(ratios) == pytest.approx(math.exp(alpha))
    assert all((chance > 0.5) == (2 * yes > n) for yes, chance in enumerate(chances))


@pytest.mark.parametrize("alpha", ALPHAS)
def test_inverse_sensitivity_keeps_alpha_for_more_than_two_outcomes(alpha):
    first, second = [0, 2, 5], [1, 1, 4]
    assert _worst(inverse.law(first, alpha), inverse.law(second, alpha)) <= math.exp(alpha) * SLACK


def _median(answers):
    return sorted(answers)[(len(answers) + 1) // 2 - 1]


@pytest.mark.parametrize(("distances", "truth"), [(inverse.median_distances, _median), (inverse.mean_distances, sum)])
@pytest.mark.parametrize(("n", "top"), [(1, 3), (2, 3), (3, 2), (4, 2), (5, 1)])
def test_distances_are_the_least_numbers_of_changes(distances, truth, n, top):
    """By trying every other data set."""
    every = list(product(range(top + 1), repeat=n))
    for answers in combinations_with_replacement(range(top + 1), n):
        found = distances(answers, top)
        for outcome, distance in enumerate(found):
            reached = [sum(a != b for a, b in zip(answers, e, strict=True)) for e in every if truth(e) == outcome]
            assert distance == min(reached)


def test_majority_distances_are_the_least_numbers_of_changes():
    for n in range(1, 8):
        for yes in range(n + 1):
            other = [abs(k - yes) for k in range(n + 1) if (2 * k > n) != (2 * yes > n)]
            found = inverse.majority_distances(yes, n)
            assert found[2 * yes > n] == 0 and found[2 * yes <= n] == min(other)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("distances", [inverse.median_distances, inverse.mean_distances])
def test_mean_and_median_keep_alpha_between_all_neighbours(alpha, distances):
    top, n = 3, 4
    for answers in combinations_with_replacement(range(top + 1), n):
        for changed in range(top + 1):
            neighbour = (*answers[:2], changed, *answers[3:])
            laws = inverse.law(distances(answers, top), alpha), inverse.law(distances(neighbour, top), alpha)
            assert _worst(*laws) <= math.exp(alpha) * SLACK


@pytest.mark.parametrize("alpha", ["1/5", "1", "3"])
def test_the_integers_that_draws_use_keep_alpha_exactly(alpha):
    """Weights over totals in fractions, against a lower bound of e^alpha: no rounding decides."""
    alpha, top = Fraction(alpha), 3
    bound = exact.exp_below(alpha)
    for answers in combinations_with_replacement(range(top + 1), 3):
        for changed in range(top + 1):
            first, second = (_integer_law(a, top, alpha) for a in (answers, (*answers[:2], changed)))
            assert all(p <= bound * q and q <= bound * p for p, q in zip(first, second, strict=True))


def _integer_law(answers, top, alpha):
    distances = inverse.mean_distances(answers, top)
    weights = draws.decaying(alpha / 2, max(distances) + 1)
    total = sum(weights[distance] for distance in distances)
    return [Fraction(weights[distance], total) for distance in distances]


def test_drawn_medians_have_the_law():
    """Chi-square of 3,000 draws over five outcomes: refuses the truth 1 time in 10,000."""
    distances = inverse.median_distances([0, 1, 1, 3, 4], 4)
    uniform = _uniform(4)
    drawn = [inverse.draw(distances, Fraction(1), uniform) for _ in range(3000)]
    expected = [3000 * chance for chance in inverse.law(distances, 1.0)]
    assert stats.chisquare([drawn.count(k) for k in range(5)], expected).pvalue > 1e-4


@pytest.mark.parametrize("alpha", ALPHAS)
def test_majority_errors_are_at_least_the_bound_which_is_attained(alpha):
    """The bound is the error of the geometric mechanism with a limit at the border, which keeps alpha."""
    n = 21
    margins = [max(abs(yes - 11) + (yes >= 11), 1) for yes in range(n + 1)]
    for yes, margin in enumerate(margins):
        wrong = 1 - inverse.majority(yes, n, alpha) if 2 * yes > n else inverse.majority(yes, n, alpha)
        assert wrong == pytest.approx(inverse.majority_error(margin, alpha))
        assert inverse.majority_bound(margin, alpha) <= wrong * SLACK
        by_counts = exponential.majority(yes, n, alpha)
        assert inverse.majority_bound(margin, alpha) <= (1 - by_counts if 2 * yes > n else by_counts) * SLACK
    best = [inverse.majority_bound(margin, alpha) for margin in margins]
    laws = [(e, 1 - e) if 2 * yes > n else (1 - e, e) for yes, e in enumerate(best)]
    assert max(_worst(p, q) for p, q in pairwise(laws)) == pytest.approx(math.exp(alpha))


def test_the_error_of_a_law_is_about_the_truth():
    assert inverse.error([0.25, 0.5, 0.25], 1) == pytest.approx(math.sqrt(0.5))
