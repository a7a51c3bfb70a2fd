"""A curator's choices keep their alpha: exponential mechanism, noisy maximum, inverse sensitivity (M24)."""

import math
import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from ldp.central import draws, exponential

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


def test_exponential_draws_have_the_law(monkeypatch):
    """One coin accepts a proposal, with a chance exactly proportional to the outcome's weight."""
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


# Inverse sensitivity --------------------------------------------------------------------------------------------------


def _inverse_law(distances, alpha):
    """Return the chance of each outcome, from the number of answers that must change before it is the truth."""
    rate = alpha if len(distances) == 2 else alpha / 2
    return exponential.normalized([-rate * distance for distance in distances])


def _majority_distances(yes, n):
    """Return the distances of "at most half" and "more than half said yes"."""
    needed = n // 2 + 1
    return [max(yes - needed + 1, 0), max(needed - yes, 0)]


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [1, 2, 7, 8])
def test_majority_keeps_alpha_and_uses_all_of_it(alpha, n):
    chances = [_inverse_law(_majority_distances(yes, n), alpha)[1] for yes in range(n + 1)]
    ratios = [_worst((p, 1 - p), (q, 1 - q)) for p, q in pairwise(chances)]
    assert max(ratios) == pytest.approx(math.exp(alpha))
    assert all((chance > 0.5) == (2 * yes > n) for yes, chance in enumerate(chances))


@pytest.mark.parametrize("alpha", ALPHAS)
def test_inverse_sensitivity_keeps_alpha_for_more_than_two_outcomes(alpha):
    first, second = [0, 2, 5], [1, 1, 4]
    assert _worst(_inverse_law(first, alpha), _inverse_law(second, alpha)) <= math.exp(alpha) * SLACK


def test_majority_distances_are_the_least_numbers_of_changes():
    for n in range(1, 8):
        for yes in range(n + 1):
            other = [abs(k - yes) for k in range(n + 1) if (2 * k > n) != (2 * yes > n)]
            found = _majority_distances(yes, n)
            assert found[2 * yes > n] == 0 and found[2 * yes <= n] == min(other)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_majority_errors_are_at_least_the_bound_which_is_attained(alpha):
    """The geometric mechanism with a limit at the border keeps alpha, and its error is the bound."""
    n = 21
    margins = [max(abs(yes - 11) + (yes >= 11), 1) for yes in range(n + 1)]
    for yes, margin in enumerate(margins):
        wrong = (
            1 - _inverse_law(_majority_distances(yes, n), alpha)[1]
            if 2 * yes > n
            else _inverse_law(_majority_distances(yes, n), alpha)[1]
        )
        assert wrong == pytest.approx(exponential.majority_error(margin, alpha))
        assert exponential.majority_bound(margin, alpha) <= wrong * SLACK
        by_counts = exponential.majority(yes, n, alpha)
        assert exponential.majority_bound(margin, alpha) <= (1 - by_counts if 2 * yes > n else by_counts) * SLACK
    best = [exponential.majority_bound(margin, alpha) for margin in margins]
    laws = [(e, 1 - e) if 2 * yes > n else (1 - e, e) for yes, e in enumerate(best)]
    assert max(_worst(p, q) for p, q in pairwise(laws)) == pytest.approx(math.exp(alpha))
