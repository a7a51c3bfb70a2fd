"""A question's content is built once, at any place in a draft."""

import pytest

from surveys.survey import definition as definitions
from surveys.survey.definition import build_cache, questions
from surveys.survey.definition.build_cache import TextCache

QUESTION = {"key": "q", "kind": "ordered", "text": "?", "alpha": "1", "options": ["a", "b", "c"]}
WRONG = QUESTION | {"alpha": "x", "options": ["a", ""]}


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setattr(build_cache, "KEPT", TextCache(100_000))


def test_a_question_is_built_once_and_no_one_changes_what_another_is_given():
    first = build_cache.build(QUESTION, "questions[0]")
    assert first == questions.build(QUESTION, "questions[0]")
    first["options"].append("changed")
    assert build_cache.build(QUESTION, "questions[7]") == questions.build(QUESTION, "questions[7]") != first


def test_a_refusal_names_the_place_where_it_is_asked_for():
    for where in ("questions[0]", "questions[12]"):
        with pytest.raises(definitions.DraftRefused) as refused:
            build_cache.build(WRONG, where)
        assert {one.field for one in refused.value.refusals} == {f"{where}.alpha", f"{where}.options[1]"}
    with pytest.raises(definitions.DraftRefused) as refused:
        build_cache.build("none", "questions[3]")
    assert [one.field for one in refused.value.refusals] == ["questions[3]"]


def test_what_is_kept_is_bounded_and_the_least_used_goes_first():
    texts = TextCache(20)
    texts.put("a", "1" * 9)
    texts.put("b", "2" * 9)
    assert texts.get("a") == "1" * 9
    texts.put("c", "3" * 9)
    assert [texts.get(key) for key in "abc"] == ["1" * 9, None, "3" * 9]
    texts.put("a", "4" * 30)
    assert [texts.get(key) for key in "ac"] == [None, None]


def test_all_refusals_of_a_draft_are_read_without_opening_it():
    draft = {"title": "", "questions": [QUESTION, WRONG | {"key": "r"}]}
    fields = {refusal.field for refusal in definitions.refusals(draft)}
    assert fields == {"title", "questions[1].alpha", "questions[1].options[1]"}
    assert definitions.refusals({"title": "x", "questions": [QUESTION]}) == ()
