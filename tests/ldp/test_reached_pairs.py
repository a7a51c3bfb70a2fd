"""Cross-tables of questions that only some people are asked, among the people who were asked both (M34g)."""

from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

from benchmarks.crossings_coverage import sent
from ldp.exact import RESOLUTION
from ldp.forms.report import alone
from ldp.inference import intervals
from ldp.inference.variables import NotCrossed, pair_of
from ldp.regression.reached_pairs import reached_pair
from ldp.routing import applicable, filled
from surveys.survey import definition as definitions

YES = {"question": "smokes", "options": [0]}
WEST = {"question": "region", "options": [0, 2]}
RULES = {
    "one": YES,
    "several answers": WEST,
    "all": {"all": [YES, WEST]},
    "any": {"any": [YES, WEST]},
}


def built(rules, mechanism="randomized_response", alpha="2", draws=(), **more):
    """Return two questions that may decide, one that is asked by `rules`, and one for everyone; `more` has the rules of
    others, and `draws` the keys of those that are randomized together."""
    every = [
        {"key": "smokes", "kind": "yes_no"},
        {"key": "region", "kind": "single_choice", "options": ["a", "b", "c"]},
        {"key": "often", "kind": "ordered", "options": ["never", "at times", "daily"], "asked_if": rules},
        {"key": "sex", "kind": "yes_no"},
    ]
    own = {"text": "?", "alpha": alpha, "mechanism": "randomized_response"}
    scaled = ("ordered",) if mechanism == "exponential" else ("ordered", "single_choice", "yes_no")
    every = [each | own | ({"mechanism": mechanism} if each["kind"] in scaled else {}) for each in every]
    every = [each | ({"asked_if": more[each["key"]]} if each["key"] in more else {}) for each in every]
    for each in every:
        if any(each["key"] in draw for draw in draws):
            del each["alpha"], each["mechanism"]
    together = [{"alpha": alpha, "questions": list(draw)} for draw in draws]
    return alone(definitions.build({"title": "?", "questions": every} | ({"draws": together} if together else {})))


def pair(questions, first, second):
    return reached_pair(questions, *pair_of(questions, first, second))


# Every report of every answer -----------------------------------------------------------------------------------------

KEEP = Fraction(1, 2)
ANSWERS = list(product(range(2), range(3), range(3), range(2)))
KEYS = ("smokes", "region", "often", "sex")


def halved(questions):
    """Return the questions with randomized response that keeps every other answer, so that chances are twelfths."""
    return [each | {"table": {"keep": int(KEEP * RESOLUTION), "sizes": [1]}} for each in questions]


SIZES = (2, 3, 3, 2)


def chances(answers, draws):
    """Return P(report) of each report, times 2 D for each draw of questions with D combinations of answers."""
    made = np.ones(SIZES, dtype=np.int64)
    for draw in [*draws, *([key] for key in KEYS if not any(key in draw for draw in draws))]:
        axes = [KEYS.index(key) for key in draw]
        kept = np.zeros(SIZES, dtype=np.int64)
        kept[tuple(answers[KEYS[axis]] if axis in axes else slice(None) for axis in range(4))] = 1
        made *= 1 + int(np.prod([SIZES[axis] for axis in axes])) * kept
    return made


def people(questions, weights):
    """Yield each kind of person's answers, randomized answers, asked questions and number of people."""
    for answers, weight in zip(ANSWERS, weights, strict=True):
        given = dict(zip(KEYS, answers, strict=True))
        yield given, filled(questions, given), applicable(questions, given), weight


