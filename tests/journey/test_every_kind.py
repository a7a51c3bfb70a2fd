"""Every kind and mechanism on the whole path: answer, report, packed bytes, tally, results (M12)."""

import json
import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from ldp.forms.report import alone
from ldp.mechanisms import of
from ldp.privatize import make_report
from ldp.results import results
from ldp.tally import Field
from surveys.respondent.intake.envelope import parse
from surveys.survey import definition as definitions
from surveys.survey.definition.layout import Layout
from tests.support import vectors

PEOPLE = 1500
# There are about 110 intervals for each target. By chance one misses in fewer than one of 40 seeds.
CONFIDENCE = 0.9999


@pytest.fixture(scope="module")
def definition():
    return definitions.build(vectors.EVERY_KIND)


@pytest.fixture(scope="module")
def people(definition):
    """Return true answers, some far likelier than others."""
    chance = random.Random(31)
    return [{question["key"]: _answer(question, chance) for question in definition["questions"]} for _ in range(PEOPLE)]


def _answer(question, chance):
    d = len(question.get("options", ()))
    if "steps" in question:
        return min(int(chance.expovariate(1)), len(question["steps"]) - 1)
    if question["kind"] == "mean":
        return f"{chance.triangular(float(question['low']), float(question['high']), float(question['low'])):.6f}"
    if question["kind"] == "ranking":
        return sorted(range(len(question["ranked"])), key=lambda item: chance.expovariate(1 + item))
    if question["kind"] == "multiple_choice":
        return [chance.random() < (j + 1) / (d + 1) for j in range(d)]
    if question["kind"] == "grid":
        return [min(int(chance.expovariate(1 + i)), d - 1) for i in range(len(question["items"]))]
    return min(int(chance.expovariate(1)), d - 1)


@pytest.fixture(scope="module")
def found(definition, people):
    """Return the results of every question, by key."""
    chance, layout = random.Random(32), Layout(definition)
    bodies = [make_report(definition, "0" * 64, answers, lambda: chance.getrandbits(32)) for answers in people]
    packed = b"".join(layout.pack(parse(body.encode()).answers) for body in bodies)
    bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8).reshape(PEOPLE, layout.bytes), axis=1)
    by_key = {}
    for question, field in zip(alone(definition), layout.fields, strict=True):
        randomizer = of(question)
        own = bits[:, field.start : field.start + field.width]
        totals = randomizer.tally(Field.of(own))
        halves = [randomizer.tally(Field.of(half)) for half in (own[:700], own[700:])]
        assert _added(*halves) == totals == json.loads(json.dumps(totals)), "totals of batches add"
        by_key |= {r.get("key", question["key"]): r for r in results(question, totals, PEOPLE, CONFIDENCE)}
    return by_key


def _added(one, other):
    return {name: [a + b for a, b in zip(one[name], other[name], strict=True)] for name in one}


def _truth(question, people):
    """Return, by result, the true share of every option or the true mean."""
    given, options = [answers[question["key"]] for answers in people], question.get("options", ())
    if question["kind"] == "mean":
        first = 1 if "steps" in question else 0
        return {question["key"]: [first + sum(map(float, given)) / PEOPLE]}
    if question["kind"] == "ranking":
        pairs = combinations(range(len(question["ranked"])), 2)
        before = [[order.index(one) < order.index(other) for order in given] for one, other in pairs]
        return {question["key"]: [sum(column) / PEOPLE for column in before]}
    if question["kind"] == "multiple_choice":
        return {question["key"]: [sum(column) / PEOPLE for column in zip(*given, strict=True)]}
    if question["kind"] == "grid":
        columns = list(zip(*given, strict=True))
        return {
            f"{question['key']}.{i + 1}": [column.count(j) / PEOPLE for j in range(len(options))]
            for i, column in enumerate(columns)
        }
    return {question["key"]: [given.count(j) / PEOPLE for j in range(len(options))]}


def test_intervals_hold_the_truth_of_every_question(definition, people, found):
    for question in alone(definition):
        for key, truth in _truth(question, people).items():
            for method in found[key]["methods"]:
                for category, true in zip(method["categories"], truth, strict=True):
                    for target in ("population", "respondents"):
                        low, high = category[target]["interval"]
                        wide_low, wide_high = category[target]["simultaneous"]
                        assert wide_low <= low <= true <= high <= wide_high, (key, category["option"])


def test_results_are_plain_and_say_what_they_are_about(definition, found):
    assert json.loads(json.dumps(found)) == found
    for question in alone(definition):
        own = [result for key, result in found.items() if key.split(".")[0] == question["key"]]
        assert len(own) == len(question.get("items", [0]))
        for result in own:
            assert 0 < result["n_about"] <= PEOPLE
            assert result["realized_alpha"] <= float(Fraction(question["alpha"])) + 1e-9
            assert (result["risk_bound"] is None) == (
                question["kind"] in ("mean", "multiple_choice", "ranking", "grid") or "delta" in question
            )
            for method in result["methods"]:
                assert (method["at_estimate"]["efficiency"] is None) == (result["risk_bound"] is None)
                options = result.get("options", question.get("options"))
                assert [category["option"] for category in method["categories"]] == options
