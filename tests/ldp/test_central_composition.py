"""Guarantees add up over releases and people, and shuffling adds to them for readers (M11, clones)."""

import math
import random
from fractions import Fraction
from itertools import combinations, permutations, product

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


def _randomized_response(alpha):
    p = math.exp(alpha) / (math.exp(alpha) + 1)
    return np.array([[p, 1 - p], [1 - p, p]])


def _times(channels):
    """Return the channel of all reports together, by enumeration."""
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
    """One release is compared with the exact least alpha. Several Gaussian releases are one, with less noise."""
    by_renyi = composition.from_renyi(lambda order: times * offset.renyi(order, m, s), 1e-6)
    if times == 1:
        assert offset.alpha(1e-6, m, s) <= by_renyi <= 1.35 * offset.alpha(1e-6, m, s)
    if m == 0:
        least = offset.alpha(1e-6, 0.0, s / math.sqrt(times))
        assert least <= by_renyi <= 1.35 * least
        assert gaussian.delta(by_renyi, s / math.sqrt(times)) <= 1e-6


@pytest.mark.parametrize("people", [1, 2, 3])
def test_groups_by_enumeration(people):
    """A count of three has integer noise cut to a table. Neighbours of neighbours keep the stated pair."""
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


@pytest.mark.parametrize(
    ("alpha", "n", "figure"),
    [
        (1, 1000, 0.149),
        (1, 10_000, 0.043),
        (2, 200, 1.02),
        (2, 1000, 0.40),
        (2, 6366, 0.15),
        (2, 10_000, 0.11),
        (3, 1000, 0.82),
        (4, 1000, 1.85),
        (4, 2000, 1.07),
        (4, 6366, 0.53),
        (4, 10_000, 0.41),
        (5, 6366, 0.98),
    ],
)
def test_the_reference_figures_of_shuffled_reports(alpha, n, figure):
    """The figures are those of M49 at delta 1e-6."""
    found = shuffled.guarantee(float(alpha), n, 1e-6)
    assert found == pytest.approx(figure, abs=5e-4 if alpha == 1 else 5e-3)
    assert found < shuffled.closed_form(float(alpha), n, 1e-6) <= alpha


@pytest.mark.parametrize("delta", [1e-2, 1e-6, 1e-9])
@pytest.mark.parametrize("n", [100, 1000, 10**5])
def test_the_closed_form_is_never_below_what_clones_keep(n, delta):
    """Feldman, McMillan and Talwar (2021), theorem 3.1. If it exceeds alpha, alpha is returned."""
    for alpha in (0.1, 0.5, 1.0, 2.0, 4.0, 7.0):
        coarse = shuffled.closed_form(alpha, n, delta)
        assert shuffled.guarantee(alpha, n, delta) <= coarse <= alpha
        if alpha <= math.log(n / (16 * math.log(2 / delta))):
            e = math.exp(alpha)
            excess = 8 * math.sqrt(e * math.log(4 / delta)) / math.sqrt(n) + 8 * e / n
            assert coarse == pytest.approx(min(alpha, math.log(1 + (e - 1) / (e + 1) * excess)), rel=1e-12)
        else:
            assert coarse == alpha


def _clone_laws(alpha, n):
    """Return the laws of the counts on both sides for both answers, by enumeration over clones and sides."""
    e, laws = math.exp(alpha), ({}, {})
    for c in range(n):
        for k in range(c + 1):
            chance = stats.binom.pmf(c, n - 1, 2 / (e + 1)) * stats.binom.pmf(k, c, 0.5)
            for law, (up, down) in zip(laws, ((e, 1), (1, e)), strict=True):
                law[k + 1, c - k] = law.get((k + 1, c - k), 0) + chance * up / (e + 1)
                law[k, c - k + 1] = law.get((k, c - k + 1), 0) + chance * down / (e + 1)
    return laws


@pytest.mark.parametrize("alpha", [0.5, 2.0])
@pytest.mark.parametrize("n", [1, 2, 12])
@pytest.mark.parametrize("kept", [0.0, 0.2, 0.45])
def test_the_bound_is_the_enumerated_excess_of_the_clones(alpha, n, kept):
    first, second = _clone_laws(alpha, n)
    expected = math.fsum(max(first[at] - math.exp(kept) * second.get(at, 0), 0) for at in first)
    assert shuffled.delta(kept, alpha, n) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("n", [2, 10, 60])
