"""A protection left to the planner follows the questions until a designer sets a value by hand."""

import pytest
from django.contrib.auth.models import User

from surveys import drafts
from surveys.drafts import history, outline, protection
from surveys.life.lifecycle import begin_draft, open_survey
from surveys.models import Survey
from surveys.survey.definition import alpha_total, build, refusals
from tests.support.alpha import get, mark_of, post, proposal_mark_of
from tests.support.builder import signed_in
from tests.support.drafts import edit

pytestmark = pytest.mark.django_db

SIX = [{"key": f"q{k}", "kind": "single_choice", "text": f"Question {k}?", "options": list("abcde")} for k in range(6)]


@pytest.fixture
def client():
    return signed_in()


@pytest.fixture
def survey(client):
    """Return a survey of six questions for 900 people, with its protection left to the planner."""
    draft = {"title": "Six", "questions": [dict(each) for each in SIX], "protection": {"alpha": "2"}}
    return begin_draft(User.objects.get(username="ada"), draft, expected_n=900)


def stored(survey):
    return Survey.objects.get(pk=survey.pk)


def arrangement(survey):
    draft = stored(survey).draft
    return draft.get("forms"), draft.get("draws"), [question.get("alpha") for question in draft["questions"]]


def undo(survey):
    user = User.objects.get(username="ada")
    return drafts.put_back(survey, user, history.last(survey, user))


def test_a_draft_that_leaves_it_to_the_planner_can_be_opened_as_it_begins(survey):
    assert alpha_total(build(survey.draft)) == "2" and len(survey.draft["forms"]) > 1
    open_survey(survey)
    assert survey.alpha_total == "2" and "protection" not in survey.definition


def test_questions_that_come_and_go_are_planned_at_once(survey):
    before = arrangement(survey)
    edit(survey.pk, lambda draft: outline.insert(draft, {"kind": "yes_no", "text": "One more?"}, 0))
    assert alpha_total(build(stored(survey).draft)) == "2" and arrangement(survey) != before
    for _ in range(5):
        edit(survey.pk, lambda draft: outline.remove(draft, draft["questions"][-1]["key"]))
    draft = stored(survey).draft
    assert len(draft["questions"]) == 2 and alpha_total(build(draft)) == "2"


def test_a_question_has_no_alpha_until_it_is_complete(survey):
    edit(survey.pk, lambda draft: outline.insert(draft, {"kind": "yes_no", "text": ""}, 0))
    wrong = [each.field for each in refusals(stored(survey).draft)]
    assert "questions[0].alpha" in wrong
    edit(survey.pk, lambda draft: draft["questions"][0].update(text="Now?"))
    assert build(stored(survey).draft)


def test_the_number_of_people_decides_on_the_forms_and_can_be_undone(survey):
    few = arrangement(survey)
    drafts.expect(survey, User.objects.get(username="ada"), 60)
    assert arrangement(survey) != few and stored(survey).expected_n == 60
    undo(survey)
    assert arrangement(survey) == few and stored(survey).expected_n == 900


def test_an_alpha_set_by_hand_ends_it_and_an_undo_brings_it_back(client, survey):
    planned = arrangement(survey)
    page = get(client, survey, question="q0", alpha="3")
    fields = {"do": "save", "mark": mark_of(page), "alpha": "3"}
    client.post(f"/surveys/{survey.pk}/alpha/?question=q0", fields)
    assert "protection" not in stored(survey).draft
    by_hand = arrangement(survey)
    edit(survey.pk, lambda draft: draft["questions"][0].update(text="Other?"))
    assert arrangement(survey) == by_hand
    undo(survey), undo(survey)
    assert arrangement(survey) == planned and stored(survey).draft["protection"] == {"alpha": "2"}


def test_two_people_undo_their_own_questions_though_the_planner_has_moved_everything(survey):
    edit(survey.pk, lambda draft: draft["questions"][0].update(options=["x", "y"]))
    edit(survey.pk, lambda draft: draft["questions"][1].update(options=["x", "y", "z"]), "bob")
    undo(survey)
    draft = stored(survey).draft
    assert draft["questions"][0]["options"] == list("abcde") and draft["questions"][1]["options"] == ["x", "y", "z"]
    assert alpha_total(build(draft)) == "2"


def test_taking_a_plain_proposal_leaves_it_to_the_planner_again(client, survey):
    planned = arrangement(survey)
    post(client, survey, "?plan=1&total=2", do="apply", which="everything", mark=plan_mark(client, survey))
    assert "protection" not in stored(survey).draft and stored(survey).draft.get("forms") is None
    post(client, survey, "?plan=1&total=2", do="apply", which="proposal", mark=plan_mark(client, survey))
    assert stored(survey).draft["protection"] == {"alpha": "2"} and arrangement(survey) == planned


def test_what_matters_most_is_kept_and_followed(client, survey):
    query = "?plan=1&total=2&important=q3"
    post(client, survey, query, do="apply", which="proposal", mark=plan_mark(client, survey, query))
    assert stored(survey).draft["protection"] == {"alpha": "2", "important": ["q3"]}
    edit(survey.pk, lambda draft: outline.remove(draft, "q0"))
    assert alpha_total(build(stored(survey).draft)) == "2"
    draft = stored(survey).draft
    protection.rename(draft, "q3", "main")
    assert draft["protection"]["important"] == ["main"]


def test_groups_have_no_forms(client):
    draft = {"title": "Six", "questions": SIX, "protection": {"alpha": "2"}, "invitations": True}
    draft["groups"] = [{"name": "A"}, {"name": "B"}]
    survey = begin_draft(User.objects.get(username="ada"), draft)
    assert "forms" not in survey.draft and build(survey.draft)


def test_where_nothing_can_be_proposed_no_question_has_an_alpha():
    draft = {"title": "Six", "questions": [dict(each) for each in SIX], "protection": {"alpha": "0.000001"}}
    assert next(each.field for each in refusals(draft)) == "protection.alpha"
    survey = drafts.begin(draft)
    assert not any("alpha" in question for question in survey.draft["questions"])


def plan_mark(client, survey, query="?plan=1&total=2"):
    return proposal_mark_of(client.get(f"/surveys/{survey.pk}/alpha/{query}").content.decode())


WRONG = [2, {}, {"alpha": "x"}, {"alpha": 99}, {"alpha": 2, "important": "q"}, {"alpha": 1, "b": 2}]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_misshapen_protection_is_refused_by_its_field(wrong):
    draft = {"title": "Six", "questions": SIX, "protection": wrong}
    assert any(each.field.startswith("protection") for each in refusals(draft))
