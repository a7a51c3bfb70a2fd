"""Bounds for questions that only some were asked (M34c)."""

import random
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest

from ldp.forms import report as reports_of
from ldp.forms import results as in_forms
from ldp.forms.report import alone
from ldp.inference.intervals import bonferroni
from ldp.inference.reading import apart, unasked
from ldp.inference.reading.unasked import Decider, Deciders
from ldp.inference.tallied import of_question
from ldp.planning import trial
from surveys.survey import definition as definitions

N = 250
LAWS = [("1", (0.4, (0.2, 0.3, 0.5))), ("4", (0.9, (0, 0, 1))), ("4", (0.05, (1, 0, 0)))]


def built(alpha):
    draft = [
        {"key": "smokes", "kind": "yes_no", "text": "?", "alpha": alpha},
        {"key": "often", "kind": "ordered", "text": "?", "options": ["never", "at times", "daily"], "alpha": alpha}
        | {"mechanism": "randomized_response", "asked_if": {"question": "smokes", "options": [0]}},
    ]
    return alone(definitions.build({"title": "?", "questions": draft}))


def tallied(question, answers, chance):
    """Return the totals of these answers, randomized by the question's table."""
    d = len(question["options"])
    q = (1 - question["table"]["keep"] / 2**53) / len(question["options"])
    kept = chance.random(len(answers)) < 1 - (d - 1) * q
    others = (answers + chance.integers(1, d, len(answers))) % d
    counts = np.bincount(np.where(kept, answers, others), minlength=d)
    return dict(of_question(question, {"support": counts.tolist()}, len(answers)))[question["key"]]


def rows(own):
    return [(own, j) for j in range(own.d)]


@pytest.mark.parametrize(("alpha", "law"), LAWS)
def test_bounds_hold_for_what_everyone_would_have_said(alpha, law):
    """`law` is the share who smoke, and their answers. If 5% of surveys miss a bound, 28 or more of 300 do in fewer
    than 1 of 500 runs."""
    (smokers, answers), chance = law, np.random.default_rng(7)
    decider, question = built(alpha)
    asked, others = smokers * np.array(answers), 1 - smokers
    least = asked.copy()
    most = asked + others
    missed = 0
    for _survey in range(300):
        leads = chance.random(N) < smokers
        own = np.where(leads, chance.choice(3, N, p=answers), 0)
        known = Decider(rows(tallied(decider, np.where(leads, 0, 1), chance)), [0], False)
        found = unasked.bounds(rows(tallied(question, own, chance)), [1.0, 0.0, 0.0], Deciders([known]), 0.95)
        spans = [one.simultaneous for one in found]
        missed += any(low > least[j] + 1e-12 or high < most[j] - 1e-12 for j, (low, high) in enumerate(spans))
    assert missed < 28


def test_the_fillers_share_holds_those_who_were_not_asked_and_the_others_do_not():
    """There is almost no noise: half smoke, and half of these daily. People not asked make up to half of any share."""
    decider, question = built("16")
    chance = np.random.default_rng(1)
    leads = np.arange(4000) % 2 == 0
    own = np.where(leads, np.where(np.arange(4000) % 4 == 0, 2, 1), 0)
    known = Decider(rows(tallied(decider, np.where(leads, 0, 1), chance)), [0], False)
    never, at_times, daily = unasked.bounds(
        rows(tallied(question, own, chance)), [1.0, 0.0, 0.0], Deciders([known]), 0.95
    )
    for found, ends in ((never, [0, 0.5]), (at_times, [0.25, 0.75]), (daily, [0.25, 0.75])):
        assert [found.low, found.high] == pytest.approx(ends, abs=0.01)
        assert found.interval.low <= max(found.low, 0) and found.high <= found.interval.high


