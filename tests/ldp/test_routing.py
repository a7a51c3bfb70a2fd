"""A person who is not asked is randomized like any other: P(report | path) is exactly the filler's law (M34)."""

import json
import random
from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest

from ldp import kinds
from ldp.exact import RESOLUTION
from ldp.forms.report import alone
from ldp.mechanisms import of
from ldp.privatize import make_report
from ldp.results import results
from ldp.routing import applicable, filled
from ldp.tally import Batch
from surveys.survey import definition as definitions
from surveys.survey.definition.layout import Layout
from tests.support import routing
from tests.support.channels import worst_ratio
from tests.support.stated_channels import bitwise_channel, rows_channel

# There are so few thresholds that every outcome of the draws can be enumerated. A cell of the small resolution is one
# of the large, and a threshold of a whole number of cells decides alike for all of its integers.
SMALL = 8
CELL = RESOLUTION // SMALL

QUESTIONS = [
    {"key": "smokes", "kind": "yes_no", "options": ["Yes", "No"]},
    {"key": "often", "kind": "ordered", "options": ["never", "seldom", "often", "daily"]}
    | {"asked_if": {"question": "smokes", "options": [0]}},
    {"key": "wish", "kind": "yes_no", "options": ["Yes", "No"]}
    | {"asked_if": {"question": "often", "options": [1, 2]}},
]
TABLES = {
    "smokes": {"rows": [[6], [2]]},
    "often": {"rows": [[5, 6, 7], [1, 6, 7], [1, 2, 7], [1, 2, 3]]},
    "wish": {"flip": 3},
}
BY_ROWS = [(key, table) for key, table in TABLES.items() if "rows" in table]
LARGE = {
    **{key: ("exponential", {"rows": [[CELL * end for end in row] for row in rows["rows"]]}) for key, rows in BY_ROWS},
    "wish": ("bitwise", {"flip": 3 * CELL}),
}
DEFINITION = {
    "questions": QUESTIONS,
    "draws": [
        {"alpha": "1", "mechanism": mechanism, "table": table, "questions": [key]}
        for key, (mechanism, table) in LARGE.items()
    ],
}
DRAWS = 4
ROWS = {
    "smokes": rows_channel(2, TABLES["smokes"], SMALL),
    "often": rows_channel(4, TABLES["often"], SMALL),
    "wish": bitwise_channel(2, TABLES["wish"], SMALL),
}
# Every path through the survey, with every answer on it.
PATHS = [
    {"smokes": 1},
    *({"smokes": 0, "often": often} for often in (0, 3)),
    *({"smokes": 0, "often": often, "wish": wish} for often in (1, 2) for wish in (0, 1)),
]


def law(answers):
    """Return P(report | answers) from every outcome of the draws. Each report uses all of them."""
    counts = Counter()
    for outcome in product(range(SMALL), repeat=DRAWS):
        words = iter([0, 0, 0, 0, *(half for i in outcome for half in divmod(i * CELL, 2**32))])
        body = make_report(DEFINITION, "digest", answers, lambda words=words: next(words))
        assert next(words, None) is None
        counts[tuple(json.loads(body)["answers"].items())] += 1
    return {report: Fraction(count, SMALL**DRAWS) for report, count in counts.items()}


def stated(answers):
    """Return the product of the rows of these answers, one for every question."""
    reports = [tuple(zip(ROWS, values, strict=True)) for values in product(*(ROWS[key][0] for key in ROWS))]
    return {report: prod(ROWS[key][answers[key]][value] for key, value in report) for report in reports}


@pytest.fixture(scope="module")
def laws():
    """Return the laws of PATHS, in their order."""
    return [law(answers) for answers in PATHS]


def test_the_law_of_a_report_is_that_of_the_fillers_rows_on_every_path(laws):
    whole = [{"often": 3, "wish": 1} | answers for answers in PATHS]
    for found, answers in zip(laws, whole, strict=True):
        assert found == stated(answers)
        assert sum(found.values()) == 1


def test_anyone_who_is_not_asked_and_anyone_who_answers_the_filler_send_reports_of_one_law(laws):
    """Only the deciding question differs, which has a separate answer and a separate draw."""
    not_asked, _never, answered = laws[:3]
    for report in not_asked:
        first = dict(report)["smokes"]
        assert not_asked[report] / ROWS["smokes"][1][first] == answered[report] / ROWS["smokes"][0][first]


def test_no_two_paths_are_told_apart_by_more_than_the_factors_of_all_questions(laws):
    total = prod(map(worst_ratio, ROWS.values()))
    ratios = [one[report] / other[report] for one in laws for other in laws for report in one]
    assert max(ratios) == total, "and some two paths reach it"


@pytest.mark.parametrize("path", range(4))
def test_every_path_sends_the_same_keys_and_takes_the_same_words(path):
    definition = definitions.build(routing.DRAFT)
    used = []
    answers = routing.paths(definition)[path]
    chance = random.Random(3)
    body = make_report(definition, "d", answers, lambda: used.append(1) or chance.getrandbits(32))
    layout = Layout(definition)
    assert list(json.loads(body)["answers"]) == [question["key"] for question in definition["questions"]]
    assert len(layout.pack(json.loads(body)["answers"])) == layout.bytes
    assert len(used) == 4 + 2 * 46


def test_an_asked_question_without_an_answer_is_missing():
    with pytest.raises(KeyError):
        make_report(DEFINITION, "d", {"smokes": 0}, lambda: 0)


def test_the_estimate_is_that_of_everyone_with_the_filler_counted():
    """30% of 20,000 people are asked; 40% of these answer the filler, “always”. The interval at 1 - 10^-6 contains the
    share 0.7 + 0.3 * 0.4 = 0.82 except for one seed in a million, and neither the 0.4 of the people asked nor 0.12."""
    definition = definitions.build(routing.DRAFT | {"questions": routing.DRAFT["questions"][:2]})
    layout, chance, n = Layout(definition), random.Random(34), 20_000
    asked_people = [{"smokes": 0, "often": 2 if i % 10 < 4 else i % 2} for i in range(3 * n // 10)]
    people = asked_people + [{"smokes": 1}] * (7 * n // 10)
    assert Counter(filled(definition["questions"], one)["often"] for one in people)[2] == 0.82 * n
    bodies = [make_report(definition, "d", one, lambda: chance.getrandbits(32)) for one in people]
    packed = b"".join(layout.pack(json.loads(body)["answers"]) for body in bodies)
    rows = np.frombuffer(packed, dtype=np.uint8).reshape(n, layout.bytes)
    question, field = alone(definition)[1], layout.fields[1]
    totals = of(question).tally(Batch(rows).field(field.start, field.width))
    [result] = results(question, totals, n, 1 - 1e-6)
    low, high = result["methods"][0]["categories"][2]["population"]["interval"]
    assert low < 0.82 < high and high - low < 0.1


def test_every_kind_of_filler_is_an_answer_to_its_question():
    questions = alone(definitions.build(routing.DRAFT))
    assert {question["kind"] for question in questions if "asked_if" in question} == {
        *("ordered", "histogram", "yes_no", "multiple_choice", "mean", "grid", "single_choice")
    }
    for question in questions:
        kind = kinds.of(question)
        assert kind.answer(question, kind.filler(question), lambda: 0) is not None
    assert filled(questions, {}).keys() == {question["key"] for question in questions} - applicable(questions, {})
