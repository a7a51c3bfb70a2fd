"""The demo's respondents answer as the data sets say."""

import re

import pytest
from statsmodels.datasets import anes96, fair

from ldp import strength
from ldp.forms.definition import forms, questionnaire
from surveys.life.lifecycle import close_survey
from surveys.management.commands.demo import MISSED_MAX
from surveys.public.demo import truth
from surveys.public.demo.drafts import draft
from surveys.public.demo.respondents import answers, truths
from surveys.survey import definition
from tests.support.estimates import document_of, work
from tests.support.factories import opened_survey
from tests.worker.test_batches import store


@pytest.fixture(scope="module")
def voters():
    built = definition.build(draft("anes96"))
    return built["questions"], list(answers(built, "anes96"))


def test_the_shares_of_the_voters_are_those_of_the_data_set(voters):
    questions, people = voters
    true = {key: values for question in questions for key, values in truths(question, people).items()}
    data = anes96.load_pandas().data
    assert len(people) == 944
    assert true["vote"] == [(data.vote == 0).mean(), (data.vote == 1).mean()]
    assert true["party"][6] == (data.PID == 6).mean()
    assert true["placed.2"][0] == (data.ClinLR == 1).mean() and true["placed.3"][5] == (data.DoleLR == 6).mean()
    assert true["news"][7] == (data.TVnews == 7).mean() and true["education"][0] == (data.educ == 1).mean()
    assert true["age"][0] == (data.age < 30).mean() and true["age"][5] == (data.age >= 70).mean()
    assert true["income"] == [pytest.approx(data.income.mean(), rel=1e-12)]


@pytest.mark.django_db
def test_the_voters_table_has_every_true_value_beside_its_interval():
    """The reports are drawn from fixed seeds, stored, counted and estimated like those of the running demo."""
    survey = opened_survey(draft("anes96"))
    people = list(answers(survey.definition, "anes96"))
    for seed, own in enumerate(people):
        store(survey, [seed], **own)
    close_survey(survey)
    work(survey)
    rows = truth.compare(document_of(survey), survey.questions, people)
    assert len(rows) == 52 and sum(row.contained for row in rows) >= 52 * (1 - MISSED_MAX)
    for key in ("vote", "party", "placed.3", "news", "education", "age", "income"):
        assert re.search(rf"^{re.escape(key)} ", truth.as_text(rows), re.MULTILINE), key


def test_the_shares_of_the_readers_are_those_of_the_data_set():
    built = definition.build(draft())
    people, data = list(answers(built)), fair.load_pandas().data
    [affair] = [question for question in built["questions"] if question["key"] == "affair"]
    assert truths(affair, people) == {"affair": [(data.affairs > 0).mean(), (data.affairs == 0).mean()]}


def test_the_readers_pages_say_of_every_report_that_its_protection_is_moderate_or_better():
    built = definition.build(draft())
    assert len(forms(built)) > 1 and questionnaire(built).alpha == 2  # the largest total of any report
    assert strength.of_survey([questionnaire(built).alpha]) == "moderate"
