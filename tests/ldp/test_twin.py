"""The Python twin makes the browser's report from given words (tests.support.vectors makes both)."""

import json
import random
from decimal import Decimal

import pytest

from ldp.forms.report import alone
from ldp.kinds.histogram import category
from ldp.mechanisms import MECHANISMS, of
from ldp.privatize import make_report, randomize
from surveys.respondent.intake.envelope import parse
from surveys.survey import definition as definitions
from surveys.survey.definition.layout import Layout
from tests.support import kinds, vectors

QUESTIONS = alone(definitions.build(vectors.EVERY_KIND))


def test_same_words_give_the_same_bytes():
    for vector in vectors.load():
        words = iter(vector["words"])
        definition = json.loads(vector["definition"])
        form = vector.get("form", 0)
        made = make_report(definition, vector["digest"], vector["answers"], words.__next__, form)
        assert made == vector["body"], vector["name"]
        assert next(words, None) is None, f"a report uses every word exactly once: {vector['name']}"


def test_definitions_and_reports_of_the_vectors_are_valid():
    for vector in vectors.load():
        definition = json.loads(vector["definition"])
        assert definitions.canonical(definition).decode() == vector["definition"], vector["name"]
        assert definitions.digest(definition) == vector["digest"]
        layout = Layout(definition, vector.get("form", 0))
        assert len(layout.pack(parse(vector["body"].encode()).answers)) == layout.bytes


def test_vectors_hold_every_mechanism():
    held = {q["mechanism"] for vector in vectors.load() for q in alone(json.loads(vector["definition"]))}
    assert held == set(MECHANISMS)


@pytest.mark.parametrize("part", vectors.digests())
def test_the_same_words_give_the_bytes_that_they_always_gave(part):
    assert vectors.digest(part) == vectors.digests()[part], "old and new clients would differ"


def test_an_answer_of_the_wrong_kind_or_missing_is_never_randomized():
    definition = definitions.build(vectors.EVERY_KIND)
    answers = {question["key"]: vectors.answer(question, random.Random(1)) for question in definition["questions"]}
    for question in definition["questions"]:
        key = question["key"]
        for value in kinds.of(question["kind"]).wrong(question):
            with pytest.raises(ValueError, match=f"^{key}: .*needed"):
                make_report(definition, "0" * 64, {**answers, key: value}, _words(2))
        with pytest.raises(KeyError):
            without = {k: v for k, v in answers.items() if k != key}
            make_report(definition, "0" * 64, without, _words(2))


def _words(seed):
    chance = random.Random(seed)
    return lambda: chance.getrandbits(32)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q["key"])
def test_every_report_of_a_question_packs_to_its_own_bits(question):
    """Packing is one-to-one: different reports have different bits, at most the stated number."""
    (width, encode, decode, *_), seen = of(question).packing(), {}
    chance = random.Random(question["key"])
    for _ in range(300):
        answer = vectors.answer(question, chance)
        report = randomize(question, answer, lambda: chance.getrandbits(53))
        code = encode(json.loads(json.dumps(report)))
        assert 0 <= code < 2**width and seen.setdefault(code, report) == report == decode(code)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q["key"])
def test_a_report_of_another_shape_is_refused_by_its_rule(question):
    encode = of(question).packing().encode
    chance = random.Random(3)
    report = randomize(question, vectors.answer(question, chance), lambda: chance.getrandbits(53))
    for value in _misshapen(report):
        with pytest.raises(ValueError, match=r"^must (be|hold) ") as refusal:
            encode(value)
        assert "99" not in str(refusal.value), "a refusal never repeats what was sent"


def _misshapen(report):
    yield from (None, True, 1.5, "", "x", {}, [], [[]], -99_999, 99_999, [None], "1" * 999)
    if isinstance(report, int):
        yield from (str(report), [report], float(report))
    if isinstance(report, str):
        yield from (report + "0", report[:-1], report[:-1] + "2", " " + report[1:], [int(bit) for bit in report])
    if isinstance(report, list):
        yield from (report[:-1], [*report, report[-1]], tuple(report), [*report[:-1], None], [*report[:-1], True])
        yield from ([*report[:-1], 99_999], [*report[:-1], -99_999], [*report[:-1], "0"], [*report[:-1], [0, 99_999]])
        yield from (
            [*report[:-1], [99_999, 0]],
            [*report[:-1], [0]],
            [*report[:-1], [0, 0, 0]],
            [*report[:-1], [-1, 0]],
        )
        yield [*report[:-1], [0, True]]


@pytest.mark.parametrize(
    ("number", "bin"),
    [("-99", 0), ("-1.5", 0), ("-0.01", 0), ("0", 1), ("2.24", 1), ("2.25", 2), ("10", 2), ("1e9", 2)],
)
def test_bins_are_closed_below_and_outer_ones_take_the_rest(number, bin):
    assert category({"edges": ["-1.5", "0", "2.25", "10"]}, Decimal(number)) == bin