def test_of_a_mean_those_who_were_not_asked_lie_at_either_end():
    """The mean is .5. 40% were not asked and count as the filler: they may all be 0, or all 1."""
    decider, _question = built("16")
    half = tallied(decider, np.arange(4000) % 2, np.random.default_rng(1))
    known = Decider(rows(tallied(decider, (np.arange(4000) % 5 < 2).astype(int), np.random.default_rng(1))), [0], False)
    for filler, low, high in ((0.0, 0.5, 0.9), (1.0, 0.1, 0.5), (0.5, 0.3, 0.7)):
        [found] = unasked.bounds([(half, 0)], [filler], Deciders([known]), 0.95)
        assert [found.low, found.high] == pytest.approx([low, high], abs=0.01)


def test_a_chain_of_deciders_adds_up_and_a_multiple_choice_gives_its_most_common_option():
    decider, _question = built("16")
    half = tallied(decider, np.arange(4000) % 2, np.random.default_rng(1))
    fifth = tallied(decider, (np.arange(4000) % 5 > 0).astype(int), np.random.default_rng(2))
    behind = Deciders([Decider(rows(half), [0], False)])
    one = unasked.unasked(behind, 0.95)
    both = unasked.unasked(Deciders([Decider(rows(fifth), [1], False, behind)]), 0.95)
    assert one.estimate == pytest.approx(0.5, abs=0.01) and both.estimate == pytest.approx(0.7, abs=0.01)
    assert one.most > one.estimate and both.most > both.estimate
    named = unasked.unasked(Deciders([Decider([(fifth, 0), (half, 0)], [0, 1], True)]), 0.95)
    assert named.estimate == pytest.approx(0.5, abs=0.01), "at most half did not name the more common one"


# Among those who were asked -------------------------------------------------------------------------------------------

CHANCES = [(Fraction(1, 3), (1, 2, 3)), (Fraction(9, 10), (0, 0, 7)), (Fraction(1, 20), (5, 0, 1))]


def randomized(d):
    """Return a channel of d answers in fractions: the true one has 5 parts, each other 2."""
    return [[Fraction(5 if j == k else 2, 5 + 2 * (d - 1)) for k in range(d)] for j in range(d)]


@pytest.mark.parametrize("filler", [0, 1, 2])
@pytest.mark.parametrize(("smokers", "weights"), CHANCES)
def test_of_every_law_the_shares_among_those_who_were_asked_are_found_again_exactly(smokers, weights, filler):
    """Every path, answer and report is enumerated in fractions. Shares are linear in a report, so the expectation for
    one person is the expectation for all. Any answer may be the filler."""
    answers = [Fraction(weight, sum(weights)) for weight in weights]
    own, deciding = randomized(3), randomized(2)
    reports, leads = [Fraction(0)] * 3, [Fraction(0)] * 2
    for answer, share in enumerate(answers):
        for path, chance in ((0, smokers), (1, 1 - smokers)):
            for report, law in enumerate(own[filler if path else answer]):
                reports[report] += share * chance * law
            for report, law in enumerate(deciding[path]):
                leads[report] += share * chance * law
    theta = [(total - own[0][1]) / (own[0][0] - own[0][1]) for total in reports]
    missing = (leads[1] - deciding[0][1]) / (deciding[0][0] - deciding[0][1])
    assert missing == 1 - smokers
    assert [unasked.without_filler(share, int(j == filler), missing) for j, share in enumerate(theta)] == answers


@pytest.mark.parametrize("filler", [0, 1, 2])
@pytest.mark.parametrize(("smokers", "weights"), CHANCES)
def test_of_every_law_versions_differ_among_those_who_were_asked_as_they_do_there(smokers, weights, filler):
    """Two versions have different answers but the same condition and filler, so the filler cancels, in fractions."""
    differ = []
    for own in (weights, weights[::-1]):
        answers = [Fraction(weight, sum(weights)) for weight in own]
        every = [smokers * share + (1 - smokers) * (j == filler) for j, share in enumerate(answers)]
        differ.append((answers, every))
    (first, all_first), (second, all_second) = differ
    assert [
        unasked.without_filler(one - other, 0, 1 - smokers) for one, other in zip(all_first, all_second, strict=True)
    ] == [one - other for one, other in zip(first, second, strict=True)]


