"""A report of a form (M35, M44). Its law is the stated product. Only the form distinguishes two people by more than its
alpha allows. The packed report equals the sent one."""

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
from ldp.mechanisms import randomized_response
from ldp.tally import Batch
from surveys.survey.definition.layout import Layout
from tests.support.channels import hashable, replay, worst_ratio
from tests.support.stated_channels import product_subsets


def question(key, d=2, kind="single_choice", **more):
    return {"key": key, "kind": kind, "options": [str(k) for k in range(d)], **more}


def draw(*keys, counts=(2,), alpha="1", sizes=None, keep=None):
    """Return a draw of these questions, at full resolution or with this chance to keep."""
    sizes = list(sizes or [1] * len(keys))
    table = randomized_response.table(Fraction(alpha), counts, sizes)
    table = table if keep is None else {"keep": keep, "sizes": sizes}
    return {"alpha": alpha, "mechanism": "randomized_response", "table": table, "questions": list(keys)}


def survey(keep=None):
    """Three forms and a question for everyone. A report lists two of three options of debts. The small version, for
    enumeration, has two options per question, and a report lists one."""
    many = 3 if keep is None else 2
    return {
        "questions": [
            question("region", 2),
            question("drugs", 2),
            question("debts", many, asked_if={"question": "drugs", "options": [1]}),
            question("health", many, asked_if={"question": "region", "options": [0]}),
            question("vote", 2),
        ],
        "draws": [draw("region", keep=keep)],
        "forms": [
            {
                "weight": 2,
                "draws": [draw("drugs", "debts", counts=(2, many), alpha="2", sizes=(1, many - 1), keep=keep)],
            },
            {"weight": 1, "draws": [draw("health", counts=(many,), keep=keep)]},
            {"weight": 1, "draws": [draw("vote", keep=keep)]},
        ],
    }


RESOLUTION, KEEP = 4, 1


def laws(definition, form):
    """Return the law of the report for each person's answers, from every outcome of the draws."""
    keys = [each["key"] for each in definitions.questions_of(definition, form)]
    sizes = [len(each["options"]) for each in definitions.questions_of(definition, form)]
    draws = sum(1 + sum(part.sizes) for part in report.parts(definition, form))
    found = {}
    for values in product(*map(range, sizes)):
        answers = dict(zip(keys, values, strict=True))
        outcomes = product(range(RESOLUTION), repeat=draws)
        sent = (report.randomize(definition, form, answers, replay(outcome)) for outcome in outcomes)
        counts = Counter(hashable([one[key] for key in keys]) for one in sent)
        found[values] = {z: Fraction(n, RESOLUTION**draws) for z, n in counts.items()}
    return found


def test_a_report_of_several_draws_has_the_stated_law_on_every_path(monkeypatch):
    monkeypatch.setattr(exact, "RESOLUTION", RESOLUTION)
    [alone] = [product_subsets((2,), {"keep": KEEP, "sizes": [1]}, RESOLUTION)]
    both = product_subsets((2, 2), {"keep": KEEP, "sizes": [1, 1]}, RESOLUTION)
    for (region, drugs, debts), law in laws(survey(KEEP), 0).items():
        true = 2 * drugs + (debts if drugs == 1 else 1)  # the filler if the person is not asked
        expected = {(*z, *w): p * q for z, p in alone[region].items() for w, q in both[true].items()}
        assert law == expected


# 1 + keep D/(resolution - keep) of each draw: D is 2 of two options, and 4 of both together.
@pytest.mark.parametrize(("form", "ratio"), [(0, Fraction(5 * 7, 9)), (1, Fraction(25, 9)), (2, Fraction(25, 9))])
def test_no_report_of_a_form_is_likelier_than_its_draws_allow(form, ratio, monkeypatch):
    monkeypatch.setattr(exact, "RESOLUTION", RESOLUTION)
    assert worst_ratio(list(laws(survey(KEEP), form).values())) == ratio


def test_a_mean_is_rounded_to_an_end_and_then_drawn_with_the_others():
    definition = survey()
    definition["questions"][2] = {"key": "debts", "kind": "mean", "low": "0", "high": "10"}
    definition["forms"][0]["draws"] = [draw("drugs", "debts", counts=(2, 2), alpha="2")]
    definitions.check(definition)
    answers = {"region": 0, "drugs": 1, "debts": "2.5"}
    quarter = exact.RESOLUTION // 4
    for u, end in ((quarter - 1, 1), (quarter, 0)):
        # Kept, with the first choice of each.
        sent = report.randomize(definition, 0, answers, replay([0, 0, u, 0, 0, 0]))
        assert sent == {"region": [0], "drugs": [1], "debts": [end]}


