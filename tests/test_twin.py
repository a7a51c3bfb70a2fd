"""The Python twin: one report from given words, as in the browser (tests/vectors.json holds both)."""

import json
from decimal import Decimal

import pytest

from ldp.privatize import category, make_report
from surveys import definition as definitions
from surveys.reports import Layout, parse
from tests import vectors


@pytest.mark.parametrize("vector", vectors.load(), ids=lambda vector: vector["name"])
def test_same_words_give_the_same_bytes(vector):
    words = iter(vector["words"])
    definition = json.loads(vector["definition"])
    assert make_report(definition, vector["digest"], vector["answers"], lambda: next(words)) == vector["body"]
    assert next(words, None) is None, "a report uses every word exactly once"


@pytest.mark.parametrize("vector", vectors.load(), ids=lambda vector: vector["name"])
def test_definitions_and_reports_of_the_vectors_are_valid(vector):
    definition = json.loads(vector["definition"])
    assert definitions.canonical(definition).decode() == vector["definition"]
    assert definitions.digest(definition) == vector["digest"]
    layout = Layout(definition)
    assert len(layout.pack(parse(vector["body"].encode()).answers)) == layout.bytes


def test_vectors_are_those_that_the_code_makes():
    assert vectors.make() == vectors.load()


def test_an_answer_out_of_range_or_missing_is_never_randomized():
    definition = definitions.build(vectors.EVERY_KIND)
    answers = {question["key"]: 0 for question in definition["questions"]}
    for key in answers:
        with pytest.raises(ValueError, match=key):
            make_report(definition, "0" * 64, {**answers, key: 99}, lambda: 0)
        with pytest.raises(ValueError, match=key):
            make_report(definition, "0" * 64, {**answers, key: -1}, lambda: 0)
        with pytest.raises(KeyError):
            make_report(definition, "0" * 64, {k: v for k, v in answers.items() if k != key}, lambda: 0)


@pytest.mark.parametrize(
    ("number", "bin"),
    [("-99", 0), ("-1.5", 0), ("-0.01", 0), ("0", 1), ("2.24", 1), ("2.25", 2), ("10", 2), ("1e9", 2)],
)
def test_bins_are_closed_below_and_outer_ones_take_the_rest(number, bin):
    assert category({"edges": ["-1.5", "0", "2.25", "10"]}, Decimal(number)) == bin
