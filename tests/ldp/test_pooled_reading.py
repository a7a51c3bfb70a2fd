"""Statistics of shares that several forms ask for through different channels (M45), over all outcomes."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest

from ldp import pooled_scores
from ldp.inference.reading import forged, several, significance
from ldp.inference.tallied import Tallied
from ldp.mechanisms.randomized_response import pair_moments
from ldp.scores import PooledPairs
from tests.support.pooled import Reports, chances, channel, least_coverage
from tests.support.product_subsets import reports

TARGETS = ("population", "respondents")
D = 4
# For each form: the chance to keep, the number of listed options, the number of reports.
FORMS = {
    "alike": ((Fraction(3, 10), 1, 12), (Fraction(7, 10), 1, 9)),
    "unequal": ((Fraction(9, 10), 1, 3), (Fraction(1, 2), 1, 18)),
    "three": ((Fraction(3, 10), 1, 6), (Fraction(1, 2), 1, 5), (Fraction(9, 10), 1, 7)),
    "several listed": ((Fraction(1, 2), 1, 5), (Fraction(9, 10), 3, 6)),
}


def tallied(forms, total, every_look=False):
    """Return totals in which the first option has this total and the last one the rest."""
    channels = [channel(keep, D, a) for keep, a, _ in forms]
    moments, scores = pooled_scores.every([(n, own) for own, (_, _, n) in zip(channels, forms, strict=True)], D)
    pairs = PooledPairs(tuple(pair_moments(keep, a, D) for keep, a, _ in forms))
    whole = sum(a * n * score for (_, a, n), score in zip(forms, scores, strict=True))
    return Tallied(moments, pairs, [total, 0, 0, whole - total], sum(n for _, _, n in forms), every_look=every_look)


def of_set(forms, k):
    """Return the reports of these forms. A score is how many of the first k options are listed."""
    every = []
    for (keep, a, n), part in zip(forms, tallied(forms, 0).moments.parts, strict=True):
        laws = []
        for answer in (D - 1, 0):
            law = np.zeros(min(a, k) + 1)
            for (listed,), chance in reports(keep, (D,), (a,), (answer,)):
                law[sum(j < k for j in listed)] += float(chance)
            laws.append(law)
        every.append(Reports(n, part.score, tuple(laws)))
    return every


def largest(every):
    return sum(form.n * form.times * (len(form.laws[0]) - 1) for form in every)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("forms", FORMS.values(), ids=FORMS)
def test_the_share_of_several_options_is_covered_at_least_as_often_as_promised(forms, k, target):
    every = of_set(forms, k)
    totals = range(largest(every) + 1)
    for confidence in (0.6, 0.95):
        ends = np.array([several.interval(tallied(forms, t), range(k), confidence, target) for t in totals])
        assert least_coverage(every, ends, target) >= confidence - 1e-7


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize("forms", FORMS.values(), ids=FORMS)
def test_no_p_value_is_at_most_a_level_more_often_than_by_that_level(forms, alternative, target):
    """This holds wherever the hypothesis does; for the respondents also at values that are no multiple of 1/n."""
    every = of_set(forms, 1)
    n, totals = sum(form.n for form in every), range(largest(every) + 1)
    for value in (0.0, 0.04, 5 / n, 0.4, 1.0):
        p_values = np.array([significance.p_value(tallied(forms, t), 0, value, alternative, target) for t in totals])
        every_share = np.arange(n + 1) / n if target == "respondents" else np.append(value, np.linspace(0, 1, 21))
        for share in every_share:
            if share <= value + 1e-12 if alternative == "greater" else share >= value - 1e-12:
                law = chances(every, target, share)
                assert all(law[p_values <= level].sum() <= level + 1e-9 for level in p_values)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("forms", FORMS.values(), ids=FORMS)
def test_an_interval_leaves_out_what_a_p_value_refuses_on_either_side(forms, target):
    for total, value in product((0, 3, 17, 26, 40), (0.05, 0.3, 0.7)):
        own = tallied(forms, total)
        value = round(value * own.n) / own.n
        low, high = own.interval(0, 0.8, target)
        below, above = (significance.p_value(own, 0, value, way, target) for way in ("greater", "less"))
        assert (value < low - 1e-9, value > high + 1e-9) == (below <= 0.1, above <= 0.1)


@pytest.mark.parametrize("forms", [((Fraction(9, 10), 1, 8), (Fraction(2, 3), 3, 5)), FORMS["three"]])
@pytest.mark.parametrize("count", [1, 2])
def test_forged_reports_do_not_hide_the_honest_share_even_if_they_are_chosen_by_what_all_others_sent(forms, count):
    """The forger sees every honest report, and chooses each forged report's form and content."""
    every, confidence = of_set(forms, 1), 0.8
    spans = {}

    def span(numbers, total):
        if (numbers, total) not in spans:
            more = [(keep, a, n) for (keep, a, _), n in zip(forms, numbers, strict=True)]
            spans[numbers, total] = forged.interval(tallied(more, total), 0, count, confidence)
        return spans[numbers, total]

    honest = tuple(n for _, _, n in forms)
    ends = []
    for total in range(largest(every) + 1):
        each = []
        for chosen in combinations_with_replacement(range(len(forms)), count):
            numbers = tuple(n + chosen.count(place) for place, n in enumerate(honest))
            listed = (ones for k in range(count + 1) for ones in combinations(chosen, k))
            each += [span(numbers, total + more) for more in {sum(every[one].times for one in ones) for ones in listed}]
        # The intersection of all these intervals.
        ends.append((max(low for low, _ in each), min(high for _, high in each)))
    assert least_coverage(every, np.array(ends), "population") >= confidence - 1e-7


# At every release -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("share", [0.0, 0.03, 0.2, 0.5, 0.9])
def test_no_look_of_all_misses_more_often_than_promised(share, k):
    """The chance is exact that one of 40 looks, after each report, misses a share of the population."""
    forms, confidence = ((Fraction(9, 10), 1, 20), (Fraction(2, 3), 1, 20)), 0.5
    every = of_set(forms, k)
    law, counts, missed = np.ones(1), [0, 0], 0.0
    for form in [0, 1, 1, 0, 0, 0, 1, 1] * 5:
        no, yes = every[form].spaced()
        law = np.convolve(law, (1 - share) * no + share * yes)
        counts[form] += 1
        numbers = [(keep, a, n) for (keep, a, _), n in zip(forms, counts, strict=True)]
        for total in np.flatnonzero(law > 1e-9):
            low, high = several.interval(tallied(numbers, int(total), True), range(k), confidence, "population")
            if not low - 1e-9 <= share <= high + 1e-9:
                missed, law[total] = missed + law[total], 0.0
    assert 0.01 < missed <= 1 - confidence
