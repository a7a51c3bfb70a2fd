"""A report of a form (M34b, M35): its law is the stated product, nothing but the form tells two people apart more than
its alpha allows, and packed it is what was sent."""

import random
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ldp import exact, privatize
from ldp.forms import definition as definitions
from ldp.forms import report
from ldp.mechanisms import joint, randomized_response
from ldp.tally import Batch
from surveys.survey.definition.layout import Layout
from tests.support.channels import hashable, replay, worst_ratio


def question(key, d=2, kind="single_choice", **more):
    return {"key": key, "kind": kind, "options": [str(k) for k in range(d)], **more}


def alone(key, d=2, other=None, **more):
    table = randomized_response.table(Fraction(1), d) if other is None else {"other": other}
    return question(key, d, alpha="1", mechanism="randomized_response", table=table, **more)


def survey(resolution=None):
    """Three forms beside a question for everybody; at a small resolution with tables of it."""
    other = None if resolution is None else 1
    table = joint.table(Fraction(2), (2, 3)) if resolution is None else {"other": 1}
    return {
        "questions": [
            alone("region", 2, other),
            question("drugs", 2),
            question("debts", 3, asked_if={"question": "drugs", "options": [1]}, filler=2),
            alone("health", 3, other, asked_if={"question": "region", "options": [0]}, filler=1),
            alone("vote", 2, other),
        ],
        "forms": [
            {"weight": 2, "questions": ["drugs", "debts"], "alpha": "2", "table": table},
            {"weight": 1, "questions": ["health"]},
            {"weight": 1, "questions": ["vote"]},
        ],
    }


RESOLUTION = 8


def laws(definition, form):
    """The law of the report for each person's answers, by every outcome of the draws."""
    keys = [each["key"] for each in definitions.questions_of(definition, form)]
    sizes = [len(each["options"]) for each in definitions.questions_of(definition, form)]
    draws = len(report.parts(definition, form))
    found = {}
    for values in product(*map(range, sizes)):
        answers = dict(zip(keys, values, strict=True))
        outcomes = product(range(RESOLUTION), repeat=draws)
        sent = (report.randomize(definition, form, answers, replay(outcome)) for outcome in outcomes)
        counts = Counter(tuple(one[key] for key in keys) for one in sent)
        found[values] = {hashable(z): Fraction(n, RESOLUTION**draws) for z, n in counts.items()}
    return found


def test_a_joint_forms_report_has_the_stated_law_on_every_path(monkeypatch):
    monkeypatch.setattr(exact, "RESOLUTION", RESOLUTION)
    for (region, drugs, debts), law in laws(survey(RESOLUTION), 0).items():
        true = (drugs, debts if drugs == 1 else 2)  # the filler of who is not asked
        for z in product(range(2), range(2), range(3)):
            one = Fraction(7 if z[0] == region else 1, 8)
            rest = Fraction(3 if z[1:] == true else 1, 8)
            assert law[z] == one * rest


@pytest.mark.parametrize(("form", "ratio"), [(0, 7 * 3), (1, 7 * 6), (2, 7 * 7)])
def test_no_report_of_a_form_is_likelier_than_its_questions_allow(form, ratio, monkeypatch):
    monkeypatch.setattr(exact, "RESOLUTION", RESOLUTION)
    assert worst_ratio(list(laws(survey(RESOLUTION), form).values())) == ratio


def test_a_joint_mean_is_rounded_to_an_end_and_then_drawn_with_the_others():
    definition = survey()
    definition["questions"][2] = {"key": "debts", "kind": "mean", "low": "0", "high": "10"}
    definition["forms"][0]["table"] = joint.table(Fraction(2), (2, 2))
    definitions.check(definition)
    answers = {"region": 0, "drugs": 1, "debts": "2.5"}
    last, quarter = exact.RESOLUTION - 1, exact.RESOLUTION // 4
    for u, end in ((quarter - 1, 1), (quarter, 0)):
        sent = report.randomize(definition, 0, answers, replay([last, u, last]))
        assert sent == {"region": 0, "drugs": 1, "debts": end}


