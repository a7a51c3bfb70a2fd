"""Versions of a question in a draft: each new one gets its own form, and follows changes of the others."""

import copy

import pytest
from django.contrib.auth.models import User

from surveys import drafts
from surveys.designer.editor.extra_fields import rename
from surveys.designer.editor.labels import label
from surveys.drafts import Changed, arms, assignment, history, outline, proposals
from surveys.drafts.assignment import UnfitAssignment
from surveys.drafts.normalize import normalized
from surveys.survey import definition as definitions
from tests.support import arm_cases
from tests.support.builder import begun
from tests.support.drawn import drawn

PLAIN = {
    "title": "One",
    "questions": [
        {"key": "here", "kind": "yes_no", "text": "Here?", "alpha": "1"},
        {"key": "mood", "kind": "ordered", "text": "How are you?", "options": ["bad", "good"], "alpha": "1"},
    ],
}
FORMS = drawn(
    PLAIN
    | {
        "questions": [*PLAIN["questions"], {"key": "age", "kind": "yes_no", "text": "Old?", "alpha": "1"}],
        "forms": [{"weight": 3, "questions": ["here"]}, {"weight": 1, "questions": ["age"]}],
    }
)


def copied(draft):
    return copy.deepcopy(draft)


def test_what_was_changed_since_is_named_as_the_studio_names_it():
    assert label(arm_cases.DRAFT, ("question", "kind", "arm_of")).name == "Version of"


def family(draft, key):
    return [question["key"] for question in arms.versions(draft, key)]


def test_a_survey_without_forms_gets_two_halves_and_asks_everyone_the_rest():
    draft = copied(PLAIN)
    assert arms.add(draft, "mood") == "mood_2"
    assert draft["forms"] == [
        {"weight": 1, "draws": [{"questions": [key], "alpha": "1"}]} for key in ("mood", "mood_2")
    ]
    assert draft["questions"][2] == draft["questions"][1] | {"key": "mood_2", "arm_of": "mood"}
    made = definitions.build(draft)
    assert definitions.alpha_total(made) == definitions.alpha_total(definitions.build(PLAIN)) == "2"


def test_a_third_one_is_a_version_of_the_first():
    draft = copied(PLAIN)
    arms.add(draft, "mood")
    assert arms.add(draft, "mood_2") == "mood_3"
    assert [question.get("arm_of") for question in draft["questions"]] == [None, None, "mood", "mood"]
    assert family(draft, "mood_2") == ["mood", "mood_2", "mood_3"] and len(draft["forms"]) == 3
    definitions.build(draft)


def test_beside_other_forms_each_version_stands_in_one_of_its_own():
    draft = copied(FORMS)
    arms.add(draft, "mood")
    assert draft["forms"] == [
        *FORMS["forms"],
        {"weight": 2, "draws": [{"questions": ["mood"], "alpha": "1"}]},
        {"weight": 2, "draws": [{"questions": ["mood_2"], "alpha": "1"}]},
    ]
    arms.add(draft, "here")
    assert draft["forms"][4:] == [{"weight": 3, "draws": [{"questions": ["here_2"], "alpha": "1"}]}]
    definitions.build(draft)


def test_a_version_of_one_that_is_randomized_together_has_the_alpha_of_that_form():
    draft = normalized(arm_cases.DRAFT)
    assert "alpha" not in draft["questions"][arm_cases.SHORT]
    made = arms.add(draft, "often")
    assert draft["forms"][-1]["draws"] == [{"questions": [made], "alpha": "2"}]
    definitions.build(draft)


def test_what_decides_has_one_version_and_what_a_form_decides_too():
    asked = {"asked_if": {"question": "here", "options": [0]}}
    draft = copied(PLAIN)
    draft["questions"][1] |= asked
    with pytest.raises(Changed):
        arms.add(draft, "here")
    arms.add(draft, "mood")
    definitions.build(draft)
    draft = copied(PLAIN)
    rules = [{"question": "here", "options": [0]}, {"question": "mood", "options": [0]}]
    draft["questions"].append(draft["questions"][1] | {"key": "last", "asked_if": {"all": rules}})
    for key in ("here", "mood"):
        with pytest.raises(Changed):
            arms.add(draft, key)
    arms.add(draft, "last")
    definitions.build(draft)
    draft = copied(FORMS)
    draft["questions"][1] |= asked
    with pytest.raises(Changed):
        arms.add(draft, "mood")


def test_the_next_one_takes_the_place_of_the_first():
    for go in (lambda draft: outline.remove(draft, "plain"), lambda draft: arms.part(draft, "plain")):
        draft = copied(arm_cases.DRAFT)
        go(draft)
        arms.settle(draft)
        assert family(draft, "short") == ["kind", "short"] and family(draft, "years") == ["age", "years"]
    arms.part(draft, "short")
    assert family(draft, "kind") == [] and not any(q.get("arm_of") == "kind" for q in draft["questions"])


def test_another_key_keeps_the_versions():
    draft = copied(arm_cases.DRAFT)
    rename(draft, "plain", "which")
    assert family(draft, "kind") == ["which", "kind", "short"]
    definitions.build(draft)


def test_no_two_versions_are_moved_into_one_form_and_none_to_everyone():
    for key, to in (("kind", "0"), ("kind", assignment.EVERYONE), ("age", "1"), ("age", assignment.EVERYONE)):
        with pytest.raises(UnfitAssignment, match="arms"):
            assignment.move(normalized(arm_cases.DRAFT), key, to)
    draft = normalized(arm_cases.DRAFT)
    assignment.move(draft, "age", assignment.NEW)
    definitions.build(draft)


def without_alphas(draft):
    draft = copied(draft)
    draft.pop("forms", None)
    for question in draft["questions"]:
        question.pop("alpha", None)
    return draft


@pytest.mark.parametrize("count", [5, 4])
def test_what_is_proposed_keeps_versions_apart(count):
    draft = without_alphas(arm_cases.DRAFT | {"questions": arm_cases.DRAFT["questions"][:count]})
    proposals.propose(draft)
    definitions.build(draft)


@pytest.mark.django_db
def test_one_undo_takes_back_the_version_with_its_forms():
    survey = begun(PLAIN)
    user = User.objects.get(username="ada")
    changed = drafts.change(survey, user, lambda draft: arms.add(draft, "mood"))
    assert len(changed.draft["forms"]) == 2
    step = history.last(changed, user)
    back = drafts.put_back(changed, user, step)
    assert back.draft == PLAIN


@pytest.mark.django_db
def test_what_is_removed_comes_back_as_the_first_version():
    survey = begun(arm_cases.DRAFT)
    user = User.objects.get(username="ada")
    before = drafts.change(survey, user, lambda draft: "")
    changed = drafts.change(before, user, lambda draft: str(outline.remove(draft, "plain")))
    assert family(changed.draft, "short") == ["kind", "short"]
    step = history.last(changed, user)
    back = drafts.put_back(changed, user, step)
    assert family(back.draft, "short") == ["plain", "kind", "short"]