@pytest.mark.parametrize("filler", [0, 2])
@pytest.mark.parametrize(("alpha", "law"), LAWS)
def test_intervals_hold_the_differences_of_versions_among_those_who_were_asked(alpha, law, filler):
    """Half of the forms ask each version, and everyone is asked whether they smoke. If 5% may miss, 11 or more of 60
    surveys do in fewer than 1 of 5,000 runs."""
    (smokers, answers), chance, missed = law, np.random.default_rng(27), 0
    decider, question = built(alpha)
    laws = np.array([answers, answers[::-1]])
    truth, level = laws[0] - laws[1], bonferroni(0.95, 3)
    for _survey in range(60):
        leads, version = chance.random(2 * N) < smokers, chance.integers(0, 2, 2 * N)
        answer = np.where(version == 0, *(chance.choice(3, 2 * N, p=each) for each in laws))
        own = np.where(leads, answer, filler)
        here, there = (tallied(question, own[version == k], chance) for k in (0, 1))
        known = Deciders([Decider(rows(tallied(decider, np.where(leads, 0, 1), chance)), [0], False)])
        for j in range(3):
            pair = (here, j), (there, j)
            _, span = unasked.number_among(
                apart.estimate(*pair), partial(apart.interval, *pair), 0.0, known, level, -1.0
            )
            if not span.low - 1e-12 <= truth[j] <= span.high + 1e-12:
                missed += 1
                break
    assert missed < 11


@pytest.mark.parametrize("filler", [0, 2])
@pytest.mark.parametrize(("alpha", "law"), LAWS)
def test_intervals_hold_the_shares_among_those_who_were_asked(alpha, law, filler):
    """If 5% of surveys miss an interval, 28 or more of 300 do in fewer than 1 of 500 runs."""
    (smokers, answers), chance, missed = law, np.random.default_rng(17), 0
    decider, question = built(alpha)
    fillers = [float(j == filler) for j in range(3)]
    for _survey in range(300):
        leads = chance.random(N) < smokers
        own = np.where(leads, chance.choice(3, N, p=answers), filler)
        known = Deciders([Decider(rows(tallied(decider, np.where(leads, 0, 1), chance)), [0], False)])
        found = unasked.among_reached(rows(tallied(question, own, chance)), fillers, known, 0.95)
        spans = [one.simultaneous for one in found]
        missed += any(not low - 1e-12 <= answers[j] <= high + 1e-12 for j, (low, high) in enumerate(spans))
    assert missed < 28


def test_without_noise_the_estimates_are_the_shares_of_those_who_were_asked():
    decider, question = built("16")
    chance, people = np.random.default_rng(1), np.arange(4000)
    own = np.where(people % 2 == 0, np.where(people % 4 == 0, 2, 1), 0)
    known = Deciders([Decider(rows(tallied(decider, people % 2, chance)), [0], False)])
    found = unasked.among_reached(rows(tallied(question, own, chance)), [1.0, 0.0, 0.0], known, 0.95)
    assert [one.estimate for one in found] == pytest.approx([0, 0.5, 0.5], abs=0.01)
    both = Deciders([*known.each, *known.each])
    bounded = unasked.among_reached(rows(tallied(question, own, chance)), [1.0, 0.0, 0.0], both, 0.95)
    assert all(one.estimate is None and one.interval.low <= 0.5 <= one.interval.high for one in bounded[1:])


def test_a_cut_interval_makes_no_standard_error_small():
    """A hundred reports at alpha 1 show almost nothing, wherever their estimates lie."""
    decider, question = built("1")
    chance, people = np.random.default_rng(3), np.arange(100)
    known = Deciders([Decider(rows(tallied(decider, people % 2, chance)), [0], False)])
    numbers = unasked.among_reached(rows(tallied(question, people % 2 * 0 + 2, chance)), [1.0, 0, 0], known, 0.95)
    assert all(0 <= one.interval.low <= one.interval.high <= 1 for one in numbers)
    assert all(2 * 1.96 * one.standard_error > 0.9 for one in numbers)


