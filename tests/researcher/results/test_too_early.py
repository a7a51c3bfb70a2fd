"""If nothing can be concluded, every page says so. No number is a headline, and no interval cut at an end of the scale
looks narrow (M37)."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.test.html import parse_html

from surveys.designer.privacy import trial
from surveys.designer.studio import status
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Membership, Release, Role, Survey
from surveys.researcher.results import findings, precision
from surveys.researcher.results.selection import USUAL, applied
from tests.researcher.results.test_results import get, text
from tests.support.estimates import collect, released, with_totals, work
from tests.support.factories import opened_survey

pytestmark = pytest.mark.django_db

N = 1000
WEAK = {
    "title": "Little is told",
    "questions": [{"key": "yes", "kind": "yes_no", "text": "Yes or no?", "alpha": "0.01"}],
}
BEYOND = {"support": [453, 547]}
"""At alpha .01 an estimate of about -890%, and one of 990%."""

SAID = "Too few people answered to say anything precise. "


@pytest.fixture
def far_beyond():
    """Return an ended survey whose estimates lie beyond all possible shares."""
    survey = released(60, WEAK, results_public=True)
    return survey, with_totals(survey, N, yes=BEYOND)


def cut_to_points(document):
    """Return the document with both intervals cut to a point, at the ends of the possible range."""
    for result in document["questions"]:
        for category, end in zip(result["methods"][0]["categories"], (0.0, 1.0), strict=True):
            for target in ("population", "respondents"):
                category[target] |= {"interval": [end, end], "simultaneous": [end, end]}
    return document


def test_an_interval_that_was_cut_to_a_point_is_no_narrow_one(far_beyond):
    survey, document = far_beyond
    [result] = applied(cut_to_points(document), USUAL)["questions"]
    assert [category["estimate"] < -8 for category in result["methods"][0]["categories"]] == [True, False]
    [sentence] = findings.findings(result)
    assert sentence.startswith(SAID) and "said yes" not in sentence
    assert min(precision.by_question(survey.questions, document).values()) > 5, "in shares: more than all there is"


def test_no_number_is_a_headline_where_nothing_can_be_said(far_beyond):
    survey, _document = far_beyond
    page = get(survey)
    assert page.index("The numbers all the same") < page.index("−89")
    assert "−89" not in re.sub(r'(?s)<details class="so-far".*?</details>', "", page)
    question = Client().get(f"/r/{survey.slug}/questions/yes/").content.decode()
    assert question.index('class="so-far"><summary>The numbers all the same') < question.index("−89")
    for body in (page, question):
        assert SAID in text(parse_html(body)) and "too early" not in body


def test_a_share_at_the_edge_is_no_narrower_than_it_was_planned_to_be():
    """No one said yes: the interval ends at 0, and the cut-off part does not count as precision."""
    survey = released(1500, WEAK | {"questions": [WEAK["questions"][0] | {"alpha": "1"}]}, results_public=True)
    document = with_totals(survey, 1500, yes={"support": [380, 1120]})
    [result] = applied(document, USUAL)["questions"]
    assert re.match(r"Likely between 0% and \d% said yes\.", findings.findings(result)[0]), "not to a tenth of a point"


def test_while_a_survey_goes_on_it_is_too_early_and_once_it_ended_too_few_answered():
    survey = create_draft(WEAK, results_public=True)
    open_survey(survey)
    collect(survey, 300)
    assert "It is too early to say anything precise." in get(survey)
    close_survey(survey)
    work(survey)
    page = get(survey)
    assert "Too few people answered to say anything precise." in page and "too early" not in page


def test_a_trial_with_too_few_people_says_so_and_not_that_it_is_early():
    question = opened_survey().questions[0] | {"alpha": "1"}
    [result] = trial.QuestionTrial(question, (0.5, 0.5), 8, 1).document()["questions"]
    assert findings.findings(result)[-1].startswith("Too few people answered")


# In the studio --------------------------------------------------------------------------------------------------------


@pytest.fixture
def ada(far_beyond):
    survey, _ = far_beyond
    user, client = User.objects.create_user("ada"), Client()
    Membership.objects.create(survey=survey, user=user, role=Role.OWNER)
    client.force_login(user)
    return survey, client


def test_the_overview_of_an_ended_survey_promises_no_results_where_there_are_none(ada):
    survey, client = ada
    said = text(parse_html(client.get(f"/surveys/{survey.pk}/").content.decode()))
    assert "This survey has ended. Too few people answered to say anything precise" in said
    assert "all its results are available" not in said


def test_progress_measures_widths_that_are_cut_nowhere(ada, far_beyond):
    survey, client = ada
    rows, _needed = status.reached(Survey.objects.get(pk=survey.pk), Release.objects.latest_of(survey))
    assert [row.now for row in rows] == ["±50 or more"]
    assert "±50 or more" in client.get(f"/surveys/{survey.pk}/progress/").content.decode()
