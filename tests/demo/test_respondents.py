"""The people of the demo answer as the data sets say."""

import pytest
from statsmodels.datasets import anes96, fair

from ldp import strength
from ldp.forms.definition import forms, questionnaire
from surveys import definition
from surveys.demo.drafts import draft
from surveys.demo.respondents import answers, truths


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


def test_the_shares_of_the_readers_are_those_of_the_data_set():
    built = definition.build(draft())
    people, data = list(answers(built)), fair.load_pandas().data
    [affair] = [question for question in built["questions"] if question["key"] == "affair"]
    assert truths(affair, people) == {"affair": [(data.affairs > 0).mean(), (data.affairs == 0).mean()]}


def test_the_readers_pages_say_of_every_report_that_its_protection_is_moderate_or_better():
    built = definition.build(draft())
    assert len(forms(built)) > 1 and questionnaire(built).alpha == 2  # the largest of any report
    assert strength.of_survey([questionnaire(built).alpha]) == "moderate"