@pytest.mark.parametrize(("share", "readable"), [(0.5, True), (0.001, False)])
def test_where_hardly_anyone_was_asked_there_is_no_estimate(share, readable):
    decider, question = built("4")
    chance = np.random.default_rng(2)
    leads = np.arange(4000) < 4000 * share
    known = Deciders([Decider(rows(tallied(decider, np.where(leads, 0, 1), chance)), [0], False)])
    assert unasked.readable(known) == readable
    numbers = unasked.among_reached(rows(tallied(question, leads * 2, chance)), [1.0, 0.0, 0.0], known, 0.95)
    assert [one.estimate is not None for one in numbers] == [readable] * 3


@pytest.mark.parametrize("joined", [all, any])
def test_the_share_who_were_not_asked_lies_between_its_limits(joined):
    decider, _question = built("16")
    chance = np.random.default_rng(5)
    kept_out = places(4000, joined, chance)
    found = unasked.unasked(deciders_of(kept_out, decider, joined, chance), 0.95)
    truth = float(np.mean(np.any(kept_out, axis=0) if joined is all else np.all(kept_out, axis=0)))
    assert found.least <= truth <= found.most


# Several questions decide together -----------------------------------------------------------------------------------


def places(count, joined, chance):
    """Return the people excluded by each of several rules, by the worst law. If all rules must hold, no one is excluded
    twice. If any rule is enough, all exclude the same people."""
    drawn = chance.random(count)
    parts = [(0.0, 0.2), (0.2, 0.3), (0.3, 0.6)] if joined is all else [(0.0, 0.4)] * 5
    return [(low <= drawn) & (drawn < high) for low, high in parts]


def deciders_of(kept_out, question, joined, chance):
    """Return the deciding questions, whose second answer does not lead on."""
    each = [tallied(question, one.astype(int), chance) for one in kept_out]
    return Deciders([Decider(rows(own), [0], False) for own in each], joined)


@pytest.mark.parametrize(("joined", "least"), [(all, 0.4), (any, 0.6)])
@pytest.mark.parametrize("alpha", ["1", "4"])
def test_bounds_hold_where_several_questions_decide(alpha, joined, least):
    """If 5% of surveys miss a bound, 28 or more of 300 do in fewer than 1 of 500 runs."""
    decider, question = built(alpha)
    answers, chance, missed = (0.2, 0.3, 0.5), np.random.default_rng(11), 0
    asked = least * np.array(answers)
    for _survey in range(300):
        kept_out = places(N, joined, chance)
        out = sum(kept_out).astype(bool) if joined is all else np.all(kept_out, axis=0)
        own = np.where(out, 0, chance.choice(3, N, p=answers))
        known = deciders_of(kept_out, decider, joined, chance)
        found = unasked.bounds(rows(tallied(question, own, chance)), [1.0, 0.0, 0.0], known, 0.95)
        ends = [one.simultaneous for one in found]
        missed += any(low > asked[j] or high < asked[j] + 1 - least for j, (low, high) in enumerate(ends))
    assert missed < 28


@pytest.mark.parametrize(("joined", "share"), [(all, 0.6), (any, 0.4)])
def test_the_share_is_below_its_limit_whichever_of_several_questions_gives_it(joined, share):
    """The least of five limits fails if any one fails. If 5% may fail, 47 or more of 600 do in fewer than 1 of 500
    runs. Without Bonferroni, 9% fail if any rule is enough."""
    decider, _question = built("1")
    chance = np.random.default_rng(5)
    known = (deciders_of(places(N, joined, chance), decider, joined, chance) for _survey in range(600))
    assert sum(unasked.unasked(each, 0.95).most < share for each in known) < 47


def test_all_add_up_and_any_takes_the_least_and_neither_is_exact():
    decider, _question = built("16")
    chance = np.random.default_rng(1)
    half = Decider(rows(tallied(decider, np.arange(4000) % 2, chance)), [0], False)
    fifth = Decider(rows(tallied(decider, (np.arange(4000) % 5 == 0).astype(int), chance)), [0], False)
    shares = [unasked.unasked(Deciders([half, fifth], joined), 0.95).estimate for joined in (all, any)]
    assert shares == pytest.approx([0.7, 0.2], abs=0.01)
    behind = fifth._replace(before=Deciders([half, fifth], any))
    assert unasked.unasked(Deciders([behind]), 0.95).estimate == pytest.approx(0.4, abs=0.01)
    assert [Deciders(each).exact for each in ([half], [half, fifth], [behind])] == [True, False, False]


