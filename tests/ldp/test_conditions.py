"""Estimates about people whom several rules ask together, from the scores of single reports (M34e)."""

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest

from ldp.exact import RESOLUTION
from ldp.forms.report import alone
from ldp.inference.reading import conditions, unasked
from ldp.inference.reading.unasked import Decider, Deciders
from ldp.microdata import MISSING
from ldp.regression.condition_scores import ConditionScores, rules_of, scores_of
from ldp.routing import applicable
from surveys.survey import definition as definitions
from tests.ldp.test_unasked import rows, tallied

N = 250
SIZES = (2, 3)
RULES = [{"question": "smokes", "options": [0]}, {"question": "region", "options": [0, 2]}]


def built(alpha, joined, together=False, **more):
    """Return two questions that decide on a third one. Each has its own draw, or both share one. At this alpha a report
    lists one answer to each."""
    every = [
        {"key": "smokes", "kind": "yes_no", "text": "?"},
        {"key": "region", "kind": "single_choice", "text": "?", "options": ["a", "b", "c"]} | more,
        {"key": "often", "kind": "ordered", "text": "?", "options": ["never", "at times", "daily"]}
        | {"asked_if": {joined.__name__: RULES}},
    ]
    own = {"alpha": alpha, "mechanism": "randomized_response"}
    if not together:
        return alone(definitions.build({"title": "?", "questions": [each | own for each in every]}))
    every[2] |= own
    draws = [{"alpha": "4", "questions": ["smokes", "region"]}]
    return alone(definitions.build({"title": "?", "questions": every, "draws": draws}))


def of_condition(questions, question):
    return ConditionScores(questions, *rules_of({each["key"]: each for each in questions}, question))


def kept(question):
    return Fraction(question["table"]["keep"], RESOLUTION)


def lam_of(questions, together):
    """Return the chance to keep both answers, or the chance of each."""
    if together:
        return [Fraction(questions[0]["table"]["keep"], RESOLUTION)]
    return [kept(each) for each in questions[:2]]


def chance_of(sent, truth, lams):
    """Return P(sent | truth) for both questions."""
    if len(lams) == 1:
        return lams[0] * (sent == truth) + (1 - lams[0]) / prod(SIZES)
    each = zip(lams, sent, truth, SIZES, strict=True)
    return prod((lam * (z == x) + (1 - lam) / d for lam, z, x, d in each), start=Fraction(1))


def scored(questions, sent):
    scores = of_condition(questions, questions[2])
    scores.add({key: np.array([[place]]) for key, place in zip(("smokes", "region"), sent, strict=True)})
    tally = scores.tally()
    return Fraction(tally["scores"][0]), tally["ends"]


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("joined", [all, any])
def test_of_every_truth_the_mean_score_is_whether_these_people_are_asked(joined, together):
    """Every report of every truth is enumerated. Scores are rounded to twelve digits."""
    questions = built("1", joined, together)
    lams = lam_of(questions, together)
    reports = list(product(*map(range, SIZES)))
    found = {sent: scored(questions, sent) for sent in reports}
    for truth in reports:
        answers = dict(zip(("smokes", "region"), truth, strict=True))
        mean = sum(chance_of(sent, truth, lams) * found[sent][0] for sent in reports)
        assert sum(chance_of(sent, truth, lams) for sent in reports) == 1
        assert abs(mean - ("often" in applicable(questions, answers))) < Fraction(1, 10**10)
    values, [ends] = [float(score) for score, _ends in found.values()], {tuple(ends) for _score, ends in found.values()}
    assert (min(values), max(values)) == pytest.approx(ends), "no report has a score beyond, and some have these"


def randomized(answers, lams, chance):
    """Return the reports of people with these answers, (n, 2)."""
    drawn = np.stack([chance.integers(0, d, len(answers)) for d in SIZES], axis=1)
    keep = [chance.random(len(answers)) < float(lam) for lam in lams]
    return np.where(np.stack([keep[0], keep[-1]], axis=1), answers, drawn)