def test_draws_of_everyone_may_have_several_questions_and_come_before_the_forms():
    definition = survey()
    definition["questions"].append(question("age", 4))
    definition["draws"] = [draw("region", "age", counts=(2, 4), sizes=(1, 2))]
    definitions.check(definition)
    assert [part.keys for part in report.parts(definition, 1)] == [("region", "age"), ("health",)]
    assert [part.form for part in report.parts(definition, 1)] == [None, 1]
    each = {one["key"]: one for one in report.alone(definition)}
    assert each["age"]["together"] == ["region", "age"] and each["age"]["table"]["sizes"] == [2]
    assert "form" not in each["age"] and each["debts"]["form"] == 0 and "joint" not in each["vote"]


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
    assert len({len(row) for row in packed}) == 1
    assert len(set(packed)) == len({hashable(list(one.values())) for one in sent})
    batch = Batch(np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(len(packed), -1))
    for part, start, width in report.fields(definition, form):
        counts = part.tally(batch.field(start, width))["support"]
        shape = [len(q["options"]) for key in part.keys for q in asked if q["key"] == key]
        values = Counter(cell for one in sent for cell in product(*(one[key] for key in part.keys)))
        assert {tuple(map(int, np.unravel_index(k, shape))): n for k, n in enumerate(counts) if n} == dict(values)


@pytest.mark.parametrize(
    "answers",
    [
        {},
        {"region": [0], "drugs": [1]},
        {"region": [0], "drugs": [1], "debts": [3, 4]},
        {"region": [0], "drugs": [1], "debts": [0]},
        {"region": 0, "drugs": [1], "debts": [0, 1]},
        {"region": [0], "drugs": [1], "debts": [0, 1], "health": [0]},
        {"region": [0], "health": [1]},
    ],
)
def test_what_is_no_report_of_the_form_is_refused(answers):
    with pytest.raises(ValueError, match=r": must (be|hold)"):
        Layout(survey(), 0).pack(answers)


def test_a_definition_without_forms_is_one_form_with_the_same_reports():
    asked = [question("health", 3), question("vote", 2)]
    definition = {"questions": asked, "draws": [draw("health", counts=(3,)), draw("vote")]}
    words = [5**k % exact.RESOLUTION for k in (20, 21, 22, 23)]
    answers = {"health": 2, "vote": 1}
    one_by_one = iter(words)
    expected = {
        each["key"]: privatize.randomize(each, answers[each["key"]], lambda: next(one_by_one))
        for each in report.alone(definition)
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


def together(d):
    return d["forms"][0]["draws"][0]


BROKEN = {
    "two or more": lambda d: d.update(forms=d["forms"][:1]),
    "integers from 1": lambda d: d["forms"][1].update(weight=0),
    "in their order": lambda d: together(d).update(questions=["debts", "drugs"]),
    "questions of the survey": lambda d: d["forms"][1]["draws"][0].update(questions=["wealth"]),
    "must have questions": lambda d: d["forms"][1].update(draws=[]),
    "that all people are asked": lambda d: d["forms"][1]["draws"].insert(0, draw("region")),
    "of another form by": lambda d: d["forms"][2]["draws"].insert(
        0, draw("health", counts=(3,)) | {"mechanism": "bitwise"}
    ),
    "of their first questions": lambda d: d["draws"].insert(0, d["forms"].pop()["draws"][0]),
    "ask a question once": lambda d: d["draws"].append(draw("region")),
    "must ask vote": lambda d: d["forms"].pop(),
    "that decides": lambda d: d["questions"][3]["asked_if"].update(question="vote"),
    "for it has several questions": lambda d: together(d).update(mechanism="bitwise"),
    "no ranking": lambda d: d["questions"][1].update(kind="ranking"),
    "keeps its alpha": lambda d: together(d)["table"].update(keep=together(d)["table"]["keep"] + 1),
    "must have a table": lambda d: together(d)["table"].update(sizes=[1, 1]),
    "must be from": lambda d: together(d).update(alpha="20"),
    "4096 combinations": lambda d: d["questions"][2].update(options=["x"] * 2049),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_forms_that_break_a_rule_are_refused_with_it(rule):
    definitions.check(survey())
    with pytest.raises(ValueError, match=rule):
        definitions.check(broken(BROKEN[rule]))