def test_shuffled_randomized_response_is_within_the_bound(alpha, n):
    """The law of the number of yes among n reports is enumerated for other people of whom m answer yes."""
    p = math.exp(alpha) / (math.exp(alpha) + 1)
    for m in {0, (n - 1) // 2, n - 1}:
        others = np.convolve(stats.binom.pmf(range(m + 1), m, p), stats.binom.pmf(range(n - m), n - 1 - m, 1 - p))
        laws = [np.convolve(others, mine) for mine in ([1 - p, p], [p, 1 - p])]
        for kept in (0.05, 0.3, 0.45):
            for one, two in (laws, laws[::-1]):
                excess = np.maximum(one - math.exp(kept) * two, 0).sum()
                assert excess <= shuffled.delta(kept, alpha, n) + 1e-12


def _multisets(n, values):
    """Yield every multiset of n reports with this number of values, as the count of each value."""
    for bars in combinations(range(n + values - 1), values - 1):
        ends = [-1, *bars, n + values - 1]
        yield tuple(ends[i + 1] - ends[i] - 1 for i in range(values))


def _chances_of_multisets(rows, n):
    """Return the chance of each multiset of these people's reports. Each row is one person's law."""
    found = {(0,) * len(rows[0]): 1.0}
    for row in rows:
        after = dict.fromkeys(_multisets(sum(next(iter(found))) + 1, len(row)), 0.0)
        for counts, chance in found.items():
            for value, p in enumerate(row):
                after[*counts[:value], counts[value] + 1, *counts[value + 1 :]] += chance * p
        found = after
    return found


def _subsets(alpha, d, a):
    """Return randomized response that lists a of d options: lists with the answer are e^alpha times likelier."""
    sets = list(combinations(range(d), a))
    rows = [[math.exp(alpha) if answer in each else 1.0 for each in sets] for answer in range(d)]
    return [[chance / sum(row) for chance in row] for row in rows]


def _drawn_one_by_one(alpha):
    """Return the channel of two yes/no questions with half of alpha each. Rows and values are pairs."""
    row = _randomized_response(alpha / 2)
    return [[row[x][y] * row[v][w] for y in (0, 1) for w in (0, 1)] for x in (0, 1) for v in (0, 1)]


@pytest.mark.parametrize("alpha", [0.5, 1.5, 3.0])
@pytest.mark.parametrize(
    ("channel", "n"),
    [
        (lambda alpha: _subsets(alpha, 3, 1), 12),
        (lambda alpha: _subsets(alpha, 4, 1), 8),
        (lambda alpha: _subsets(alpha, 4, 2), 5),
        (_drawn_one_by_one, 8),
    ],
)
def test_every_multiset_of_shuffled_reports_is_within_the_bound(channel, n, alpha):
    """Reports list one option of three or four, or two of four, or are two draws. One person has two possible answers.
    All others give the same answer, or half of them give another one. Every multiset is enumerated."""
    rows = channel(alpha)
    for others in ([rows[-1]] * (n - 1), [rows[1]] * (n - 1), [rows[k % len(rows)] for k in range(n - 1)]):
        before = _chances_of_multisets(others, n - 1)
        for one, two in permutations(range(len(rows)), 2):
            mine, other = ({}, {})
            for counts, chance in before.items():
                for value in range(len(rows[0])):
                    at = (*counts[:value], counts[value] + 1, *counts[value + 1 :])
                    mine[at] = mine.get(at, 0) + chance * rows[one][value]
                    other[at] = other.get(at, 0) + chance * rows[two][value]
            for kept in (0.0, alpha / 10, alpha / 3, alpha / 2, 0.9 * alpha):
                excess = math.fsum(max(mine[at] - math.exp(kept) * other[at], 0) for at in mine)
                assert excess <= shuffled.delta(kept, alpha, n) + 1e-12


def _counts(n, chances):
    """Return the law of how many of n reports take each value but the last, an array with an axis for each."""
    found = np.zeros((n + 1,) * (len(chances) - 1))
    for counts in product(range(n + 1), repeat=len(chances) - 1):
        if sum(counts) <= n:
            found[counts] = stats.multinomial.pmf([*counts, n - sum(counts)], n, chances)
    return found


@pytest.mark.parametrize("alpha", [0.5, 1.5])
@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 1.0])
def test_shuffled_reports_with_much_in_common_are_within_the_bound(alpha, part):
    """Some reports are on one side, some on the other, some common to both answers, and some only from other people.

    The others send the first three kinds as rarely as e^alpha allows. Every multiset of ten reports is enumerated. The
    proof of the second paper fails here.
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
        assert excess <= shuffled.delta(kept, alpha, n) + 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_the_clones_are_a_spread_of_all_that_two_laws_within_alpha_can_be(seed):
    """The proof's last step, in fractions. Z of random laws of corners has the clones' mean. Its mean positive part
    above any value is no larger, and so is that of a sum, because these are convex functions."""
    generator = random.Random(seed)
    e = Fraction(generator.randint(11, 90), 10)
    e_kept = 1 + (e - 1) * Fraction(generator.randint(0, 10), 10)
    weights = [Fraction(generator.randint(0, 9)) for _ in range(2)] + [Fraction(1)]
    scale = 1 / (weights[0] * (e + 1) + weights[1] * e + weights[2])
    apart, high, low = (weight * scale for weight in weights)
    law = {e - e_kept: apart, 1 - e * e_kept: apart, e - e * e_kept: high, 1 - e_kept: low}
    clones = {e - e_kept: 1 / (e + 1), 1 - e * e_kept: 1 / (e + 1)}
    means = [sum(value * chance for value, chance in each.items()) for each in (law, clones)]
    if len(law) == 4:  # else two of the values are one
        assert means[0] == means[1] == 1 - e_kept
    for level in (Fraction(k, 10) for k in range(-2000, 200, 7)):
        kept, spread = (
            sum(max(value - level, Fraction(0)) * chance for value, chance in each.items())
            + max(-level, Fraction(0)) * (1 - sum(each.values()))
            for each in (law, clones)
        )
        assert len(law) < 4 or kept <= spread


def test_shuffling_never_promises_less_than_the_reports_themselves():
    for n in (1, 2, 50):
        assert shuffled.guarantee(1.0, n, 1e-9) <= 1.0 <= shuffled.closed_form(1.0, n, 1e-9)
    figures = [shuffled.guarantee(2.0, n, 1e-6) for n in (10, 100, 1000)]
    assert figures == sorted(figures, reverse=True)
