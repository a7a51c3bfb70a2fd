"""Shares that several forms ask for, each through another channel (M45)."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from ldp import pooled_scores
from ldp.inference import estimates, intervals, published
from ldp.inference.agreement import FormTotals, agreement, pooled_shares
from ldp.inference.pooled import PooledLaw
from ldp.inference.reading import weighted
from ldp.inference.tallied import Tallied
from ldp.mechanisms.randomized_response import pair_moments
from ldp.scores import EXCLUSIVE, PairMoments, Part, PooledPairs, indicator
from tests.support.pooled import chances, channel, least_coverage, of_parts
from tests.support.product_subsets import reports

CONFIDENCE = 0.95
TARGETS = ("population", "respondents")


ONE, ALL_BUT_ONE = channel(Fraction(3, 10), 5, 1), channel(Fraction(7, 10), 5, 4)
# A report of the first form counts 5, one of the second 3.
SMALL = pooled_scores.moments([(4, ONE), (3, ALL_BUT_ONE)], 5)[0]


def total_law(parts, target, m):
    """Return the chances of each T in fractions, over all ways to have the answer in each form and all reports. For the
    population m/n is the share; for the respondents m of n have the answer."""
    n, law = sum(part.n for part in parts), {}
    for among in product(*(range(part.n + 1) for part in parts)):
        if target == "respondents" and sum(among) != m:
            continue
        ways = math.prod(math.comb(part.n, k) for part, k in zip(parts, among, strict=True))
        chance = Fraction(ways, math.comb(n, m)) if target == "respondents" else ways * _binomial(m, n, sum(among))
        for total, given in _given(parts, among).items():
            law[total] = law.get(total, 0) + chance * given
    return law


def _binomial(m, n, k):
    return Fraction(m, n) ** k * (1 - Fraction(m, n)) ** (n - k)


def _given(parts, among):
    law = {0: Fraction(1)}
    for part, inside in zip(parts, among, strict=True):
        for report in range(part.n):
            chance = part.moments.a if report < inside else part.moments.b
            more = {}
            for total, before in law.items():
                more[total] = more.get(total, 0) + before * (1 - chance)
                more[total + part.score] = more.get(total + part.score, 0) + before * chance
            law = more
    return law


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("m", range(8))
def test_the_pooled_estimate_is_unbiased_and_its_variance_is_that_of_every_outcome(target, m):
    law = total_law(SMALL.parts, target, m)
    assert sum(law.values()) == 1
    mean = sum(total * chance for total, chance in law.items())
    assert (mean / 7 - SMALL.b) / SMALL.gap == Fraction(m, 7)
    variance = float((sum(total**2 * chance for total, chance in law.items()) - mean**2) / (7 * SMALL.gap) ** 2)
    found = estimates.standard_errors(np.array([m / 7]), 7, SMALL, target)[0] ** 2
    assert found == pytest.approx(variance, rel=1e-12)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("m", range(8))
def test_the_tails_are_those_of_every_outcome(target, m):
    law, found = total_law(SMALL.parts, target, m), PooledLaw(SMALL.parts)
    for total in range(-1, found.top + 3):
        chance = sum(one for each, one in law.items() if each >= total)
        assert found.at_least(total, m / 7, target) == pytest.approx(float(chance), abs=1e-9)


@pytest.mark.parametrize("place", [0.0, 0.3, 0.9])
def test_the_tails_of_each_number_of_respondents_are_those_of_the_lot_written_out(place):
    """One law of many people serves all numbers of a cell."""
    parts = (Part(16, ONE, 5), Part(10, channel(Fraction(19, 20), 5, 1), 8))
    law = PooledLaw(parts)
    total = round(law.ends[0] + (law.ends[1] - law.ends[0]) * place)
    for m in range(law.n + 1):
        chance = chances(of_parts(parts), "respondents", m / law.n)[total:].sum()
        assert law.at_least(total, m / law.n, "respondents") == pytest.approx(chance, abs=1e-9)


def test_scores_are_the_least_whole_numbers_that_lose_next_to_nothing():
    for counts in ((400, 300), (50, 5000)):
        [_, scores] = pooled_scores.moments(list(zip(counts, (ONE, ALL_BUT_ONE), strict=True)), 5)
        assert scores == (5, 3)
        moments = pooled_scores.of_parts(
            tuple(Part(n, own, score) for n, own, score in zip(counts, (ONE, ALL_BUT_ONE), scores, strict=True))
        )
        found = estimates.unit_variances(np.array(0.2), moments, "population") / sum(counts)
        alone = [
            estimates.unit_variances(np.array(0.2), own, "population") / n
            for n, own in zip(counts, (ONE, ALL_BUT_ONE), strict=True)
        ]
        assert found < 1.0025 / sum(1 / each for each in alone)


def test_forms_of_one_channel_are_one():
    [moments, scores] = pooled_scores.moments([(30, ONE), (70, ONE), (0, ALL_BUT_ONE)], 5)
    assert moments == ONE and scores == (1, 1, 1)


def test_a_form_whose_score_says_nothing_of_its_option_is_refused():
    with pytest.raises(ValueError, match="likelier 1 for their own option"):
        pooled_scores.moments([(3, ONE), (3, indicator(Fraction(1, 2), Fraction(1, 2)))], 5)


# Coverage: every total's law summed ----------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("n_one", "n_two"), [(12, 12), (4, 30), (30, 4)])
def test_no_share_is_covered_less_often_than_promised(target, n_one, n_two):
    [moments, _] = pooled_scores.moments([(n_one, ONE), (n_two, ALL_BUT_ONE)], 5)
    spans = published.of(moments, n_one + n_two)
    assert spans.method(target) == "exact"
    totals = range(PooledLaw(moments.parts).top + 1)
    for confidence in (CONFIDENCE, intervals.bonferroni(CONFIDENCE, 5)):
        ends = np.array([spans.interval([total], 0, confidence, target) for total in totals])
        assert least_coverage(of_parts(moments.parts), ends, target) >= confidence - 1e-7


@pytest.mark.parametrize("target", TARGETS)
def test_pooled_forms_of_one_channel_have_the_interval_of_one(target):
    """Two forms with one channel have the exact interval of all their reports."""
    parts = (Part(120, ONE, 1), Part(80, ONE, 1))
    for total in (0, 25, 60, 90, 200):
        span = PooledLaw(parts).interval(total, CONFIDENCE, target)
        assert span == pytest.approx(intervals.exact(total, 200, ONE, CONFIDENCE, target), abs=1e-9)


@pytest.mark.parametrize("target", TARGETS)
def test_of_many_reports_and_forms_the_interval_is_nearly_the_normal_one(target):
    rng = np.random.default_rng(45)
    channels = [
        channel(Fraction(int(k), 100), 5, int(a))
        for k, a in zip(rng.integers(20, 80, 8), rng.integers(1, 5, 8), strict=True)
    ]
    moments, _ = pooled_scores.moments(
        [(int(n), own) for n, own in zip(rng.integers(500, 5000, 8), channels, strict=True)], 5
    )
    total = round(moments.n * (float(moments.b) + 0.3 * float(moments.gap)))
    error = estimates.standard_errors(np.array([0.3]), moments.n, moments, target)[0]
    low, high = published.of(moments, moments.n).interval([total], 0, CONFIDENCE, target)
    assert (high - low) / (2 * 1.96 * error) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("every_look", [False, True])
@pytest.mark.parametrize("target", TARGETS)
def test_beyond_the_edge_an_interval_is_as_wide_as_at_the_edge(target, every_look):
    """This is M37."""
    [moments, _] = pooled_scores.moments([(300, ONE), (100, ALL_BUT_ONE)], 5)
    spans, law = published.of(moments, 400, every_look), PooledLaw(moments.parts)
    for edge, beyond in zip(map(round, law.ends), (-100, 100), strict=True):
        low, high = spans.interval([edge], 0, CONFIDENCE, target)
        assert spans.interval([edge + beyond], 0, CONFIDENCE, target) == (low, high) and high - low > 0.02


@pytest.mark.parametrize("share", [0.0, 0.02, 0.4, 1.0])
@pytest.mark.parametrize("tail", [0.05, 1e-3, 1e-6])
@pytest.mark.parametrize(
    "parts",
    [
        (Part(900, ONE, 5), Part(70, ALL_BUT_ONE, 3), Part(0, channel(Fraction(1, 2), 5, 2), 4)),
        # One form has almost no noise, the other almost nothing but noise.
        (Part(400, channel(1 - Fraction(1, 1_000_000), 2, 1), 40), Part(2841, channel(Fraction(1, 40), 2, 1), 1)),
    ],
)
def test_the_limits_are_where_a_tail_has_its_chance(parts, tail, share):
    law = PooledLaw(parts)
    bottom, top = law.ends
    total = round(bottom + (top - bottom) * share)
    for beyond, level, end in ((total, tail, "low"), (total + 1, 1 - tail, "high")):
        limit = getattr(law.limits(total, tail, "population"), end)
        if 0 < limit < 1:
            assert law.at_least(beyond, limit, "population") == pytest.approx(level, abs=1e-9)
        m = round(getattr(law.limits(total, tail, "respondents"), end) * law.n)
        last = m if end == "low" else m + 1  # the least number of people beyond the level
        if last <= law.n:
            assert law.at_least(beyond, last / law.n, "respondents") > level
        if last > 0:
            assert law.at_least(beyond, (last - 1) / law.n, "respondents") <= level


def test_with_two_options_both_intervals_are_mirror_images():
    [moments, _] = pooled_scores.moments([(30, channel(Fraction(1, 2), 2, 1)), (50, channel(Fraction(1, 4), 2, 1))], 2)
    spans, law = published.of(moments, 80), PooledLaw(moments.parts)
    for target in TARGETS:
        low, high = spans.interval([60], 0, CONFIDENCE, target)
        assert spans.interval([law.top - 60], 0, CONFIDENCE, target) == pytest.approx((1 - high, 1 - low), abs=1e-9)


# At every release -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("share", [0.001, 0.3, 0.95])
def test_the_evidence_against_the_true_share_is_1_at_most_in_the_mean_also_where_noise_is_rare(share, sign):
    """At alphas of 15 and 16 its terms exceed the largest float."""
    forms = [(3, channel(1 - Fraction(1, 1_600_000), 2, 1)), (2, channel(1 - Fraction(1, 4_400_000), 2, 1))]
    moments, _ = pooled_scores.every(forms, 2)
    law, mean = PooledLaw(moments.parts), 0.0
    for ones in product(range(4), range(3)):
        total = sum(part.score * count for part, count in zip(moments.parts, ones, strict=True))
        chances = [
            stats.binom.pmf(k, part.n, float(part.moments.b + Fraction(share) * part.moments.gap))
            for k, part in zip(ones, moments.parts, strict=True)
        ]
        mean += math.prod(chances) * math.exp(law.evidence(total, 1.0 / 40, sign)(share) - math.log(1 / 40))
    # The weights of 15 tilts, 1/((k + 1)(k + 2)), add up to 15/16.
    assert mean == pytest.approx(15 / 16, rel=1e-6)


def test_a_sequence_holds_at_every_release_however_the_forms_reports_come_in():
    """1,000 surveys have a release after every twenty reports, and the forms' reports come in stretches. The share of
    all people asked so far is estimated as well. If each survey misses with a chance of .05, more than 73 of 1,000 miss
    once in 1,000 runs."""
    rng, share, surveys = np.random.default_rng(29), 0.05, 1000
    order = np.repeat([0, 1, 0, 1, 1, 0] * 10, 10)
    channels, answers = [ONE, ALL_BUT_ONE], rng.random((surveys, len(order))) < share
    chances = np.where(answers, *(np.array([float(getattr(own, end)) for own in channels])[order] for end in "ab"))
    [_, scores] = pooled_scores.moments([(1, own) for own in channels], 5)
    totals = ((rng.random(answers.shape) < chances) * np.array(scores)[order]).cumsum(axis=1)
    missed = {target: np.zeros(surveys, dtype=bool) for target in TARGETS}
    for look in range(20, len(order) + 1, 20):
        counts = np.bincount(order[:look], minlength=2)
        [moments, _] = pooled_scores.moments(list(zip(counts.tolist(), channels, strict=True)), 5)
        spans = published.of(moments, look, every_look=True)
        truths = {"population": np.full(surveys, share), "respondents": answers[:, :look].mean(axis=1)}
        found = {int(t): spans.interval([int(t)], 0, CONFIDENCE, "population") for t in np.unique(totals[:, look - 1])}
        ends = np.array([found[int(total)] for total in totals[:, look - 1]])
        for target, truth in truths.items():
            missed[target] |= (truth < ends[:, 0] - 1e-9) | (truth > ends[:, 1] + 1e-9)
    assert all(each.sum() <= 73 for each in missed.values())


def test_the_mixture_against_a_true_share_has_the_mean_one_after_any_reports_of_any_forms():
    law = PooledLaw(SMALL.parts)
    for sign in (1, -1):
        for m in (0, 2, 7):
            mean = sum(
                math.exp(law.evidence(total, 0.025, sign)(m / 7)) / 0.025 * float(chance)
                for total, chance in total_law(SMALL.parts, "population", m).items()
            )
            # The weights of the tilts add up to 15/16.
            assert mean == pytest.approx(15 / 16, rel=1e-9)


# Whether forms agree --------------------------------------------------------------------------------------------------


def test_of_forms_with_the_same_randomized_response_the_statistic_is_pearsons():
    own = channel(Fraction(2, 5), 3, 1)
    counts = [(120, 90, 70), (60, 30, 60), (200, 150, 150)]
    forms = [FormTotals(sum(each), own, EXCLUSIVE, each) for each in counts]
    found, expected = agreement(forms), stats.chi2_contingency(np.array(counts), correction=False)
    assert (found.statistic, found.degrees) == (pytest.approx(expected.statistic, rel=1e-9), 4)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_forms_that_agree_are_accused_as_often_as_the_level_says():
    """The forms have unequal numbers and different channels, and one option is rare; 1,000 surveys."""
    found = np.array([_p_value(seed, (0.0, 0.0)) for seed in range(1000)])
    for level in (0.05, 0.01):
        assert stats.binomtest(int((found < level).sum()), len(found), level).pvalue > 1e-4


@pytest.mark.parametrize(
    ("numbers", "keeps"),
    [
        ((20, 20), (Fraction(1, 2), Fraction(9, 10))),
        ((15, 150), (Fraction(9, 10), Fraction(9, 10))),
        ((200, 20), (Fraction(2, 3), Fraction(1, 3))),
    ],
)
def test_two_forms_of_a_yes_or_no_question_are_accused_as_often_as_the_level_says(numbers, keeps):
    """The chances of all outcomes are exact, at every share of a grid; none is more than a sixth above its level."""
    channels = [channel(keep, 2, 1) for keep in keeps]
    p_values = np.full((numbers[0] + 1, numbers[1] + 1), 2.0)
    for place in np.ndindex(*p_values.shape):
        found = agreement(
            [FormTotals(n, own, EXCLUSIVE, (x, n - x)) for n, own, x in zip(numbers, channels, place, strict=True)]
        )
        if found is not None:
            p_values[place] = found.p_value
    for level in (0.05, 0.01, 0.001):
        rates = []
        for share in np.linspace(0, 1, 51):
            one, other = (
                stats.binom.pmf(np.arange(n + 1), n, float(own.b + own.gap * Fraction(share)))
                for n, own in zip(numbers, channels, strict=True)
            )
            rates.append(one @ (p_values < level) @ other)
        assert level / 2 < max(rates) < level * 7 / 6


def test_forms_of_very_unequal_numbers_with_rare_options_are_accused_as_often_as_the_level_says():
    """If the rate is the level, a test of 2,000 surveys at one of both levels fails once in 5,000 runs."""
    rng, own = np.random.default_rng(46), channel(Fraction(1, 2), 5, 1)
    chances = float(own.b) + float(own.gap) * np.array([0.96, 0.01, 0.01, 0.01, 0.01])
    found = np.array(
        [
            agreement([FormTotals(n, own, EXCLUSIVE, tuple(rng.multinomial(n, chances))) for n in (60, 600)]).p_value
            for _ in range(2000)
        ]
    )
    for level in (0.05, 0.01):
        assert stats.binomtest(int((found < level).sum()), len(found), level).pvalue > 1e-4


def test_people_who_leave_one_form_by_what_they_would_have_answered_are_seen():
    """Half of the people with the first answer leave one of the forms."""
    found = np.array([_p_value(seed, (0.5, 0.0), (1500, 1500)) for seed in range(60)])
    assert (found < 0.05).sum() > 50


def _p_value(seed, left, numbers=(150, 600)):
    rng, shares = np.random.default_rng([45, seed]), np.array([0.55, 0.37, 0.08])
    forms = []
    for (keep, a), n, gone in zip(((0.4, 1), (0.6, 2)), numbers, left, strict=True):
        own = channel(Fraction(keep), 3, a)
        people = shares * np.array([1 - gone, 1, 1])
        answers = rng.choice(3, n, p=people / people.sum())
        kept = rng.random(n) < keep
        keys = rng.random((n, 3))
        keys[np.arange(n), answers] -= 2 * kept
        listed = np.argsort(np.argsort(keys, axis=1), axis=1) < a
        pair = EXCLUSIVE if a == 1 else _pair(keep, a)
        forms.append(FormTotals(n, own, pair, tuple(listed.sum(axis=0).tolist())))
    assert pooled_shares(forms).sum() == pytest.approx(1)
    return agreement(forms).p_value


def _pair(keep, a):
    chance = (1 - Fraction(keep)) * Fraction(a * (a - 1), 6)
    return PairMoments(Fraction(keep) * Fraction(a - 1, 2) + chance, chance)


def test_of_too_few_reports_there_is_no_test():
    own = channel(Fraction(9, 10), 3, 1)
    assert agreement([FormTotals(20, own, EXCLUSIVE, (18, 1, 1)), FormTotals(20, own, EXCLUSIVE, (17, 2, 1))]) is None


# Weighted sums --------------------------------------------------------------------------------------------------------

PAIRS = PooledPairs((pair_moments(Fraction(3, 10), 1, 5), pair_moments(Fraction(7, 10), 4, 5)))
POOLED = Tallied(SMALL, PAIRS, [20, 10, 9, 8, 7], 7)


@pytest.mark.parametrize("answers", [(0, 0, 0, 0, 0, 0, 4), (0, 1, 1, 2, 3, 4, 4), (2, 2, 2, 4, 4, 4, 4)])
@pytest.mark.parametrize("tilt", [-1.5, -0.1, 0.2, 2.0])
def test_the_lot_makes_no_weighted_sum_more_extreme_than_forms_of_everyone(answers, tilt):
    """Enumerated: the mean over all lots of the product of M_x(t) is at most the product of the means of M_x(t)."""
    steps = np.linspace(0, 1, 5) ** 2
    logs = weighted._log_means_of_parts(POOLED, steps, np.array([tilt]))
    rows = np.array([np.exp(own[0] - own.max()) for n, own in logs for _ in range(n)])
    assert all((np.diff(row) * np.sign(tilt) > 0).all() for row in rows), "monotone in the weight, in every form"
    people = list(range(len(answers)))
    lots = [math.prod(rows[slot, answers[person]] for slot, person in enumerate(lot)) for lot in permutations(people)]
    assert np.mean(lots) <= math.prod(rows[:, list(answers)].mean(axis=1)) * (1 + 1e-12)


def test_a_pooled_weighted_sum_is_proved_but_of_the_respondents_at_every_look():
    assert all(weighted.proved(POOLED, target) for target in TARGETS)
    watched = replace(POOLED, every_look=True)
    assert weighted.proved(watched, "population") and not weighted.proved(watched, "respondents")


# The covariance of all options, and weighted sums of them -----------------------------------------------------------

THREE = (Fraction(4, 10), Fraction(6, 10))


def shares_of_three(counts):
    """Return the pooled shares of two forms, which list one and two of three options, with these numbers of reports."""
    (one, two), (n_one, n_two) = (channel(keep, 3, a) for keep, a in zip(THREE, (1, 2), strict=True)), counts
    moments, scores = pooled_scores.moments([(n_one, one), (n_two, two)], 3)
    pairs = {one: EXCLUSIVE, two: pair_moments(THREE[1], 2, 3)}
    return moments, scores, PooledPairs(tuple(pairs[part.moments] for part in moments.parts))


def outcomes(answers, scores):
    """Return every total of the three options with its chance, if forms ask these people in this order."""
    law = {(0, 0, 0): Fraction(1)}
    for form, asked in enumerate(answers):
        for x in asked:
            more = {}
            for (listed,), chance in reports(THREE[form], (3,), (form + 1,), (x,)):
                for before, known in law.items():
                    after = tuple(t + scores[form] * (j in listed) for j, t in enumerate(before))
                    more[after] = more.get(after, 0) + known * chance
            law = more
    return law


@pytest.mark.parametrize("target", TARGETS)
def test_the_covariance_of_pooled_shares_is_that_of_every_outcome(target):
    """A form that lists one option asks two of three people. In the population everyone answers by the shares 1/2, 1/3,
    1/6. Each respondent gave another answer, and the lot decides which form asks whom."""
    moments, scores, pairs = shares_of_three((2, 1))
    shares = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)) if target == "population" else (Fraction(1, 3),) * 3
    law = {}
    every = product(range(3), repeat=3) if target == "population" else permutations(range(3))
    for people in every:
        weight = math.prod(shares[x] for x in people) if target == "population" else Fraction(1, 6)
        for total, chance in outcomes((people[:2], people[2:]), scores).items():
            law[total] = law.get(total, 0) + weight * chance
    assert sum(law.values()) == 1
    estimate = {total: [(Fraction(t, 3) - moments.b) / moments.gap for t in total] for total in law}
    exact = [
        [sum(law[t] * (estimate[t][i] - shares[i]) * (estimate[t][j] - shares[j]) for t in law) for j in range(3)]
        for i in range(3)
    ]
    found = estimates.covariance([float(share) for share in shares], 3, moments, pairs, target)
    assert found == pytest.approx(np.array(exact, dtype=float), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("counts", [(2, 2), (1, 4), (5, 1)])
@pytest.mark.parametrize("confidence", [0.5, 0.9])
def test_no_weighted_sum_of_pooled_shares_is_covered_less_often_than_promised(counts, confidence):
    """The chances of every outcome are summed, for a population with any shares that are multiples of a quarter."""
    moments, scores, pairs = shares_of_three(counts)
    weights = np.array([1.0, 0.0, -1.0])
    spans = {}
    for quarters in product(range(5), repeat=3):
        if sum(quarters) == 4:
            shares = [Fraction(quarter, 4) for quarter in quarters]
            held = 0.0
            for total, chance in population_outcomes(shares, counts, scores).items():
                if total not in spans:
                    tallied = Tallied(moments, pairs, list(total), sum(counts))
                    spans[total] = weighted.interval(tallied, weights, confidence, "population")
                truth = float(shares[0] - shares[2])
                held += float(chance) * (spans[total].low <= truth + 1e-12 and truth - 1e-12 <= spans[total].high)
            assert held >= confidence


def population_outcomes(shares, counts, scores):
    """Return the totals of people who all answer by these shares."""
    law = {(0, 0, 0): Fraction(1)}
    for form, n in enumerate(counts):
        one = {}
        for x, share in enumerate(shares):
            for (listed,), chance in reports(THREE[form], (3,), (form + 1,), (x,)):
                one[listed] = one.get(listed, 0) + share * chance
        for _ in range(n):
            more = {}
            for listed, chance in one.items():
                for before, known in law.items():
                    after = tuple(t + scores[form] * (j in listed) for j, t in enumerate(before))
                    more[after] = more.get(after, 0) + known * chance
            law = more
    return law