def test_bounds_by_rules_that_overlap_stay_possible():
    """Two rules keep out the same half, who count as the filler. Their sum is everyone, and more than the filler's
    share. One rule alone is an ordinary estimate, and not cut."""
    decider, question = built("16")
    chance, out = np.random.default_rng(1), np.arange(4000) % 2 == 0
    own = rows(tallied(question, np.where(out, 0, 2), chance))
    each = [Decider(rows(tallied(decider, out.astype(int), chance)), [0], False) for _rule in range(2)]
    never, _at_times, daily = unasked.bounds(own, [1.0, 0.0, 0.0], Deciders(each), 0.95)
    assert never.low == 0 and daily.high == 1
    [mean] = unasked.bounds([own[0]], [1.0], Deciders(each), 0.95)
    assert (mean.low, mean.high) == (0, pytest.approx(0.5, abs=0.02))
    raw = unasked.bounds(own, [1.0, 0.0, 0.0], Deciders(each[:1]), 0.95)[0]
    assert raw.low == float(own[0][0].shares[0]) - unasked.unasked(Deciders(each[:1]), 0.99).estimate


def test_what_is_known_in_part_is_not_exact():
    decider, _question = built("16")
    half = Decider(rows(tallied(decider, np.arange(400) % 2, np.random.default_rng(1))), [0], False)
    part = half._replace(partial=True)
    assert Deciders([half], any).exact and not Deciders([part], any).exact
    assert not Deciders([half._replace(before=Deciders([part], any))]).exact


@pytest.mark.parametrize(("joined", "least", "most"), [(all, 0.5, 1), (any, 0, 0.5)])
def test_a_question_without_reports_keeps_out_no_one_or_everyone(joined, least, most):
    decider, _question = built("16")
    half = Decider(rows(tallied(decider, np.arange(4000) % 2, np.random.default_rng(1))), [0], False)
    known = Deciders([half, unasked.UNKNOWN], joined)
    found = unasked.unasked(known, 0.95)
    assert not known.exact and [found.least, found.most] == pytest.approx([least, most], abs=0.02)
    alone = unasked.unasked(Deciders([unasked.UNKNOWN], joined), 0.95)
    assert (alone.least, alone.most) == (0, 1)


# The shares that bounds allow -----------------------------------------------------------------------------------------

FOURTHS = [Fraction(k, 4) for k in range(5)]
OVERLAPS = [law for law in product(FOURTHS, repeat=4) if sum(law) == 1]  # both rules keep out, one, the other, none


@pytest.mark.parametrize("filler", [0, 1])
@pytest.mark.parametrize("joined", [all, any])
def test_the_ends_are_the_least_and_the_greatest_share_that_totals_allow(joined, filler):
    """The test covers every law of whom two rules exclude and of the other people's answers, in fractions. The share
    lies between the ends, and another law with the same totals reaches each end."""
    for law, answer in product(OVERLAPS, FOURTHS):
        both, one, other, _none = law
        missing = both + one + other if joined is all else both
        if missing == 1:
            continue
        first, second, theta = both + one, both + other, missing * filler + (1 - missing) * answer
        bounds = least_and_most(joined, first, second, theta if filler else 1 - theta)
        ends = [unasked.without_filler(theta, filler, end) for end in bounds if end < 1]
        assert bounds[0] <= missing <= bounds[1] and min(ends) <= answer
        assert answer <= max(ends) or bounds[1] == 1
        for end, share in zip(bounds, ends, strict=False):
            reaching = overlapping(joined, first, second, end)
            assert min(reaching) >= 0 and sum(reaching) == 1 and 0 <= share <= 1
            assert (reaching[0] + reaching[1], reaching[0] + reaching[2]) == (first, second)
            assert end * filler + (1 - end) * share == theta


