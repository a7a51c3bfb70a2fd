"""A curator's releases are drawn with exactly the stated chances. The draws' decisions are enumerated in fractions."""

import heapq
import math
import random
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import pairwise

import pytest

from ldp import exact
from ldp.central import draws

BRANCHES = 20_000


class _Undecided(Exception):
    """Raised if the script has ended: the next decision has these branches."""


def _coin(chance):
    return [(True, chance), (False, 1 - chance)] if 0 < chance < 1 else [(chance == 1, 1)]


# The branches of each decision: what is drawn from what was proved in an earlier test.
LAWS = {
    "below": lambda total: [(k, Fraction(1, total)) for k in range(total)],
    "happens": _coin,
    "decays": lambda x: _coin(math.exp(-x)),
    "geometric": lambda rate: [(k, -math.expm1(-rate) * math.exp(-rate * k)) for k in range(60)],
}


def _outcomes(monkeypatch, draw, enough, *decisions):
    """Return the chance of each outcome over the likeliest ways, until at most `enough` is left out."""
    script = []

    def decide(branches):
        if len(branches) == 1:
            return branches[0][0]
        if not script:
            raise _Undecided(branches)
        return script.pop(0)

    for name in decisions:
        monkeypatch.setattr(draws, name, lambda x, _, law=LAWS[name]: decide(law(x)))
    heap, found, left, number = [(-1.0, 0, (), Fraction(1))], defaultdict(Fraction), 1.0, 0
    while left > enough and number < BRANCHES:
        _, _, taken, chance = heapq.heappop(heap)
        script[:] = taken
        try:
            found[draw(None)] += chance
            left -= float(chance)
        except _Undecided as undecided:
            for value, part in undecided.args[0]:
                number += 1
                heapq.heappush(heap, (-float(chance * part), number, (*taken, value), chance * part))
    return found, left


def _check(found, left, chances, allowed):
    assert left <= allowed
    for outcome, chance in found.items():
        assert float(chance) <= chances(outcome) * (1 + 1e-12) + 1e-15
        assert float(chance) + left >= chances(outcome) * (1 - 1e-9) - 1e-15


@pytest.mark.parametrize("x", ["0", "1/3", "1", "5/2"])
def test_decay_is_exactly_exponential(monkeypatch, x):
    x = Fraction(x)
    found, left = _outcomes(monkeypatch, lambda u: draws.decays(x, u), 1e-10, "below", "happens")
    _check(found, left, lambda yes: math.exp(-x) if yes else 1 - math.exp(-x), 1e-10)


@pytest.mark.parametrize("rate", ["1", "1/2", "3/2", "2/3"])
def test_geometric_and_laplace_draws_have_their_law(monkeypatch, rate):
    rate = Fraction(rate)
    r = math.exp(-rate)
    found, left = _outcomes(monkeypatch, lambda u: draws.geometric(rate, u), 1e-3, "below", "decays")
    _check(found, left, lambda k: (1 - r) * r**k, 1e-3)
    found, left = _outcomes(monkeypatch, lambda u: draws.laplace(rate, u), 1e-3, "below", "geometric")
    _check(found, left, lambda k: (1 - r) / (1 + r) * r ** abs(k), 1e-3)


@pytest.mark.parametrize("variance", ["1/2", "2", "27"])
def test_gaussian_draws_have_their_law(monkeypatch, variance):
    """The chance to draw k by `laplace` and to accept it by one coin is proportional to the law, for every k."""
    v, proposed, coins = Fraction(variance), [], []
    monkeypatch.setattr(draws, "laplace", lambda rate, _: proposed.append((rate, k)) or k)
    monkeypatch.setattr(draws, "decays", lambda x, _: coins.append(x) or True)
    for k in range(-12, 13):
        assert draws.gaussian(v, None) == k
    accepted = [
        float(-rate * abs(k) - x + Fraction(k * k) / (2 * v)) for (rate, k), x in zip(proposed, coins, strict=True)
    ]
    assert max(accepted) - min(accepted) < 1e-12 and min(coins) >= 0


def _uniform(seed):
    chance = random.Random(seed)
    return lambda: chance.getrandbits(53)


@pytest.mark.parametrize("variance", [Fraction(4), Fraction(271, 10)])
def test_gaussian_draws_have_their_variance(variance):
    """The mean square of 2,000 draws is within 4.5 standard errors; by luck it is not once in about 100,000 runs."""
    uniform = _uniform(3)
    squares = [draws.gaussian(variance, uniform) ** 2 for _ in range(2000)]
    assert abs(sum(squares) / 2000 - variance) < 4.5 * math.sqrt(2 / 2000) * variance


@pytest.mark.parametrize("total", [1, 2, 3, 5, 8, 11, 16])
def test_below_is_uniform_whatever_the_words(monkeypatch, total):
    """Words have two bits, and every pair of words is tried. The pairs that are kept give each number equally often."""
    monkeypatch.setattr(draws, "_BITS", 2)
    found = Counter()
    for first in range(4):
        for second in range(4):
            words = iter((first, second))
            try:
                found[draws.below(total, lambda words=words: next(words))] += 1
            except (StopIteration, RuntimeError):
                continue
    assert set(found) == set(range(total)) and (total <= 4 or len(set(found.values())) == 1)


def test_large_numbers_are_drawn_from_many_words():
    drawn = [draws.below(10**40, _uniform(k)) for k in range(200)]
    assert max(drawn) > 9 * 10**39 and len(set(drawn)) == 200


def test_weights_are_chances_exactly(monkeypatch):
    weights = [3, 0, 5, 1]
    numbers = iter(range(9))
    monkeypatch.setattr(draws, "below", lambda total, _: next(numbers))
    assert Counter(draws.weighted(weights, None) for _ in range(9)) == {0: 3, 2: 5, 3: 1}


@pytest.mark.parametrize("rate", ["1/100", "1/2", "3"])
def test_decaying_weights_lose_no_more_than_the_rate_at_each_step(rate):
    """This holds in whole numbers, with a lower bound of e^rate. Large weights are near 2^128 e^(-rate k)."""
    rate = Fraction(rate)
    weights = draws.decaying(rate, 400)
    bound = exact.exp_below(rate)
    assert all(later * bound >= weight >= later for weight, later in pairwise(weights))
    for k in (1, 10):
        assert weights[k] / 2**128 == pytest.approx(math.exp(-rate * k), rel=1e-12)


def test_tulap_noise_is_an_integer_and_a_place_in_its_cell():
    drawn = [draws.tulap(Fraction(1), _uniform(k)) for k in range(300)]
    assert all(x.denominator <= 2**54 and abs(x - round(x)) < Fraction(1, 2) for x in drawn)
    assert abs(sum(drawn) / 300) < 0.4  # 5 standard errors of .079: by luck outside 1 in a million
