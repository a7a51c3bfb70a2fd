"""Versions of a question in the studio: added from the question and from its alpha, and what they will show."""

import re

import pytest

from surveys.models import Survey
from tests.support.builder import begun, signed_in, url
from tests.support.drawn import drawn

pytestmark = pytest.mark.django_db

YES_NO = {"kind": "yes_no", "text": "Well?"}
DRAFT = drawn(
    {
        "title": "In two versions",
        "questions": [
            {"key": "here", "kind": "yes_no", "text": "Here?", "alpha": "0.5"},
            YES_NO | {"key": "well", "alpha": "1"},
            YES_NO | {"key": "well_2", "text": "Well, please?", "alpha": "4", "arm_of": "well"},
        ],
        "forms": [{"weight": 2, "questions": ["well"]}, {"weight": 1, "questions": ["well_2"]}],
    }
)


def text(client, address):
    page = client.get(address).content.decode()
    return " ".join(re.sub(r"(?s)<(script|style).*?</\1>|<[^>]*>", " ", page).split())


def expecting(n, draft=DRAFT):
    survey = begun(draft)
    Survey.objects.filter(pk=survey.pk).update(expected_n=n)
    return survey


@pytest.mark.parametrize("page", ["alpha/", "open/"])
def test_before_opening_it_is_said_which_differences_will_show(page):
    """A yes/no question compares one number; the figures are those of ldp (tests/ldp/test_arms.py)."""
    said = text(signed_in(), f"/surveys/{expecting(2073).pk}/{page}")
    assert "form 1 about 1,382 people, alpha 1; form 2 about 691 people, alpha 4." in said
    ten = "With 2,073 people, a true difference of 10 points is found with a chance of 80%. It takes 2,073"
    assert ten in said and "It takes 8,171 people for a chance of 80%." in said
    assert "Results compare 1 number at 95%" in said and "may be due to them" not in said


def routed(rules):
    return DRAFT | {
        "questions": [DRAFT["questions"][0], *(each | {"asked_if": rules} for each in DRAFT["questions"][1:])]
    }


@pytest.mark.parametrize("page", ["alpha/", "open/"])
def test_of_those_who_are_asked_half_a_difference_of_ten_points_is_one_of_five(page):
    """Half of the people are asked. The exact test of all shares, at 4/5 of the error, is the test among the people
    asked, with differences halved."""
    shown = text(signed_in(), f"/surveys/{expecting(2073, routed({'question': 'here', 'options': [0]})).pk}/{page}")
    assert "Differences are among the people who are asked, about 50% of all." in shown
    assert "a true difference of 10 points is found with a chance of" in shown
    assert "It takes 8,719 people for a chance of 80%." in shown and "It takes 2,073" not in shown


def test_versions_whose_reports_do_not_show_who_was_asked_have_no_figures():
    seen = {"key": "seen", "kind": "multiple_choice", "text": "Seen?", "options": ["a", "b", "c"], "alpha": "1"}
    draft = routed({"question": "seen", "options": [0, 1]})
    draft["questions"].insert(0, seen | {"sample": 1})
    shown = text(signed_in(), f"/surveys/{expecting(2073, draft).pk}/alpha/")
    assert "Reports will not show how many, so nothing is compared." in shown and "true difference" not in shown


def test_versions_that_are_not_complete_have_no_figures_yet():
    draft = DRAFT | {"questions": [*DRAFT["questions"][:2], DRAFT["questions"][2] | {"text": ""}]}
    said = text(signed_in(), f"/surveys/{expecting(1000, draft).pk}/alpha/")
    assert "Complete all versions" in said and "true difference" not in said


def test_a_form_that_asks_more_than_a_version_is_named():
    first, second = DRAFT["forms"]
    here, well, *others = DRAFT["questions"]
    bare = {name: value for name, value in here.items() if name != "alpha"}
    draws = [{"questions": ["here"], "alpha": "1"}, *first["draws"]]
    draft = DRAFT | {"questions": [bare, well, *others], "forms": [first | {"draws": draws}, second]}
    said = text(signed_in(), f"/surveys/{expecting(1000, draft).pk}/alpha/")
    assert "One of these forms asks other questions too" in said


def test_a_survey_without_versions_says_nothing_of_them():
    assert "Each person is asked one of them" not in text(signed_in(), f"/surveys/{begun().pk}/alpha/")


@pytest.mark.parametrize("page", ["questions/here/", "alpha/?question=here"])
def test_a_version_is_added_where_the_question_is_and_where_its_alpha_is(page):
    draft = {"title": "One", "questions": DRAFT["questions"][:2]}
    survey, client = begun(draft), signed_in()
    assert 'name="arm" value="here"' in client.get(f"/surveys/{survey.pk}/{page}").content.decode()
    answer = client.post(url(survey), {"arm": "here"})
    assert answer["Location"].startswith(url(survey, "here_2"))
    survey.refresh_from_db()
    assert [form["draws"][0]["questions"] for form in survey.draft["forms"]] == [["here"], ["here_2"]]
    said = text(client, url(survey, "here_2"))
    assert "Added another version of “Here?”." in said and "Undo" in said and "Versions of this question" in said
    assert "drawn as often as form 2" in said


def test_a_question_that_decides_offers_no_version_and_says_why():
    asked = {"asked_if": {"question": "here", "options": [0]}}
    draft = {"title": "One", "questions": [DRAFT["questions"][0], DRAFT["questions"][1] | asked]}
    survey, client = begun(draft), signed_in()
    assert 'name="arm"' not in client.get(url(survey, "here")).content.decode()
    assert "Whether “Well?” is asked depends on this question" in text(client, url(survey, "here"))
    client.post(url(survey), {"arm": "here"})
    survey.refresh_from_db()
    assert survey.draft == draft


def test_a_version_becomes_a_question_of_its_own():
    survey, client = begun(DRAFT), signed_in()
    client.post(url(survey), {"part": "well_2"})
    survey.refresh_from_db()
    assert "arm_of" not in survey.draft["questions"][2] and survey.draft["forms"] == DRAFT["forms"]


def test_a_duplicate_of_a_version_is_a_question_of_its_own():
    survey, client = begun(DRAFT), signed_in()
    client.post(url(survey), {"duplicate": "well_2"})
    survey.refresh_from_db()
    assert [question.get("arm_of") for question in survey.draft["questions"]] == [None, None, "well", None]


def test_what_cannot_be_compared_is_said_at_the_version():
    draft = DRAFT | {"questions": [*DRAFT["questions"][:2], DRAFT["questions"][2] | {"prefer_not_to_say": True}]}
    survey, client = begun(draft), signed_in()
    said = text(client, url(survey, "well_2"))
    assert "It must be of the same kind as the first version, with as many answers" in said
    assert 'href="#f-arm_of"' in client.get(url(survey, "well_2")).content.decode()


def test_no_version_can_be_asked_of_everyone_by_a_proposal():
    survey, client = expecting(2000), signed_in()
    said = text(client, f"/surveys/{survey.pk}/alpha/?plan=1&own.well=1")
    assert "No one is asked all versions of a question" in said
    targets = client.get(f"/surveys/{survey.pk}/alpha/").content.decode()
    moving = targets[targets.index('id="to-well"') :].partition("</select>")[0]
    assert "everyone" not in moving and 'value="1"' not in moving and 'value="new"' in moving
