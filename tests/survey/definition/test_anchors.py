"""The answer that everyone should give, in drafts, definitions and documents (M42)."""

import copy

import pytest

from surveys.designer.xlsform import writer
from surveys.drafts import options
from surveys.drafts.normalize import normalized
from surveys.drafts.ready import READY, insert
from surveys.survey import definition as definitions

DRAFT = {
    "title": "Anchored",
    "questions": [
        {"key": "check", "kind": "ordered", "text": "Choose often.", "options": ["Never", "Often"], "alpha": "1"},
        {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "1"},
    ],
}


def with_right(right, **fields):
    draft = copy.deepcopy(DRAFT)
    draft["questions"][0] |= fields | {"right": right}
    return draft


def codes(draft):
    return [(refusal.field, refusal.code) for refusal in definitions.refusals(draft)]


def test_it_is_frozen_and_a_survey_without_it_has_the_bytes_that_it_had():
    plain, marked = definitions.build(DRAFT), definitions.build(with_right(1))
    assert marked["questions"][0] == plain["questions"][0] | {"right": 1}
    assert b'"right"' not in definitions.canonical(plain)
    assert definitions.canonical(marked).replace(b'"right":1,', b"") == definitions.canonical(plain)


@pytest.mark.parametrize("right", [2, -1, "1", 0.5, True, None, [0]])
def test_it_is_one_of_the_answers(right):
    assert codes(with_right(right)) == [("questions[0].right", "right_answer")]


def test_no_one_should_prefer_not_to_say():
    assert codes(with_right(2, prefer_not_to_say=True)) == [("questions[0].right", "right_answer")]
    assert not codes(with_right(1, prefer_not_to_say=True))


def test_it_is_of_kinds_with_one_answer_of_a_list_that_everyone_is_asked():
    draft = with_right(1) | {"questions": DRAFT["questions"][::-1] + with_right(1)["questions"][:1]}
    draft["questions"] = [DRAFT["questions"][1], with_right(1)["questions"][0]]
    assert not codes(draft)
    draft["questions"][1] |= {"asked_if": {"question": "smokes", "options": [0]}}
    assert codes(draft) == [("questions[1].right", "right_for_some")]
    assert codes(with_right(1, kind="multiple_choice")) == [("questions[0].right", "unknown_field")]


def test_it_follows_the_options_of_a_draft():
    draft = normalized(with_right(1))
    before = dict(draft["questions"][0])
    draft["questions"][0]["options"] = ["Often", "At times", "Never"]
    options.follow(draft, before, draft["questions"][0])
    assert draft["questions"][0]["right"] == 0
    before = dict(draft["questions"][0])
    draft["questions"][0]["options"] = ["At times", "Never"]
    options.follow(draft, before, draft["questions"][0])
    assert "right" not in draft["questions"][0]


def test_an_xlsform_says_that_it_leaves_it_out():
    lost = {remark.text: remark.names for remark in writer.remarks(definitions.build(with_right(1)))}
    assert list(lost["The answer that everyone should give, as an attention check."]) == ["check"]
    assert not any("pays attention" in remark.text for remark in writer.remarks(definitions.build(DRAFT)))


# Ready-made -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", READY)
@pytest.mark.parametrize(("language", "word"), [(None, "you"), ("de", "Sie"), ("ar", "ك"), ("fr", "you")])
def test_ready_made_questions_are_in_the_language_of_the_survey(name, language, word):
    draft = normalized({"title": "T", "questions": []} | ({"language": language} if language else {}))
    key = insert(draft, name, None)
    made = draft["questions"][0]
    assert made["key"] == key and word in made["text"]
    made["alpha"] = "1"
    assert not definitions.refusals(draft)


def test_they_are_put_into_translations_too_and_others_stay():
    translated = {"title": "Verankert", "questions": [{"text": "Oft!", "options": ["Nie", "Oft"]}, {"text": "?"}]}
    french = {"title": "Ancres", "questions": [{"text": "Souvent!", "options": ["Jamais", "Souvent"]}, {"text": "?"}]}
    draft = normalized(DRAFT | {"translations": {"de": translated, "fr": french}})
    insert(draft, "attention", 0)
    german, other = (draft["translations"][tag]["questions"] for tag in ("de", "fr"))
    assert german[0]["options"][3] == "Oft" and "„Oft“" in german[0]["text"]
    assert german[1]["text"] == "Oft!" and other[0]["text"] == "" and other[1]["text"] == "Souvent!"
    assert draft["questions"][0]["options"][draft["questions"][0]["right"]] == "Often"
