"""Drafts may have numbers as texts or as numbers, huge ones, and JSON of every shape."""

import copy
import json
from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ldp.forms.report import alone
from ldp.mechanisms import FITTING
from surveys.survey import definition as definitions
from surveys.survey.kinds import KINDS
from tests.support.factories import DRAFT, draft


def _low(low):
    """Return the lower end of a mean whose draft says `low`."""
    question = {"key": "q", "kind": "mean", "text": "?", "alpha": 1, "low": low, "high": 999_999_999_999}
    return alone(definitions.build({"title": "x", "questions": [question]}))[0]["low"]


@given(st.decimals(-(10**11), 10**11, places=6))
def test_a_number_as_it_is_written_is_the_number_that_is_kept(number):
    for written in (f"{number:f}", f"{number:e}", f'"{number:f}"'):
        assert Decimal(_low(definitions.DraftDecoder().decode(written))) == number


@given(st.integers(-(10**9), 10**9))
def test_a_float_is_the_shortest_decimal_that_it_stands_for(millionths):
    assert Decimal(_low(millionths / 10**6)) == Decimal(millionths) / 10**6


@pytest.mark.parametrize("text", ["1e999999999", "1e-999999999", "0e999999999", "9" * 10_000, "0." + "9" * 10_000])
def test_a_monstrous_number_is_refused_at_once(text):
    with pytest.raises(definitions.DraftRefused, match="low: must be a number"):
        _low(definitions.DraftDecoder().decode(text))


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000], ids=["lists", "objects"])
def test_a_monstrous_nesting_is_no_json(text):
    with pytest.raises(json.JSONDecodeError):
        definitions.DraftDecoder().decode(text)


def test_a_question_is_named_by_its_place_and_its_key():
    questions = [{"key": f"q{i}", "kind": "yes_no", "text": "?", "alpha": "1"} for i in range(12)]
    questions[2] |= {"text": "", "alpha": "0"}
    questions[11] |= {"key": "No", "options": []}
    with pytest.raises(definitions.DraftRefused) as refused:
        definitions.build({"title": "x", "questions": questions})
    places = [str(refusal).partition(": ")[0] for refusal in refused.value.refusals]
    assert places == [
        *('question 3 (key "q2"), text', 'question 3 (key "q2"), alpha'),
        *('question 12 (key "No"), options', 'question 12 (key "No"), key'),
    ]
    assert [refusal.field for refusal in refused.value.refusals][3] == "questions[11].key"


# JSON of every shape in place of each part ----------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
MORE = ("mechanism", "sample", "delta", "note", "low", "items")
PARTS = [(name,) for name in (*DRAFT, "consent", "thanks", "sections", "more")]
PARTS += [("questions", i, name) for i, question in enumerate(DRAFT["questions"]) for name in (*question, *MORE)]


@pytest.mark.slow
@given(st.sampled_from(PARTS), JSON)
@settings(max_examples=1000)
def test_no_draft_of_any_shape_makes_another_error_than_a_refusal(steps, value):
    draft = copy.deepcopy(DRAFT)
    part = draft
    for step in steps[:-1]:
        part = part[step]
    part[steps[-1]] = value
    with suppress(definitions.DraftRefused):
        definitions.build(draft)


def test_the_site_has_a_home_for_every_kind():
    assert KINDS.keys() == FITTING.keys()


def broken(**changes):
    return DRAFT | {"questions": [DRAFT["questions"][0] | changes]}


@pytest.mark.parametrize(
    ("refused", "field"),
    [
        ({"title": "x"}, "questions"),
        (["x"], "draft"),
        (draft(title=" "), "title"),
        (draft(titel="x"), "titel"),
        (draft(questions=[]), "questions"),
        (broken(alpha="0"), 'question 1 (key "yes"), alpha'),
        (broken(alpha=True), 'question 1 (key "yes"), alpha'),
        (broken(key="Yes"), 'question 1 (key "Yes"), key'),
        (broken(key=5), "question 1, key"),
        (broken(kind="essay"), 'question 1 (key "yes"), kind'),
        (broken(mechanism="laplace"), 'question 1 (key "yes"), mechanism'),
        (broken(options=["a", "b"]), 'question 1 (key "yes"), options'),
        (draft(questions=[*DRAFT["questions"], DRAFT["questions"][0]]), 'question 4 (key "yes"), key'),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_refused_draft_names_the_field(refused, field):
    with pytest.raises(definitions.DraftRefused) as refusal:
        definitions.build(refused)
    (told,) = refusal.value.refusals
    assert str(told).startswith(f"{field}: ")


def test_everything_that_is_wrong_is_told_at_once_and_counted_from_one():
    first, second, third = DRAFT["questions"]
    wrong = [first | {"alpha": 99, "kind": "grid"}, second | {"options": ["a", ""], "key": "no key"}]
    wrong += [third | {"edges": ["0", "x", "9"]}]
    with pytest.raises(definitions.DraftRefused) as refusal:
        definitions.build(draft(titel="x", questions=wrong))
    messages = map(str, refusal.value.refusals)
    told = {message.partition(": ")[0]: message.rpartition(" [")[2].removesuffix("]") for message in messages}
    assert told.pop("titel").startswith("titel")
    assert told == {
        'question 1 (key "yes"), items': "questions[0].items",
        'question 1 (key "yes"), options': "questions[0].options",
        'question 1 (key "yes"), alpha': "questions[0].alpha",
        'question 2 (key "no key"), key': "questions[1].key",
        'question 2 (key "no key"), options, number 2': "questions[1].options[1]",
        'question 3 (key "many"), edges, number 2': "questions[2].edges[1]",
    }
