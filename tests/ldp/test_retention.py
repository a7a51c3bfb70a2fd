"""People may leave because of a question (M35). The survey says if it is more than chance, and bounds the effect."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from ldp import pooled_scores
from ldp.forms import retention
from ldp.inference import published
from ldp.inference.intervals import Interval
from tests.support.pooled import chances, channel, of_parts


def multinomial(n, chances):
    """Yield every outcome with its chance."""
    for head in product(range(n + 1), repeat=len(chances) - 1):
        if sum(head) <= n:
            counts = (*head, n - sum(head))
            yield counts, float(stats.multinomial.pmf(counts, n, chances))


@pytest.mark.parametrize("weights", [(1, 1), (1, 3), (1, 2, 3)])
@pytest.mark.parametrize("n", [1, 5, 20])
@pytest.mark.parametrize("level", [0.001, 0.05, 0.3])
def test_no_one_is_accused_more_often_than_stated_where_no_one_leaves(weights, n, level):
    chances = np.array(weights) / sum(weights)
    accused = sum(
        chance
        for counts, chance in multinomial(n, chances)
        if any(form.direction for form in retention.of_forms(counts, weights, level))
    )
    assert accused <= level


@pytest.mark.parametrize("stay", [(1.0, 1.0, 1.0), (0.5, 1.0, 1.0), (0.9, 0.2, 0.6), (1.0, 0.0, 1.0)])
@pytest.mark.parametrize("n", [6, 25])
def test_the_parts_that_stayed_lie_in_all_their_intervals_at_once(stay, n):
    weights, level = (1, 2, 3), 0.1
    drawn = np.array(weights) * np.array(stay)
    others = (drawn.sum() - drawn) / (sum(weights) - np.array(weights))
    truth, chances = np.array(stay) / others, drawn / drawn.sum()
    held = 0.0
    for counts, chance in multinomial(n, chances):
        spans = [form.ratio for form in retention.of_forms(counts, weights, level)]
        held += chance * all(low - 1e-9 <= r <= high + 1e-9 for r, (low, high) in zip(truth, spans, strict=True))
    assert held >= 1 - level


def test_a_form_that_a_third_leaves_is_named_with_its_direction():
    first, second, third = retention.of_forms((667, 1010, 990), (1, 1, 1))
    assert (first.direction, second.direction, third.direction) == (-1, 1, 0) or first.direction == -1
    assert first.p_value < 1e-6 and first.ratio.high < 1
    assert 0.33 < first.missing < 0.45 and second.missing < 0.1


def test_equal_numbers_accuse_no_one_and_few_reports_can_hide_much():
    few, many = retention.of_forms((10, 10), (1, 1)), retention.of_forms((10_000, 10_000), (1, 1))
    assert not any(form.direction for form in (*few, *many))
    assert few[0].missing > 0.7 > 0.1 > many[0].missing


def test_a_form_without_reports_may_have_lost_everyone():
    empty, full = retention.of_forms((0, 40), (1, 1))
    assert empty.direction == -1 and empty.missing == 1 and full.ratio.high == float("inf")


def test_the_bound_holds_whatever_the_missing_would_have_answered():
    gone, share = 0.3, 0.2
    span = retention.bounds(Interval(share, share), gone)
    for answer in np.linspace(0, 1, 11):
        everyone = (1 - gone) * share + gone * answer
        assert span.low - 1e-12 <= everyone <= span.high + 1e-12
    assert retention.bounds(Interval(0.1, 0.3), 0.0) == (0.1, 0.3)


@pytest.mark.parametrize("asking", [(0, 1), (1, 2), (0, 1, 2), (2,)])
@pytest.mark.parametrize("stay", [(1.0, 1.0, 1.0), (0.5, 0.5, 1.0), (0.9, 0.2, 0.6), (1.0, 0.7, 0.1)])
def test_no_more_are_missing_from_a_form_that_asks_a_question_than_is_said(asking, stay):
    """Enumerated for people who report with a form that does not ask it, or with the form that is left least."""
    weights, level, n = (1, 2, 3), 0.1, 25
    drawn = np.array(weights) * np.array(stay)
    others = [form for form in range(3) if form not in asking]
    reference = drawn[others].sum() / sum(weights[form] for form in others) if others else max(stay)
    gone, held = max(1 - stay[form] / reference for form in asking), 0.0
    for counts, chance in multinomial(n, drawn / drawn.sum()):
        ratios = [form.ratio for form in retention.of_forms(counts, weights, level)]
        held += chance * (retention.most_missing(asking, weights, ratios) >= gone - 1e-9)
    assert held >= 1 - level


def test_of_one_form_the_part_is_that_of_the_form_and_of_several_left_alike_it_is_not():
    forms = retention.of_forms((6000, 6000, 10_000), (1, 1, 1))
    ratios = [form.ratio for form in forms]
    for k, form in enumerate(forms):
        assert retention.most_missing((k,), (1, 1, 1), ratios) == pytest.approx(form.missing)
    assert max(form.missing for form in forms) < 0.3, "each by the other two together"
    assert 0.4 < retention.most_missing((0, 1), (1, 1, 1), ratios) < 0.45
    assert 0.4 < retention.most_missing((0, 1, 2), (1, 1, 1), ratios) < 0.45


@pytest.mark.parametrize("share", [0.0, 0.1, 0.4, 0.8])
@pytest.mark.parametrize("stay", [((0.4, 1.0), (0.9, 1.0)), ((1.0, 0.5), (0.2, 1.0)), ((0.3, 0.8), (0.3, 0.8))])
def test_a_pooled_interval_with_what_may_be_missing_holds_the_share_of_everyone(share, stay):
    """Enumerated: two forms ask the question, a third does not. Each form loses parts of the people with and without
    the answer. The bound on missing people is too low with a chance of at most the level. The interval has its own
    error."""
    n, level, confidence, weights = 10, 0.1, 0.8, (1, 1, 1)
    channels = [channel(Fraction(9, 10), 3, 1), channel(Fraction(2, 3), 3, 2)]
    kept = [share * own + (1 - share) * other for own, other in stay]
    drawn = np.array([*kept, 1.0])
    held = 0.0
    for counts, chance in multinomial(n, drawn / drawn.sum()):
        ratios = [form.ratio for form in retention.of_forms(counts, weights, level)]
        gone = retention.most_missing((0, 1), weights, ratios)
        if not sum(counts[:2]):
            held += chance
            continue
        asked = list(zip(counts[:2], channels, strict=True))
        moments = pooled_scores.every(asked, 3)[0]
        each = of_parts(moments.parts)
        own = [share * stayed / part for (stayed, _), part in zip(stay, kept, strict=True)]
        law = np.convolve(*(chances([form], "population", s) for form, s in zip(each, own, strict=True)))
        for total in np.flatnonzero(law > 1e-12):
            low, high = bounded(published.of(moments, sum(counts[:2])), int(total), gone, confidence)
            held += chance * law[total] * (low - 1e-9 <= share <= high + 1e-9)
    assert held >= confidence - level


def bounded(spans, total, gone, confidence):
    return retention.bounds(spans.interval([total], 0, confidence, "population"), gone)


def test_a_form_whose_reports_are_not_all_seen_is_accused_only_if_it_would_be_whatever_they_are():
    seen = retention.of_forms((0, 100, 100), (1, 5, 5), unseen=(19, 0, 0))
    assert seen[0].direction == 0 and seen[0].ratio.low == 0 and seen[0].missing == 1
    everything = retention.of_forms((19, 100, 100), (1, 5, 5))
    assert seen[0].ratio.high == pytest.approx(everything[0].ratio.high)
    assert seen[0].p_value >= everything[0].p_value
    many = retention.of_forms((0, 1000, 1000), (1, 5, 5), unseen=(19, 0, 0))
    assert many[0].direction == -1 and many[0].ratio.high < 1


def test_anyone_who_ends_a_survey_for_what_it_says_has_a_sequence_for_a_test():
    once, always = (retention.of_forms((840, 1000), (1, 1), every_look=look) for look in (False, True))
    for one, every in zip(once, always, strict=True):
        assert every.p_value is None and every.ratio.low < one.ratio.low and one.ratio.high < every.ratio.high
    assert [form.direction for form in once] == [-1, 1] and [form.direction for form in always] == [0, 0]
    assert [form.direction for form in retention.of_forms((700, 1000), (1, 1), every_look=True)] == [-1, 1]


def test_a_sequence_accuses_no_one_at_any_look_where_no_one_leaves():
    """Every path of 12 reports is tried, at a level so high that some paths are accused."""
    level, looks = 0.6, range(1, 13)
    named = {
        (n, k): any(form.direction for form in retention.of_forms((n - k, k), (1, 1), level, every_look=True))
        for n in looks
        for k in range(n + 1)
    }
    accused = sum(any(named[n, sum(path[:n])] for n in looks) for path in product((0, 1), repeat=12))
    assert 0 < accused / 2**12 <= level


@pytest.mark.parametrize("counts", [(0, 0), (5,), (1, 2, 3)])
def test_what_says_nothing_of_leaving_is_refused(counts):
    with pytest.raises(ValueError):
        retention.of_forms(counts, (1, 1))