LAWS = [("1", (0.6, 0.5), (0.2, 0.3, 0.5)), ("4", (0.3, 0.9), (1, 0, 0))]


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("joined", [all, any])
@pytest.mark.parametrize(("alpha", "leads", "law"), LAWS)
def test_intervals_hold_the_shares_among_those_who_are_asked(alpha, leads, law, joined, together):
    """`leads` has the shares of answers that lead on. If some interval misses in 5% of surveys, at least 11 of 60 miss
    in fewer than 1 of 5,000 runs. The same holds for the share that was not asked."""
    questions, chance = built(alpha, joined, together), np.random.default_rng(17)
    lams, wrong, missed = lam_of(questions, together), 0, 0
    share = leads[0] * leads[1] if joined is all else 1 - (1 - leads[0]) * (1 - leads[1])
    for _survey in range(60):
        holds = chance.random((N, 2)) < leads
        asked = holds.all(axis=1) if joined is all else holds.any(axis=1)
        answers = np.where(holds, [0, 0], [1, 1])
        sent = randomized(answers, lams, chance)
        scores = of_condition(questions, questions[2])
        scores.add({"smokes": sent[:, :1], "region": sent[:, 1:]})
        known = Deciders([], joined, tally=scores.tally())
        own = tallied(questions[2], np.where(asked, chance.choice(3, N, p=law), 2), chance)
        found = unasked.among_reached(rows(own), [0.0, 0.0, 1.0], known, 0.95)
        wrong += any(not one.simultaneous.low <= p <= one.simultaneous.high for one, p in zip(found, law, strict=True))
        limits = unasked.unasked(known, 0.95)
        missed += not limits.least - 1e-12 <= 1 - share <= limits.most + 1e-12
    assert wrong < 11 and missed < 11


def test_single_reports_show_what_totals_only_bound():
    questions, chance = built("4", all), np.random.default_rng(1)
    answers = chance.integers(0, 2, (4000, 2))
    sent = randomized(answers, lam_of(questions, False), chance)
    scores = of_condition(questions, questions[2])
    scores.add({"smokes": sent[:, :1], "region": sent[:, 1:]})
    each = [
        Decider(rows(tallied(question, answers[:, k], chance)), leading, False)
        for k, (question, leading) in enumerate(zip(questions, ([0], [0, 2]), strict=False))
    ]
    known = Deciders(each, all, tally=scores.tally())
    shown, bounds = unasked.unasked(known, 0.95), unasked.unasked(Deciders(each), 0.95)
    assert shown.estimate == pytest.approx(0.75, abs=0.03)
    assert bounds.least < shown.least <= 0.75 <= shown.most < bounds.most
    assert known.exact and not Deciders(each).exact


def test_behind_a_question_that_several_decide_on_totals_only_bound_who_is_asked():
    """The question's own scores show who was asked it, but not who was asked the next question."""
    questions, chance = built("4", all), np.random.default_rng(1)
    own = Decider(rows(tallied(questions[0], chance.integers(0, 2, 400), chance)), [0], False)
    before = Deciders([own, own], all, tally={"scores": [0.0, 1.0], "counts": [1, 3], "ends": [0.0, 1.0]})
    assert before.exact and not Deciders([own._replace(before=before)]).exact


def test_the_least_part_behind_any_of_several_questions_is_not_negative():
    """Each of two rules keeps out one in ten, both together fewer than no one, and the next question a fifth."""
    questions, chance = built("16", all), np.random.default_rng(1)
    tenth, fifth = (
        Decider(rows(tallied(questions[0], (np.arange(4000) % n == 0).astype(int), chance)), [0], False)
        for n in (10, 5)
    )
    found = unasked.unasked(Deciders([fifth._replace(before=Deciders([tenth, tenth], any))]), 0.95)
    assert found.least == pytest.approx(0.2, abs=0.05)


