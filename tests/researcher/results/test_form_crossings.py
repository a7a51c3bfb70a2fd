"""Cross-tables of a survey in forms: joint forms' pairs are ready at once; pairs that no one was asked are absent."""

import io
import re

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from surveys.models import AnalysisRun, Block, Membership, Release, Role
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from tests.researcher.results.test_forms import ended, text
from tests.support.analyses import crossed, entered
from tests.support.drawn import drawn
from tests.support.estimates import document_of, found_again
from tests.support.release_workbook import workbook

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def ended_once(outer_transaction):
    return ended((2400, 190, 206))


@pytest.fixture
def survey(ended_once, db):
    return found_again(ended_once)


@pytest.fixture
def researcher(survey):
    client, user = Client(), User.objects.create_user("r", password="long and random enough")
    Membership.objects.create(survey=survey, user=user, role=Role.RESEARCHER)
    client.force_login(user)
    return client


def offered(client, survey, **query):
    """Return the second questions that can be chosen, and the page."""
    page = client.get(reverse("release-crossings", args=[survey.slug, 1]), query).content.decode()
    select = re.search(r'<select id="second".*?</select>', page, re.DOTALL)
    return set(re.findall(r'value="([^"]+)"', select[0])) if select else set(), page


def test_only_questions_that_the_same_people_were_asked_are_offered(survey, researcher):
    assert offered(researcher, survey, first="drugs")[0] == {"region", "age"}
    assert offered(researcher, survey, first="doctor")[0] == {"region", "health"}
    assert offered(researcher, survey, first="region")[0] == {"drugs", "age", "health", "doctor"}
    page = offered(researcher, survey, first="doctor")[1]
    assert "no form asks both" in page and "“Ever taken drugs?”</bdi>" in page


def test_a_question_that_stands_alone_is_not_offered_with_anything(researcher):
    draft = drawn(
        {
            "title": "Alone",
            "questions": [{"key": key, "kind": "yes_no", "text": key, "alpha": "1"} for key in ("one", "two")],
            "forms": [{"questions": ["one"]}, {"questions": ["two"]}],
        }
    )
    survey = ended((30, 30), draft)
    Membership.objects.create(survey=survey, user=User.objects.get(username="r"), role=Role.RESEARCHER)
    options, page = offered(researcher, survey, first="one")
    assert not options and "No other question can be crossed with this one." in page


def test_anyone_who_asks_for_such_a_pair_all_the_same_is_told_why_not(survey, researcher):
    path = reverse("ask-crossing", args=[survey.slug, 1])
    answer = researcher.post(path, {"first": "drugs", "second": "doctor"})
    assert (
        answer.status_code == 422
        and "No form asks these questions together, so no one was asked all of them." in answer.content.decode()
    )
    assert not AnalysisRun.objects.exists()
    assert researcher.get(reverse("release-crossing", args=[survey.slug, 1, "drugs", "doctor"])).status_code == 404


def test_the_table_of_a_joint_form_is_exact_and_said_to_be(survey):
    Block.objects.filter(survey=survey).delete()
    assert crossed(survey, "drugs", "age").state == "ready"
    page = text("release-crossing", survey.slug, 1, "drugs", "age")
    assert "with 95% intervals jointly for all cells." in page and "intervals are for the population." in page
    assert "these respondents" not in page and "those who were asked both" not in page
    assert "exact of binomial counts, 6 at once; proved" in page
    assert "Reports about both 2,400 of 2,796 in all: the others were asked other forms" in page
    assert "were randomized together, by one draw" in page and "Fisher" not in page
    for form in ("csv", "json"):
        assert (
            Client().get(reverse("release-crossing-file", args=[survey.slug, 1, "drugs", "age", form])).status_code
            == 200
        )
    picture = Client().get(reverse("release-crossing-picture", args=[survey.slug, 1, "drugs", "age", "dark"]))
    assert picture.status_code == 200


def test_what_would_show_more_is_said_in_people_and_in_reports_about_both(survey):
    """Half of all people get the form with these two questions."""
    assert crossed(survey, "drugs", "age").state == "ready"
    said = text("release-crossing", survey.slug, 1, "drugs", "age")
    found = re.search(
        r"About ([0-9,]+) people would show .*; about ([0-9,]+) of them report about both questions", said
    )
    people, both = (int(number.replace(",", "")) for number in found.groups())
    assert people == pytest.approx(2 * both, rel=0.1)  # both numbers are rounded to two digits


def test_a_table_with_a_question_for_everyone_is_of_those_who_were_asked(survey):
    assert crossed(survey, "region", "drugs").state == "ready"
    page = text("release-crossing", survey.slug, 1, "region", "drugs")
    assert "for the population and for those who were asked both." in page
    assert "Reports about both 2,400 of 2,796 in all" in page and "unseen respondent" in page


def test_it_says_how_many_reports_will_be_counted(survey, researcher):
    release = Release.objects.get(survey=survey)
    entered(CROSSINGS, release, {"first": "health", "second": "doctor"})
    assert (
        "190 reports will be counted"
        in researcher.get(reverse("release-crossing", args=[survey.slug, 1, "health", "doctor"])).content.decode()
    )


def test_a_pair_without_any_report_may_be_asked_for_and_is_listed():
    survey = ended((60, 0, 0))
    row = crossed(survey, "health", "doctor")
    assert row.state == AnalysisRun.State.FAILED and row.reason == AnalysisRun.Reason.NOBODY
    page = text("release-crossings", survey.slug, 1)
    assert "How healthy?" in page and "Seen a doctor?" in page


def test_the_workbook_has_each_forms_reports_against_its_weight(survey):
    content = workbook(Client(), f"/r/{survey.slug}/1/downloads/tables.xlsx").content
    head, *body = openpyxl.load_workbook(io.BytesIO(content))["Forms"].iter_rows(values_only=True)
    forms = document_of(survey)["forms"]
    assert len(body) == len(forms) and head[-1] == "More (1) or fewer (-1) than chance allows"
    for row, form in zip(body, forms, strict=True):
        assert (row[3], row[5], row[8]) == (form["weight"], form["n"], form["retention"]["direction"])
        assert row[6] == pytest.approx(form["retention"]["expected"])