@pytest.mark.parametrize(
    "draws",
    [
        (),
        (KEYS,),
        (("smokes", "often"), ("region", "sex")),
        (("smokes", "region"), ("often", "sex")),
        (("often", "sex"),),
    ],
)
@pytest.mark.parametrize("first", ["smokes", "region", "sex"])
@pytest.mark.parametrize(
    ("rules", "more"),
    [
        *((each, {}) for each in RULES.values()),
        (WEST, {"region": YES}),  # its filler leads on, so its own rule counts too
        ({"question": "region", "options": [0, 1]}, {"region": YES}),  # it does not
        (YES, {"sex": YES}),
        (YES, {"sex": WEST}),
        (WEST, {"sex": {"question": "often", "options": [0, 2]}}),  # one decides on the other
    ],
)
def test_of_every_law_the_shares_among_those_who_were_asked_are_found_again(first, rules, more, draws):
    """All answers, paths and reports are enumerated, with chances that make whole numbers of reports."""
    questions = halved(built(rules, draws=draws, **more))
    try:
        own = pair(questions, *sorted([first, "often"], key=KEYS.index))
    except NotCrossed as refused:
        assert refused.reason == "one leads on" and first == "smokes"
        return
    weights = np.random.default_rng(3).integers(1, 6, len(ANSWERS)).tolist()
    counts, truth, asked_both = np.zeros(SIZES, np.int64), {}, 0
    for given, randomized, asked, weight in people(questions, weights):
        counts += weight * chances(randomized, draws)
        if {own.first.question["key"], own.second.question["key"]} <= asked:
            asked_both += weight
            cell = given[own.first.key], given[own.second.key]
            truth[cell] = truth.get(cell, 0) + weight
    reports = np.repeat(np.array(list(np.ndindex(counts.shape))), counts.ravel(), axis=0)
    own.add({key: reports[:, place : place + 1] for place, key in enumerate(KEYS)})
    table = own.cells()
    assert table.share_reached == pytest.approx(float(Fraction(asked_both, sum(weights))), abs=1e-10)
    for (j, one), (k, other) in product(enumerate(own.kept[0]), enumerate(own.kept[1])):
        share = Fraction(truth.get((one, other), 0), asked_both)
        assert table.joint[j, k] == pytest.approx(float(share), abs=1e-9)
    gone = [cell for cell in truth if cell[0] not in own.kept[0] or cell[1] not in own.kept[1]]
    assert not gone, "answers that are left out lead to nobody who is asked both"
    for margin, axis in zip(table.margins, (1, 0), strict=True):
        assert margin[0] == pytest.approx(table.joint.sum(axis=axis), abs=1e-9)


def test_who_is_asked_by_one_of_several_rules_was_not_always_asked_what_these_are_about():
    """Both are asked if one's rule holds and any of the other's two rules does; no score shows such a mix."""
    any_of = {"any": [YES, {"question": "region", "options": [0, 1]}]}
    with pytest.raises(NotCrossed) as refused:
        pair(halved(built(any_of, region={"question": "smokes", "options": [1]})), "region", "often")
    assert refused.value.reason == "asked"


# Intervals ------------------------------------------------------------------------------------------------------------


def simulated(questions, n, law, chance):
    """Return the answers of n people and the columns that they send. `law` has the share who smoke, the shares of the
    regions, and the shares of `often` and `sex`. It also says how far `sex` depends on `often`."""
    smokers, regions, often, lean = law
    smokes, region = 1 * (chance.random(n) >= smokers), chance.choice(3, n, p=regions)
    answered = chance.choice(3, n, p=often)
    sex = 1 * (chance.random(n) < 0.5 + lean * (answered == 0))
    every = np.column_stack([smokes, region, answered, sex])
    asked = np.array([set(KEYS) == applicable(questions, dict(zip(KEYS, row, strict=True))) for row in every.tolist()])
    answers = every.copy()
    answers[~asked, 2] = 2  # the filler of `often`
    if "together" in questions[0]:
        return every, asked, dict(zip(KEYS, sent_together(questions, answers, chance), strict=True))
    columns = (sent(one, answers[:, place], chance) for place, one in enumerate(questions))
    return every, asked, dict(zip(KEYS, columns, strict=True))


