"""Results of a survey in forms: each page states who was asked a question, and whether people left a form."""

import copy
import html
import io
import math
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from openpyxl import load_workbook

from ldp import tidy
from ldp.forms import efficiency
from surveys.life.lifecycle import close_survey
from surveys.models import Release
from surveys.researcher.downloads import codebook
from surveys.researcher.results import forms as words
from surveys.researcher.workbook import tables
from tests.support import forms
from tests.support.drawn import drawn
from tests.support.estimates import document_of, found_again, released, work
from tests.support.factories import opened_survey
from tests.worker.test_batches import store
from worker import batches

pytestmark = pytest.mark.django_db

YES_NO = drawn(
    {
        "title": "Two and two",
        "questions": [{"key": key, "kind": "yes_no", "text": f"Ever {key}?"} for key in ("a", "b", "c", "d")],
        "forms": [{"questions": ["a", "b"], "alpha": "2"}, {"questions": ["c", "d"], "alpha": "2"}],
    }
)


def ended(numbers, draft=forms.DRAFT, final=True):
    """Return a published survey with this many reports of each form."""
    survey = opened_survey(copy.deepcopy(draft), results_public=True)
    for form, n in enumerate(numbers):
        store(survey, range(10_000 * form, 10_000 * form + n), form=form)
    if final:
        close_survey(survey)
    while batches.take(survey):
        pass
    work(survey)
    return survey


def text(path, *args, status=200, **query):
    """Return the words of a page."""
    response = Client().get(reverse(path, args=args), query)
    assert response.status_code == status
    body = re.sub(r"(?s)<(style|script).*?</\1>", "", response.content.decode())
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


@pytest.fixture(scope="module")
def ended_once(outer_transaction):
    return ended((404, 190, 206))


@pytest.fixture
def survey(ended_once, db):
    return found_again(ended_once)


def test_the_page_says_how_the_survey_was_split(survey):
    page = text("results", survey.slug)
    assert "Each person was asked one of 3 forms, which are parts of the questionnaire." in page
    assert "Everyone was asked: question 1 ." in page
    assert "Form 1 2 , 3 , randomized together 2 in 4 404 400 3" in page
    assert "Form 3 6 1 in 4 206 200 3" in page
    assert "The numbers of reports agree with the lot" in page and "fewer than chance allows" not in page
    assert "protection (α = 3)" in page
    assert "Efficiency of the whole survey: not known A bound is known for questions with options" in page


def test_each_question_has_the_number_of_those_who_were_asked(survey):
    page = text("results", survey.slug, target="population")
    assert "Reports 800 Everyone who took part answered this question." in page
    assert "Reports 404 Everyone who got this form and took part answered this question." in page
    assert "Form Form 2 Asked of people whose browser drew this form, by lot, with a chance of 1 in 4." in page
    assert (
        "Privacy parameter α = 2 for 2 questions together" in page
        and "One draw decided for all 2 questions that were randomized together." in page
    )
    assert "The same for only the 404 people who were asked" in page
    assert page.count("these 800 respondents") == 1  # the question for everyone


def test_no_page_speaks_of_respondents_where_only_some_were_asked(survey):
    page = text("results", survey.slug, target="respondents")
    assert "about exactly those who were asked" in page
    assert "These results describe the people who answered. They are not projected to a wider population." in page
    assert "Share of those who were asked, in percent" in page and "Only those who were asked" in page
    assert page.count("Share of the respondents, in percent") == 1
    for key in ("drugs", "age", "health", "doctor", "income"):
        own = text("release-question", survey.slug, 1, key, target="respondents")
        assert "respondents" not in own.replace("For given respondents", ""), key
        assert "those who were asked" in own


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("drugs", "Form 1: 404 of 800 reports · α = 2 for 2 questions together"),
        ("region", "800 reports · α = 1"),
        ("doctor", "Form 2: 190 of 800 reports · α = 1"),
    ],
)
def test_a_questions_page_says_who_was_asked(survey, key, said):
    assert said in text("release-question", survey.slug, 1, key)