@pytest.mark.parametrize("form", [0, 1, 2])
def test_a_packed_report_is_tallied_as_it_was_sent(form):
    definition, chance = survey(), random.Random(form)

    def uniform():
        return chance.getrandbits(53)

    asked = definitions.questions_of(definition, form)
    sent = [
        report.randomize(definition, form, {q["key"]: chance.randrange(len(q["options"])) for q in asked}, uniform)
        for _ in range(200)
    ]
    layout = Layout(definition, form)
    packed = [layout.pack(one) for one in sent]
    assert len({len(row) for row in packed}) == 1 and len(set(packed)) == len({tuple(one.values()) for one in sent})
    batch = Batch(np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(len(packed), -1))
    for part, start, width in report.fields(definition, form):
        counts = part.tally(batch.field(start, width))["support"]
        shape = [len(q["options"]) for key in part.keys for q in asked if q["key"] == key]
        values = Counter(tuple(one[key] for key in part.keys) for one in sent)
        assert {tuple(map(int, np.unravel_index(k, shape))): n for k, n in enumerate(counts) if n} == dict(values)


@pytest.mark.parametrize(
    "answers",
    [
        {},
        {"region": 0, "drugs": 1},
        {"region": 0, "drugs": 1, "debts": 3},
        {"region": 0, "drugs": 1, "debts": 0, "health": 0},
        {"region": 0, "health": 1},
    ],
)
def test_what_is_no_report_of_the_form_is_refused(answers):
    with pytest.raises(ValueError, match=r": must (be|hold)"):
        Layout(survey(), 0).pack(answers)


def test_a_definition_without_forms_is_one_form_with_the_same_reports():
    definition = {"questions": survey()["questions"][3:]}
    definition["questions"][0].pop("asked_if")
    words = [5**k % exact.RESOLUTION for k in (20, 22)]
    answers = {"health": 2, "vote": 1}
    one_by_one = iter(words)
    expected = {
        each["key"]: privatize.randomize(each, answers[each["key"]], lambda: next(one_by_one))
        for each in definition["questions"]
    }
    definitions.check(definition)
    assert report.randomize(definition, 0, answers, replay(words)) == expected
    assert definitions.questionnaire(definition).alpha == 2


def test_a_reports_alpha_and_who_was_asked_what_follow_from_the_definition():
    found = definitions.questionnaire(survey())
    assert [found.total(form) for form in range(3)] == [3, 2, 2] and found.alpha == 3
    assert found.reports_about("drugs", "debts") == {0} and found.reports_about("health", "vote") == frozenset()
    assert [q["key"] for q in definitions.questions_of(survey(), 1)] == ["region", "health"]


def broken(change):
    definition = deepcopy(survey())
    change(definition)
    return definition


BROKEN = {
    "two or more": lambda d: d.update(forms=d["forms"][:1]),
    "integers from 1": lambda d: d["forms"][1].update(weight=0),
    "in their order": lambda d: d["forms"][0].update(questions=["debts", "drugs"]),
    "of the survey": lambda d: d["forms"][1].update(questions=["wealth"]),
    "of another form": lambda d: d["forms"][2].update(questions=["health", "vote"]),
    "that decides": lambda d: d["questions"][3]["asked_if"].update(question="vote"),
    "with two questions": lambda d: d["forms"][0].update(questions=["drugs"]),
    "none of which has its own": lambda d: d["questions"][1].update(alpha="1"),
    "one answer only": lambda d: d["questions"][1].update(kind="multiple_choice"),
    "keeps its alpha": lambda d: d["forms"][0].update(table={"other": d["forms"][0]["table"]["other"] - 1}),
    "must be from": lambda d: d["forms"][0].update(alpha="20"),
    "4096 combinations": lambda d: d["questions"][2].update(options=["x"] * 2049),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_forms_that_break_a_rule_are_refused_with_it(rule):
    definitions.check(survey())
    with pytest.raises(ValueError, match=rule):
        definitions.check(broken(BROKEN[rule]))
