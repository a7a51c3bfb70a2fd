"""Models of a survey of overlapping forms (M47): the pages, the files, the API and the workbook."""

import csv
import io
import json
import re
from html import unescape
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from openpyxl import load_workbook

from surveys.api.views import site_description
from surveys.models import AnalysisRun, Membership, Release, Role
from surveys.researcher.workbook.tables import workbook_bytes
from tests.support import overlapping
from tests.support.analyses import made
from tests.support.api_schema import validate
from tests.support.tokens import carrying, member, token

pytestmark = pytest.mark.django_db

FORM = {"outcome": "smokes", "kind": "linear", "as.often": "categories", "as.mood": "categories"}
PATH = "/api/v1/surveys/{slug}/releases/{number}/regression"


@pytest.fixture(scope="module")
def survey(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), transaction.atomic():
        yield overlapping.released(8000, results_public=True)
        transaction.set_rollback(True)


@pytest.fixture
def carla(survey):
    user = User.objects.create_user("carla")
    Membership.objects.create(survey=survey, user=user, role=Role.RESEARCHER)
    client = Client()
    client.force_login(user)
    return client


def at(survey, path):
    return f"/r/{survey.slug}/1/{path}"


def text(response):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def asked(carla, survey):
    """Return the URL of the model that was chosen from lists."""
    answer = carla.post(at(survey, "models/ask"), FORM)
    assert answer.status_code == 302
    assert made(AnalysisRun.objects.get()).state == AnalysisRun.State.READY
    return answer["Location"]


def test_the_list_offers_all_questions_and_says_what_a_linear_model_needs(survey, carla):
    listing = carla.get(at(survey, "models/"))
    _, *others = overlapping.QUESTIONS
    assert re.findall(r'name="as.(\w+)" value="categories"', listing.content.decode()) == others, "beside the first"
    assert "A linear model without a product needs every two of its questions to be asked of the same" in text(listing)


def test_the_page_says_that_the_model_is_of_pairs_and_of_how_many_reports(survey, carla):
    page = text(carla.get(asked(carla, survey)))
    fewest = min(each["n"] for each in Release.objects.get(survey=survey).tallies)
    assert f"Reports about two or more of these questions 8,000 at least {fewest:,} about each pair" in page
    assert "least squares from pairs" in page and "Predicted means" in page and "Marginal effects" in page
    assert "Smallest effect with as many reports" in page and "Reports about all of these questions" not in page
    assert "Smokes? as a number Yes 1, No 0" in page, "the mean is the share of yes"


def test_its_pictures_table_and_workbook_are_made(survey, carla):
    location = asked(carla, survey)
    path, query = location.split("?")
    for name in ("effects-light-wide.svg", "coefficients-dark-narrow.svg"):
        assert carla.get(f"{path}{name}?{query}").status_code == 200
    table = carla.get(f"{path}regression.csv?{query}").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert {row["quantity"] for row in rows} == {"coefficient", "intercept", "predicted", "marginal"}
    release = Release.objects.get(survey=survey)
    assert "Models" in load_workbook(io.BytesIO(workbook_bytes(release, {})), read_only=True).sheetnames


def test_what_is_refused_is_said_beside_the_list(survey, carla):
    answer = carla.post(at(survey, "models/ask"), FORM | {"kind": "logistic"})
    assert answer.status_code == 422
    assert "A form with these 3 questions would have 24 combinations of answers." in text(answer)
    answer = carla.post(at(survey, "models/ask"), FORM | {"product": "often", "by": "mood"})
    assert answer.status_code == 422 and "no form asks them together" in text(answer)
    assert not AnalysisRun.objects.exists()


def test_a_program_gets_the_same_model_or_the_reason_why_there_is_none(survey, carla):
    asked(carla, survey)
    run, program = AnalysisRun.objects.get(), carrying(token(member(survey)))
    address = f"/api/v1/surveys/{survey.slug}/releases/1/regression"
    answer = program.get(f"{address}?{urlencode({'model': json.dumps(run.specification)})}")
    content = site_description()["paths"][PATH]["get"]["responses"]["200"]["content"]
    validate(answer.json(), content["application/json"]["schema"])
    assert answer.json() == run.document and answer.json()["n_pair"] > 0
    table = program.get(f"{address}.csv?{urlencode({'model': json.dumps(run.specification)})}")
    rows = list(csv.DictReader(io.StringIO(table.content.decode("utf-8-sig"))))
    assert {row["n_about"] for row in rows} == {"8000"}
    assert {row["quantity"] for row in rows} == {"coefficient", "intercept", "predicted", "marginal"}
    logistic = {"model": "logistic", "outcome": "smokes", "covariates": [{"key": "often"}, {"key": "mood"}]}
    refused = program.get(f"{address}?{urlencode({'model': json.dumps(logistic)})}")
    assert (refused.status_code, refused.json()["type"]) == (422, "/problems/regression_forms")
    assert "24 combinations of answers" in refused.json()["detail"]
