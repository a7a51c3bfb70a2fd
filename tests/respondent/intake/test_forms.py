"""A report names its form: a form of the survey is stored, any other one is refused by name."""

import json

import pytest

from surveys.models import Report
from surveys.survey.definition.layout import Layout, body_limit, layouts
from tests.respondent.intake.test_intake import refused, send
from tests.support import forms
from tests.support.factories import opened_survey, report

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def survey():
    return opened_survey(forms.DRAFT)


@pytest.mark.parametrize("form", range(3))
def test_a_report_is_stored_with_its_form(survey, form):
    body = json.loads(report(survey, 1, form))
    assert body["form"] == form and send(survey, json.dumps(body)).status_code == 201
    stored = Report.objects.get()
    assert stored.form == form and bytes(stored.packed) == Layout(survey.definition, form).pack(body["answers"])
    assert send(survey, json.dumps(body)).status_code == 200 and Report.objects.count() == 1


@pytest.mark.parametrize("form", [-1, 3, True, "0", [0], 10**30])
def test_a_form_that_the_survey_has_not_is_refused_by_name(survey, form):
    body = json.loads(report(survey, 1, 0)) | {"form": form}
    assert "from 0 to 2" in refused(send(survey, json.dumps(body)), 422, "malformed-report", "form")["detail"]
    del body["form"]
    refused(send(survey, json.dumps(body)), 422, "malformed-report", "form")
    assert not Report.objects.exists()


def test_the_answers_are_exactly_those_of_the_form(survey):
    body = json.loads(report(survey, 1, 0))
    refused(send(survey, json.dumps(body | {"form": 1})), 422, "malformed-report", "answers")
    for key in ("drugs", "region"):
        less = {name: value for name, value in body["answers"].items() if name != key}
        refused(send(survey, json.dumps(body | {"answers": less})), 422, "malformed-report", "answers")
    for wrong in ([2], [-1], [True], ["0"], [], [0, 1], 0, None):
        answers = body["answers"] | {"drugs": wrong}
        refused(send(survey, json.dumps(body | {"answers": answers})), 422, "malformed-report", "answers.drugs,age")
    assert not Report.objects.exists()


def test_a_survey_without_forms_takes_none():
    plain = opened_survey()
    body = json.loads(report(plain, 1)) | {"form": 0}
    for given in (0, None, "0"):
        refusal = refused(send(plain, json.dumps(body | {"form": given})), 422, "malformed-report", "form")
        assert "left out" in refusal["detail"]


def test_every_report_fits_into_the_limit(survey):
    limit = max(map(body_limit, layouts(survey.definition)))
    assert all(len(report(survey, seed)) < limit for seed in range(50))