def test_a_forged_report_of_a_joint_form_moves_all_its_questions(survey):
    said = "can move every one of them by this much at once"
    assert said in text("release-question", survey.slug, 1, "drugs")
    assert said not in text("release-question", survey.slug, 1, "doctor")


def test_a_form_that_people_leave_is_named_with_what_it_may_hide():
    survey = ended((500, 60, 250))
    page = text("results", survey.slug)
    assert "Form 2 has 60 reports where about 202 were expected: fewer than chance allows." in page
    assert "Up to 86% of the people who would report with another form may be missing here (99.9% confidence)" in page
    assert "an interval from 20 to 30% would go from 2 to 91%." in page
    assert page.count("see who was asked what") == 2  # health, doctor
    own = text("release-question", survey.slug, 1, "doctor")
    assert "People who may be missing Form 2 has 60 reports" in own and "with those who are missing" in own
    assert "People who may be missing" not in text("release-question", survey.slug, 1, "income")


def test_where_only_one_form_has_too_many_the_others_say_what_may_be_missing():
    survey = ended((370, 260, 170))
    page = text("results", survey.slug)
    assert "Form 2 has 260 reports where about 200 were expected: more than chance allows." in page
    missing = [form["retention"]["missing"] for form in document_of(survey)["forms"]]
    bound = re.search(
        r"Up to (\d+)% of the people who would report with another form may be missing from one of these", page
    )
    assert int(bound[1]) == -(-100 * max(missing) // 1)
    own = text("release-question", survey.slug, 1, "drugs")
    assert "People who may be missing Form 1 has 370 reports where about 400 were expected: as chance allows" in own
    assert "with those who are missing" in own
    assert "People who may be missing" not in text("release-question", survey.slug, 1, "doctor")


def test_before_the_end_nothing_is_said_of_leaving():
    survey = ended((500, 300, 0), final=False)
    page = text("results", survey.slug)
    assert "At the end this page says whether people left a form more than others." in page
    assert "expected" not in page.partition("Who was asked what")[2].partition("How to read")[0]
    assert "No reports from people who were asked this question have been released yet." in page and "none yet" in page
    for key in ("region", "drugs"):
        assert "People who may be missing" not in text("release-question", survey.slug, 1, key)


def test_a_question_whose_form_had_too_few_reports_says_so():
    survey = ended((60, 19, 25))
    page = text("results", survey.slug)
    said = "Too few people were asked this question: nothing is published about it, and their reports were erased."
    assert page.count(said) == 2  # each of two questions once
    assert "Form 2 4 , 5 1 in 4 too few" in page
    response = Client().get(reverse("release-question", args=[survey.slug, 1, "doctor"]))
    assert response.status_code == 302 and response["Location"] == reverse("release", args=[survey.slug, 1])
    assert "Seen a doctor?" not in text("release-comparisons", survey.slug, 1)


def test_the_efficiency_of_a_survey_of_yes_and_no_is_said_with_its_meaning():
    survey = ended((300, 300), YES_NO)
    found = document_of(survey)["efficiency"]
    share = found["value"]
    assert 0.5 < share <= 1
    said = f"Efficiency of the whole survey: {round(100 * share, 1):g}%"
    assert said in text("results", survey.slug)
    assert said in text("release-codebook", survey.slug, 1)
    release = Release.objects.get(survey=survey)
    book = codebook.of_release(release)
    assert book["efficiency"] == found and book["efficiency_means"].startswith("No survey with the same α per report")
    sheet = load_workbook(io.BytesIO(tables.workbook_bytes(release, ((survey.slug, 1),))))["Release"]
    about = {row[0].value: row[1].value for row in sheet.iter_rows()}
    assert about["Efficiency of the whole survey"].startswith(f"{round(100 * share, 1):g}%. No survey with the same")


def test_the_efficiency_of_a_survey_without_forms_is_said_too():
    everyone = {"title": "All", "questions": [each | {"alpha": "0.5"} for each in YES_NO["questions"]]}
    survey = released(60, everyone, results_public=True)
    found = document_of(survey)["efficiency"]
    share = found["value"]
    known = efficiency.efficiency(2.0, [2] * 4, [1 / (2 * math.tanh(0.25)) ** 2] * 4)
    assert found["how"] == "enumerated" and share == pytest.approx(known.value, rel=1e-12)
    said = f"Efficiency of the whole survey: {round(100 * share, 1):g}%"
    assert said in text("results", survey.slug) and said in text("release-codebook", survey.slug, 1)
    release = Release.objects.get(survey=survey)
    assert codebook.of_release(release)["efficiency"] == found
    sheet = load_workbook(io.BytesIO(tables.workbook_bytes(release, ((survey.slug, 1),))))["Release"]
    about = {row[0].value: row[1].value for row in sheet.iter_rows()}
    assert about["Efficiency of the whole survey"].startswith(f"{round(100 * share, 1):g}%. No survey with the same")
    assert {row["survey_efficiency"] for row in tidy.rows(document_of(survey))} == {share}


def test_of_a_survey_with_a_mean_it_is_said_that_no_efficiency_is_known(survey):
    assert document_of(survey)["efficiency"] is None
    said = (
        "Efficiency of the whole survey: not known "
        "A bound is known for questions with options, all of which must have results."
    )
    assert said in text("results", survey.slug)
    assert {row["survey_efficiency"] for row in tidy.rows(document_of(survey))} == {None}


def test_comparisons_are_of_those_who_were_asked(survey):
    page = text("release-comparisons", survey.slug, 1, question="age")
    assert re.search(r"Form \d: 404 of [\d,]+ reports · α = 2", page)
    assert "Reports of people who were asked this question; the survey as a whole needs more." in page


def test_a_picture_says_how_many_were_asked(survey):
    svg = Client().get(reverse("release-picture", args=[survey.slug, 1, "drugs", "svg"])).content.decode()
    assert "404 reports" in svg and "800" not in svg


def test_the_page_is_without_forms_as_it_was():
    survey = ended(
        (60,),
        {"title": "One", "questions": YES_NO["questions"][:1]}
        | {"questions": [YES_NO["questions"][0] | {"alpha": "1"}]},
    )
    page = text("results", survey.slug)
    assert "Who was asked what" not in page


def test_machines_read_that_there_are_forms(survey):
    described = Client().get(reverse("release-dataset", args=[survey.slug, 1])).json()
    assert "one of 3 forms of the questionnaire" in described["description"]
    techniques = {one["name"]: one["measurementTechnique"] for one in described["variableMeasured"]}
    assert techniques["drugs"].endswith("α = 2 for all questions that were randomized together")


def test_sentences_keep_their_numbers_in_every_language():
    survey = ended((500, 60, 250))
    form = Release.objects.get(survey=survey).document["forms"][1]
    for language in ("en", "de", "ar"):
        with override(language):
            said = words.leaving(form, 1)
            assert "60" in said and "202" in said and "86" in said and "91" in said


def test_before_the_first_release_it_says_when_one_comes():
    survey = ended((60, 40, 40), final=False)
    page = text("results", survey.slug)
    assert "The first results appear when 200 to 300 reports of one form have come" in page
    assert "Nothing is published about a form that ends with fewer than 20 reports." in page


def test_where_every_form_had_too_few_reports_it_says_that():
    page = text("results", ended((19, 19, 19)).slug)
    assert "The survey ended with fewer than 20 reports for each of its forms." in page


def test_a_quantile_of_those_who_were_asked_is_not_shown_while_the_survey_goes_on():
    survey = ended((500, 0, 0), final=False)
    page = text("release-question", survey.slug, 1, "age", target="respondents")
    assert "Not shown for only those who were asked:" in page
    assert "respondents" not in page


def test_over_the_releases_a_question_has_the_numbers_of_those_who_were_asked():
    survey = ended((500, 300, 0), final=False)
    store(survey, range(50_000, 50_700), form=1)
    close_survey(survey)
    while batches.take(survey):
        pass
    work(survey)
    page = text("release-question", survey.slug, 2, "doctor")
    assert "1,000 of 1,500 reports" in page
    rows = re.findall(r"([12]), \d+ \w+ \d{4} ([\d,]+)", page.partition("Over the releases")[2])
    assert rows == [("2", "1,000"), ("1", "200")]