def sent_together(questions, answers, chance):
    """Return the columns of a draw's reports: kept lists contain the answers, others are random (M44)."""
    kept = chance.random(len(answers)) < questions[0]["table"]["keep"] / RESOLUTION
    for place, question in enumerate(questions):
        d, [size] = len(question["options"]), question["table"]["sizes"]
        ranks = chance.random((len(answers), d))
        ranks[kept, answers[kept, place]] = -1
        listed = ranks.argsort(axis=1).argsort(axis=1) < size
        yield listed.argmax(axis=1)[:, None] if size == 1 else 1 * listed


class Truths(NamedTuple):
    share: float
    joint: np.ndarray


def expected(own, questions, law):
    """Return the share that is asked, and the joint shares among these people."""
    smokers, regions, often, lean = law
    joint, share = np.zeros((2, 3, 3, 2)), 0.0
    for answers in ANSWERS:
        smokes, region, answered, sex = answers
        woman = 0.5 + lean * (answered == 0)
        weight = (smokers, 1 - smokers)[smokes] * regions[region] * often[answered] * (1 - woman, woman)[sex]
        if set(KEYS) == applicable(questions, dict(zip(KEYS, answers, strict=True))):
            share += weight
            joint[answers] += weight
    axes = [KEYS.index(each.key) for each in (own.first, own.second)]
    table = joint.sum(axis=tuple(axis for axis in range(4) if axis not in axes)) / share
    return Truths(share, table[np.ix_(*own.kept)])


def holds(spans, truths):
    return bool(((spans[..., 0] - 1e-9 <= truths) & (truths <= spans[..., 1] + 1e-9)).all())


LAWS = [
    (0.6, (0.3, 0.4, 0.3), (0.2, 0.3, 0.5), 0.3),
    (0.5, (0.8, 0.1, 0.1), (1.0, 0.0, 0.0), 0.0),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "mechanism", "alpha", "first", "law"),
    [
        ("one", "randomized_response", "2", "sex", LAWS[0]),
        ("one", "bitwise", "4", "sex", LAWS[1]),
        ("several answers", "exponential", "4", "sex", LAWS[0]),
        ("several answers", "bitwise", "4", "region", LAWS[0]),
        ("several answers", "randomized_response", "8", "region", LAWS[1]),
        ("any", "randomized_response", "4", "sex", LAWS[1]),
        ("all", "together", "6", "sex", LAWS[0]),
        ("several answers", "together", "3", "region", LAWS[0]),
    ],
)
def test_intervals_hold_the_shares_among_those_who_were_asked(rules, mechanism, alpha, first, law):
    """If at most 5% of surveys miss an interval of a kind, 11 or more of 60 do in fewer than 1 of 5,000 runs."""
    together = {"draws": (KEYS,)} if mechanism == "together" else {"mechanism": mechanism}
    questions, chance = built(RULES[rules], alpha=alpha, **together), np.random.default_rng(5)
    own = pair(questions, *sorted([first, "often"], key=KEYS.index))
    missed, shown = np.zeros(4, dtype=int), 0
    truths = expected(own, questions, law)
    for _survey in range(60):
        *_people, columns = simulated(questions, 400, law, chance)
        own = pair(questions, own.first.key, own.second.key)
        own.add(columns)
        table = own.cells()
        missed[0] += not holds(np.array(table.share_interval(0.95)), np.array(truths.share))
        if table.too_few:
            continue
        shown += 1
        at_once = intervals.bonferroni(0.95, truths.joint.size)
        missed[1] += not holds(table.intervals(at_once), truths.joint)
        for place, turned in ((2, table), (3, table.turned())):
            rows = truths.joint if place == 2 else truths.joint.T
            shares = rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-300)
            known = ~turned.too_small[0]
            missed[place] += not holds(turned.within_first_intervals(at_once)[known], shares[known])
    assert (missed < 11).all() and shown > 20
