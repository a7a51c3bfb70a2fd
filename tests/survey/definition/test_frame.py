"""The parts around the questions, if a survey has them: consent, thanks and sections."""

import pytest

from surveys.survey import definition as definitions
from tests.support import frames
from tests.support.factories import DRAFT
from tests.support.hostile import altered


def test_a_definition_has_only_what_the_draft_has():
    made = definitions.build(DRAFT)
    assert list(made) == ["format", "title", "introduction", "questions", "draws"] and made["format"] == 1
    empty = {"consent": "", "thanks": " \n", "completion_code": "", "return_link": "", "accent": "", "sections": []}
    assert definitions.canonical(definitions.build(DRAFT | empty)) == definitions.canonical(made)


def test_each_stands_where_the_draft_gives_it():
    made = definitions.build(frames.DRAFT)
    names = ("consent", "thanks", "completion_code", "return_link", "sections")
    assert {name: made[name] for name in names} == {name: frames.DRAFT[name] for name in names}
    assert "thanks" not in definitions.build(frames.draft(lambda draft: draft.update(thanks="\ufeff")))
    textless = definitions.build(frames.draft(lambda draft: draft["sections"][1].pop("text")))
    assert [section["text"] for section in textless["sections"]] == ["", ""]


UNITED = "must hold the key of every question once, in the order of the questions"


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("consent", lambda draft: draft.update(consent="x" * 10_001)),
        ("consent", lambda draft: draft.update(consent=None)),
        ("thanks", lambda draft: draft.update(thanks="a\x00")),
        ("thanks", lambda draft: draft.update(thanks="x" * 2001)),
        ("completion_code", lambda draft: draft.update(completion_code="a b")),
        ("completion_code", lambda draft: draft.update(completion_code=None)),
        ("return_link", lambda draft: draft.update(return_link="http://example.org/")),
        ("return_link", lambda draft: draft.update(return_link="https://example.org/?pid={{%PROLIFIC_PID%}}")),
        ("return_link", lambda draft: draft.update(return_link=["https://example.org/"])),
        ("accent", lambda draft: draft.update(accent="#fff")),
        ("accent", lambda draft: draft.update(accent=None)),
        ("sections", lambda draft: draft.update(sections=None)),
        ("sections", lambda draft: draft.update(sections=draft["sections"] * 101)),
        ("sections", lambda draft: draft["sections"].reverse()),
        ("sections", lambda draft: draft["sections"].pop()),
        ("sections", lambda draft: draft["sections"][1]["questions"].reverse()),
        ("sections", lambda draft: draft["sections"][1]["questions"].append("one")),
        ("sections", lambda draft: draft["sections"][1].update(questions=["two", "four"])),
        ("sections[0]", lambda draft: draft["sections"].insert(0, "First")),
        ("sections[0].title", lambda draft: draft["sections"][0].pop("title")),
        ("sections[1].title", lambda draft: draft["sections"][1].update(title=" ")),
        ("sections[1].text", lambda draft: draft["sections"][1].update(text=5)),
        ("sections[1].more", lambda draft: draft["sections"][1].update(more=5)),
        ("sections[0].questions", lambda draft: draft["sections"][0].pop("questions")),
        ("sections[0].questions", lambda draft: draft["sections"][0].update(questions=[])),
        ("sections[0].questions", lambda draft: draft["sections"][0].update(questions=[1])),
    ],
)
def test_what_breaks_a_rule_is_refused_by_field(field, change):
    with pytest.raises(definitions.DraftRefused) as refused:
        definitions.build(frames.draft(change))
    assert [refusal.field for refusal in refused.value.refusals] == [field]


def test_all_is_refused_at_once_with_places_for_people():
    wrong = frames.draft(lambda draft: draft.update(consent=1, thanks=2))
    wrong["sections"][1]["title"] = ""
    wrong["questions"][0]["alpha"] = "0"
    with pytest.raises(definitions.DraftRefused) as refused:
        definitions.build(wrong)
    assert [refusal.place for refusal in refused.value.refusals] == [
        *("consent", "thanks", "section 2, title", 'question 1 (key "one"), alpha'),
    ]


def test_nothing_is_certified_that_the_form_could_not_read():
    verdicts = [(definitions.certified(data), sound) for data, sound in frames.cases()]
    assert len(verdicts) > 40 and all(certified == sound for certified, sound in verdicts)


def test_few_alterations_of_a_frame_are_certified():
    verdicts = [definitions.certified(data) for data in altered(frames.framed())]
    assert verdicts.count(False) > 1500 and 0 < verdicts.count(True) < len(verdicts) / 3
