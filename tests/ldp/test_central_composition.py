"""How guarantees add up, and what shuffling adds for readers (M11, clones)."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from ldp.central import composition, gaussian, offset, shuffled
from tests.support import channel_algebra

CHANNELS = [
    [[0.5, 0.3, 0.2], [0.25, 0.5, 0.25]],
    [[0.7, 0.3], [0.4, 0.6]],
    [[0.1, 0.2, 0.3, 0.4], [0.2, 0.2, 0.3, 0.3], [0.15, 0.3, 0.2, 0.35]],
]


def _larger_clone_chance(alpha):
    """That of the second paper."""
    return 2 / (math.exp(alpha) + 1)


def _randomized_response(alpha):
    p = math.exp(alpha) / (math.exp(alpha) + 1)
    return np.array([[p, 1 - p], [1 - p, p]])


def _times(channels):
    """The channel of all reports together, by enumeration."""
    rows = len(channels[0])
    return [
        [math.prod(c[x][z] for c, z in zip(channels, out, strict=True)) for out in _outputs(channels)]
        for x in range(rows)
    ]


def _outputs(channels):
    return list(product(*(range(len(channel[0])) for channel in channels)))


@pytest.mark.parametrize("first", CHANNELS[:2])
@pytest.mark.parametrize("second", CHANNELS[:2])
def test_alphas_add_up(first, second):
    together = channel_algebra.guarantee(_times([first, second]))
    assert together <= composition.basic(map(channel_algebra.guarantee, (first, second))) + 1e-12
    same = channel_algebra.guarantee(_times([_randomized_response(0.7)] * 3))
    assert same == pytest.approx(composition.basic([0.7] * 3))


@pytest.mark.parametrize("alpha", [0.1, 0.5, 2.0])
@pytest.mark.parametrize("times", [1, 3, 8])
@pytest.mark.parametrize("total", [0.0, 0.3, 1.1])
def test_the_composed_delta_is_that_of_the_enumerated_channel(alpha, times, total):
    channel = _times([_randomized_response(alpha)] * times)
    assert composition.composed_delta(total, alpha, times) == pytest.approx(
        channel_algebra.excess(channel, total), abs=1e-12
    )


@pytest.mark.parametrize("total", [0.0, 0.2, 0.5])
def test_no_other_mechanism_loses_more_than_randomized_response(total):
    for channel in CHANNELS[:2]:
        alpha = channel_algebra.guarantee(channel)
        for times in (1, 2, 4):
            assert (
                channel_algebra.excess(_times([channel] * times), total)
                <= composition.composed_delta(total, alpha, times) + 1e-12
            )


@pytest.mark.parametrize(("alpha", "times"), [(0.01, 100), (0.1, 100), (0.1, 1000), (1.0, 10)])
@pytest.mark.parametrize("delta", [1e-3, 1e-9])
def test_every_way_of_composing_is_valid_and_the_optimal_is_the_least(alpha, times, delta):
    optimal = composition.optimal(alpha, times, delta)
    advanced = composition.advanced(alpha, times, delta)
    by_renyi = composition.from_renyi(lambda order: times * composition.pure_renyi(order, alpha), delta)
    for total in (optimal, advanced, by_renyi):
        assert composition.composed_delta(total, alpha, times) <= delta * (1 + 1e-9)
        assert total >= optimal - 1e-9
    assert optimal <= composition.basic([alpha] * times)
    if optimal > 0:
        assert composition.composed_delta(optimal - 1e-6, alpha, times) > delta


def test_totals_of_a_hundred_releases():
    totals = composition.totals(0.1, 100, 1e-6)
    assert totals == pytest.approx((10, 5.756, 5.079, 4.775), abs=5e-4)
    assert composition.totals(3.0, 2, 1e-9).renyi <= 6


@pytest.mark.parametrize("order", [1.1, 2.0, 30.0])
@pytest.mark.parametrize("alpha", [0.1, 1.0, 5.0])
def test_renyi_divergence_of_randomized_response_by_summing(order, alpha):
    p, q = _randomized_response(alpha)
    assert composition.pure_renyi(order, alpha) == pytest.approx(
        math.log((p**order * q ** (1 - order)).sum()) / (order - 1)
    )


@pytest.mark.parametrize(("m", "s"), [(0.0, 2.0), (3.0, math.sqrt(40))])
@pytest.mark.parametrize("times", [1, 5])
def test_renyi_bounds_of_gaussian_and_osgt_noise_are_above_the_least_alpha(m, s, times):
    """Once: against the exact least alpha. Several Gaussian releases are one with the noise over the root of times."""
    by_renyi = composition.from_renyi(lambda order: times * offset.renyi(order, m, s), 1e-6)
    if times == 1:
        assert offset.alpha(1e-6, m, s) <= by_renyi <= 1.35 * offset.alpha(1e-6, m, s)
    if m == 0:
        least = offset.alpha(1e-6, 0.0, s / math.sqrt(times))
        assert least <= by_renyi <= 1.35 * least
        assert gaussian.delta(by_renyi, s / math.sqrt(times)) <= 1e-6


@pytest.mark.parametrize("people", [1, 2, 3])
def test_groups_by_enumeration(people):
    """A count of three with integer noise cut to a table: neighbours of neighbours stay within the stated pair."""
    weights = np.array([1, 3, 8, 3, 1]) / 16
    rows = np.array([np.concatenate([np.zeros(k), weights, np.zeros(3 - k)]) for k in range(4)])
    for alpha in (0.5, 1.2):
        delta = max(channel_algebra.excess(rows[[k, k + 1]], alpha) for k in range(3))
        wide, together = composition.group(alpha, people, delta)
        for k in range(4 - people):
            assert channel_algebra.excess(rows[[k, k + people]], wide) <= together + 1e-12
    assert composition.group(0.3, 4) == (pytest.approx(1.2), 0.0)


def test_processing_never_costs_privacy():
    generator = np.random.default_rng(3)
    for channel in CHANNELS:
        for _ in range(20):
            kernel = generator.dirichlet([0.5] * 3, size=len(channel[0]))
            after = channel @ kernel
            assert channel_algebra.guarantee(after) <= channel_algebra.guarantee(channel) + 1e-12
            assert channel_algebra.excess(after, 0.1) <= channel_algebra.excess(channel, 0.1) + 1e-12
    assert channel_algebra.guarantee([[0.5, 0.5, 0], [0.2, 0.4, 0.4]]) == math.inf


# Shuffled reports -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "figure", "larger"), [(1000, 0.1824, 0.1487), (10_000, 0.0530, 0.0432)])
def test_the_reference_figures_of_shuffled_reports(n, figure, larger):
    """Alpha 1 and delta 1e-6: .18 and .053."""
    assert shuffled.guarantee(1.0, n, 1e-6) == pytest.approx(figure, abs=5e-5)
    assert shuffled.guarantee(1.0, n, 1e-6, _larger_clone_chance(1.0)) == pytest.approx(larger, abs=5e-5)
    assert figure < shuffled.closed_form(1.0, n, 1e-6) < 1


def _clone_laws(alpha, n, clones):
    """The counts on the two sides for both answers, by enumeration over clones and sides."""
    e, laws = math.exp(alpha), ({}, {})
    for c in range(n):
        for k in range(c + 1):
            chance = stats.binom.pmf(c, n - 1, clones) * stats.binom.pmf(k, c, 0.5)
            for law, (up, down) in zip(laws, ((e, 1), (1, e)), strict=True):
                law[k + 1, c - k] = law.get((k + 1, c - k), 0) + chance * up / (e + 1)
                law[k, c - k + 1] = law.get((k, c - k + 1), 0) + chance * down / (e + 1)
    return laws


@pytest.mark.parametrize("alpha", [0.5, 2.0])
@pytest.mark.parametrize("n", [1, 2, 12])
@pytest.mark.parametrize("kept", [0.0, 0.2, 0.45])
def test_the_bound_is_the_enumerated_excess_of_the_clones(alpha, n, kept):
    chance = _larger_clone_chance(alpha)
    first, second = _clone_laws(alpha, n, chance)
    expected = math.fsum(max(first[at] - math.exp(kept) * second.get(at, 0), 0) for at in first)
    assert shuffled.delta(kept, alpha, n, chance) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("n", [2, 10, 60])
def test_shuffled_randomized_response_is_within_the_bound(alpha, n):
    """The number of yes among n reports, by enumeration, whatever the others' answers are: with m of them a yes."""
    p = math.exp(alpha) / (math.exp(alpha) + 1)
    for m in {0, (n - 1) // 2, n - 1}:
        others = np.convolve(stats.binom.pmf(range(m + 1), m, p), stats.binom.pmf(range(n - m), n - 1 - m, 1 - p))
        laws = [np.convolve(others, mine) for mine in ([1 - p, p], [p, 1 - p])]
        for kept in (0.05, 0.3, 0.45):
            for one, two in (laws, laws[::-1]):
                excess = np.maximum(one - math.exp(kept) * two, 0).sum()
                larger = shuffled.delta(kept, alpha, n, _larger_clone_chance(alpha))
                assert excess <= larger + 1e-12 <= shuffled.delta(kept, alpha, n) + 1e-9


def _counts(n, chances):
    """The law of how many of n reports take each value but the last: an array with an axis for each."""
    found = np.zeros((n + 1,) * (len(chances) - 1))
    for counts in product(range(n + 1), repeat=len(chances) - 1):
        if sum(counts) <= n:
            found[counts] = stats.multinomial.pmf([*counts, n - sum(counts)], n, chances)
    return found


@pytest.mark.parametrize("alpha", [0.5, 1.5])
@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 1.0])
def test_shuffled_reports_with_much_in_common_are_within_the_bound(alpha, part):
    """Reports on one side, on the other, in common to both answers, and none of these, which only others send.

    The others send the first three as rarely as e^alpha allows; every multiset of ten reports is enumerated. That also
    agrees with the second paper.
    """
    n, e = 10, math.exp(alpha)
    p = part / (e + 1)
    common = max(0.0, 1 - p * (e + 1))
    others = np.pad(_counts(n - 1, [p, p, common / e, 1 - 2 * p - common / e]), (0, 1))
    first, second = (
        up * np.roll(others, 1, 0) + down * np.roll(others, 1, 1) + common * np.roll(others, 1, 2)
        for up, down in ((e * p, p), (p, e * p))
    )
    assert first.sum() == pytest.approx(1)
    for kept in (0.05, 0.2, 0.4):
        excess = np.maximum(first - math.exp(kept) * second, 0).sum()
        assert excess <= shuffled.delta(kept, alpha, n, _larger_clone_chance(alpha)) + 1e-12
        assert excess <= shuffled.delta(kept, alpha, n) + 1e-12


def test_shuffling_never_promises_less_than_the_reports_themselves():
    for n in (1, 2, 50):
        assert shuffled.guarantee(1.0, n, 1e-9) <= 1.0 <= shuffled.closed_form(1.0, n, 1e-9)
    figures = [shuffled.guarantee(2.0, n, 1e-6) for n in (10, 100, 1000)]
    assert figures == sorted(figures, reverse=True)
