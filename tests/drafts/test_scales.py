"""A draft's scale switches between its shares and its mean alone, there and back."""

import copy

import pytest

from ldp.forms.report import alone
from surveys.drafts import scales
from surveys.drafts.kinds import changed, is_scale, name_of
from surveys.survey import definition as definitions
from surveys.survey.definition.translation_texts import follow

SCALE = {
    **{"key": "mood", "kind": "ordered", "text": "How are you?", "note": "Today", "alpha": "2"},
    **{"options": ["bad", "so so", "good"], "mechanism": "bitwise", "prefer_not_to_say": True},
}
DRAFT = {"title": "One", "questions": [{"key": "here", "kind": "yes_no", "text": "Here?", "alpha": "1"}, SCALE]}


def test_the_options_of_a_scale_become_the_steps_of_a_mean_and_options_again():
    mean = scales.convert(SCALE, "mean")
    assert mean == {"key": "mood", "kind": "mean", "text": "How are you?", "note": "Today", "alpha": "2"} | {
        "steps": ["bad", "so so", "good"]
    }
    assert is_scale(mean) and scales.wanted(mean) == "mean" and str(name_of(mean)) == "Rating scale, mean only"
    kept = {name: value for name, value in SCALE.items() if name not in ("mechanism", "prefer_not_to_say")}
    assert scales.convert(mean, "shares") == kept


def test_its_definition_counts_the_steps_from_one_on():
    definition = definitions.build(DRAFT | {"questions": [scales.convert(SCALE, "mean")]})
    (question,) = alone(definition)
    assert (question["low"], question["high"], question["unit"]) == ("1", "3", "")
    assert question["mechanism"] == "one_bit" and question["steps"] == ["bad", "so so", "good"]


@pytest.mark.parametrize("field", ["low", "high", "unit"])
def test_steps_have_no_other_ends(field):
    with pytest.raises(definitions.DraftRefused) as refused:
        definitions.build(DRAFT | {"questions": [scales.convert(SCALE, "mean") | {field: "1"}]})
    assert [each.field for each in refused.value.refusals] == [f"questions[0].{field}"]


def test_a_mean_of_steps_is_asked_of_the_same_people():
    routed = SCALE | {"asked_if": {"question": "here", "options": [0]}}
    mean = scales.convert(routed, "mean")
    assert mean["asked_if"] == routed["asked_if"]
    assert definitions.build(DRAFT | {"questions": [DRAFT["questions"][0], mean]})


def test_another_kind_takes_the_steps_as_its_options():
    assert changed(scales.convert(SCALE, "mean"), "single_choice")["options"] == SCALE["options"]
    assert "steps" not in changed(scales.convert(SCALE, "mean"), "mean")


def test_translations_of_its_steps_go_along():
    german = {"text": "Wie geht es?", "note": "Heute", "options": ["schlecht", "so lala", "gut"]}
    before = DRAFT | {"translations": {"de": {"title": "Eins", "questions": [{"text": "Hier?"}, german]}}}
    draft = copy.deepcopy(before)
    draft["questions"][1] = scales.convert(SCALE, "mean")
    follow(before, draft)
    assert draft["translations"]["de"]["questions"][1]["steps"] == german["options"]
    back = copy.deepcopy(draft)
    back["questions"][1] = SCALE
    follow(draft, back)
    assert back["translations"]["de"]["questions"][1]["options"] == german["options"]


FOLLOW = {"key": "why", "kind": "yes_no", "text": "Why?", "alpha": "1"} | {
    "asked_if": {"question": "mood", "options": [0]}
}


@pytest.mark.parametrize(
    ("more", "changes", "why"),
    [
        ([], {}, None),
        ([FOLLOW], {}, "decides"),
        ([], {"right": 2}, "right"),
        ([SCALE | {"key": "words", "arm_of": "mood"}], {}, "versions"),
    ],
)
def test_a_scale_whose_steps_must_be_known_is_asked_for_its_shares(more, changes, why):
    draft = {"title": "One", "questions": [SCALE | changes, *more]}
    assert scales.hindrance(draft, draft["questions"][0]) == why
    assert scales.hindrance(draft, scales.convert(SCALE, "mean")) is None
