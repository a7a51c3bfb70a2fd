"""The page of a cross-table says what its numbers hold for: at which confidence, and for how many looks."""

import pytest
from django.test import Client
from django.test.html import parse_html

from surveys.crossings import asked
from surveys.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Release
from tests.results.test_results import text
from tests.support.estimated import collect, work
from tests.support.factories import DRAFT
from worker import crossing

pytestmark = pytest.mark.django_db

OPEN = "The survey is still open"
AT_A_PRECISION = "This survey could end as soon as its intervals were narrow enough."


def opened(**fields):
    survey = create_draft(DRAFT, results_public=True, **fields)
    open_survey(survey)
    collect(survey, 300)
    return survey


def page(survey, **query):
    release = Release.objects.latest_of(survey)
    row = asked.ask(None, release, "yes", "which")
    crossing.make(row.pk)
    return text(parse_html(Client().get(f"/r/{survey.slug}/{release.number}/cross/yes/which/", query).content.decode()))


def test_while_a_survey_goes_on_it_is_said_to_be_for_one_look_and_then_no_more():
    survey = opened()
    assert OPEN in page(survey)
    close_survey(survey)
    work(survey)
    final = page(survey)
    assert OPEN not in final and AT_A_PRECISION not in final


def test_a_survey_that_may_end_because_of_what_it_found_says_so_to_the_last():
    survey = opened(closes_at_half_width=0.01)
    close_survey(survey)
    work(survey)
    assert AT_A_PRECISION in page(survey)


@pytest.mark.parametrize(("confidence", "error"), [("90", "10%"), ("95", "5%"), ("99", "1%")])
def test_the_page_says_what_tests_and_intervals_spend(confidence, error):
    said = page(opened(), confidence=confidence)
    assert f"{confidence}% In at most {error} of surveys the tests together find dependence that is not there" in said