def test_several_options_of_a_multiple_choice_count_where_a_report_is_about_all_of_them():
    rule = {"question": "region", "options": [0, 2]}
    for sample, known in ((1, False), (2, True), (3, True)):
        questions = [
            {"key": "region", "kind": "multiple_choice", "text": "?", "options": ["a", "b", "c"], "alpha": "8"}
            | {"sample": sample},
            {"key": "often", "kind": "yes_no", "text": "?", "alpha": "8", "asked_if": rule},
        ]
        every = alone(definitions.build({"title": "?", "questions": questions}))
        assert (scores_of(every, every[1]) is not None) == known


def test_a_block_without_a_report_about_all_options_counts_nothing():
    rule = {"question": "region", "options": [0, 11]}
    questions = [
        {"key": "region", "kind": "multiple_choice", "text": "?", "options": list("abcdefghijkl"), "alpha": "8"}
        | {"sample": 2},
        {"key": "often", "kind": "yes_no", "text": "?", "alpha": "8", "asked_if": rule},
    ]
    every = alone(definitions.build({"title": "?", "questions": questions}))
    scores = of_condition(every, every[1])
    some = np.full((3, 12), MISSING)
    some[:, :2] = 1
    scores.add({"region": some})
    assert scores.tally() is None
    some[0, [0, 1, 11]] = [1, MISSING, 0]
    scores.add({"region": some})
    assert scores.tally()["counts"] == [1]


def by_lists(alpha, d, holding):
    """Return two questions of d options and a question that both decide on. `holding` options of each lead on."""
    options = [f"option {j}" for j in range(d)]
    one = {"kind": "single_choice", "text": "?", "options": options, "alpha": alpha, "mechanism": "bitwise"}
    rules = [{"question": key, "options": list(range(holding))} for key in ("one", "two")]
    last = {"key": "last", "kind": "yes_no", "text": "?", "alpha": "1", "asked_if": {"all": rules}}
    return alone(definitions.build({"title": "?", "questions": [one | {"key": "one"}, one | {"key": "two"}, last]}))


@pytest.mark.parametrize(("holding", "known"), [(63, True), (64, False)])
def test_the_questions_alone_decide_whether_there_are_too_many_scores(holding, known):
    every = by_lists("1", 70, holding)
    assert (scores_of(every, every[2]) is not None) == known


def test_large_scores_that_differ_by_the_order_of_sums_alone_are_one():
    every, chance = by_lists("0.01", 40, 20), np.random.default_rng(1)
    scores = of_condition(every, every[2])
    for _block in range(3):
        scores.add({key: chance.integers(0, 2, (2000, 40)).astype(np.int16) for key in ("one", "two")})
    tally = scores.tally()
    assert len(tally["scores"]) <= 21 * 21 and sum(tally["counts"]) == 6000
    assert min(np.diff(tally["scores"])) > 1e-9 * max(tally["scores"])


def test_where_totals_show_the_share_no_report_is_read():
    questions = built("1", all)
    assert scores_of(questions, questions[0]) is None
    assert scores_of(questions, questions[2] | {"asked_if": RULES[0]}) is None
    assert scores_of(questions, questions[2]) is not None


def test_a_question_behind_others_is_asked_where_theirs_are():
    """If the filler of a deciding question leads on, that question's own rules must hold as well."""
    questions = built("1", all, asked_if=RULES[0])
    leading = {"question": "region", "options": [2]}
    last = questions[2] | {"asked_if": leading | {"options": [0, 2]}}
    assert [each.key for each in of_condition(questions, last | {"asked_if": {"all": RULES}}).variables] == [
        "smokes",
        "region",
    ]
    assert scores_of(questions, last | {"asked_if": {"any": RULES}}) is None
    assert conditions.estimate({"scores": [0.0, 1.0], "counts": [1, 3], "ends": [0.0, 1.0]}) == 0.75