def least_and_most(joined, first, second, filled):
    """Return the least and largest share that two rules with these totals may not ask, if `filled` give the filler."""
    if joined is all:
        return max(first, second), min(first + second, filled)
    return max(Fraction(0), first + second - 1), min(first, second, filled)


def overlapping(joined, first, second, missing):
    """Return the law of two rules with these totals that asks all but `missing`."""
    both = first + second - missing if joined is all else missing
    return both, first - both, second - both, 1 - first - second + both


@pytest.mark.parametrize("alpha", ["1", "4"])
@pytest.mark.parametrize(("joined", "overlap"), list(product([all, any], [0.0, 0.5, 1.0])))
def test_intervals_hold_the_shares_among_those_who_were_asked_however_rules_overlap(alpha, joined, overlap):
    """Each of two rules excludes 40%, and this part is excluded by both. If 5% may miss, 11 or more of 60 surveys do in
    fewer than 1 of 5,000 runs. No share is estimated."""
    decider, question = built(alpha)
    chance, answers, missed = np.random.default_rng(31), [0.2, 0.3, 0.5], 0
    for _survey in range(60):
        drawn, shift = chance.random(N), 0.4 * (1 - overlap)
        kept_out = [drawn < 0.4, (shift <= drawn) & (drawn < 0.4 + shift)]
        out = np.any(kept_out, axis=0) if joined is all else np.all(kept_out, axis=0)
        own = rows(tallied(question, np.where(out, 2, chance.choice(3, N, p=answers)), chance))
        known = deciders_of(kept_out, decider, joined, chance)._replace(filled=own[2])
        shown = unasked.among_reached(own, [0.0, 0.0, 1.0], known, 0.95)
        assert all(one.estimate is None for one in shown)
        spans = [one.simultaneous for one in shown]
        missed += any(not span.low <= share <= span.high for span, share in zip(spans, answers, strict=True))
    assert missed < 11


def test_the_share_of_the_filler_bounds_who_was_not_asked():
    """Three rules may keep everyone out, but only 40% count as the filler, so at least 60% were asked."""
    decider, question = built("16")
    chance, people = np.random.default_rng(1), np.arange(4000)
    half = Decider(rows(tallied(decider, people % 2, chance)), [0], False)
    own = rows(tallied(question, np.where(people % 5 < 2, 2, people % 5 % 2), chance))
    apart_from, bounded = (Deciders([half] * 3, filled=filled) for filled in (None, own[2]))
    assert unasked.unasked(apart_from, 0.95).most == 1
    assert unasked.unasked(bounded, 0.95).most == pytest.approx(0.4, abs=0.03)


def test_a_number_by_one_bit_has_the_interval_of_rounded_numbers_for_the_respondents():
    """Everyone has the number in the middle, and each report rounds it to an end by chance. 26 or more of 200 intervals
    miss in fewer than 1 of 10,000 runs."""
    draft = [
        {"key": "smokes", "kind": "yes_no", "text": "?", "alpha": "8"},
        {"key": "hours", "kind": "mean", "text": "?", "low": "0", "high": "10", "unit": "", "alpha": "4"}
        | {"mechanism": "one_bit", "asked_if": {"question": "smokes", "options": [0]}},
    ]
    definition, chance, missed = definitions.build({"title": "?", "questions": draft}), random.Random(3), 0
    for _survey in range(200):
        sent = [
            reports_of.randomize(definition, 0, {"smokes": k % 2, "hours": "5"}, lambda: chance.getrandbits(53))
            for k in range(200)
        ]
        every = list(in_forms.counted(definition, [trial._tally(definition, 0, sent)]))
        smokes, hours = (dict(of_question(each, totals, n))[each["key"]] for each, totals, n in every)
        known = Deciders([Decider(rows(smokes), [0], False)])
        [shown] = unasked.among_reached(rows(hours), [0.0], known, 0.95, 1, "respondents")
        missed += not shown.simultaneous.low <= 0.5 <= shown.simultaneous.high
    assert missed < 26
