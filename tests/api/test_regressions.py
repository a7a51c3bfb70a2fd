"""Models in the API: requested with researchers' tokens, in progress until they are ready, then unchanged for ever."""

import json
from urllib.parse import urlencode

import pytest

from surveys.api.views import site_description
from surveys.models import AnalysisRun
from tests.support.api_schema import validate
from tests.support.estimates import found_again
from tests.support.regressions import LOGISTIC, ended
from tests.support.tokens import carrying, member, token

pytestmark = pytest.mark.django_db

RELEASE = "/api/v1/surveys/{slug}/releases/{number}"


@pytest.fixture(scope="module")
def hidden(outer_transaction):
    survey = ended(150)
    survey.results_public = False
    survey.save()
    return survey


@pytest.fixture
def survey(hidden, db):
    return found_again(hidden)


@pytest.fixture
def program(survey):
    return carrying(token(member(survey)))


def at(survey, rest):
    return f"/api/v1/surveys/{survey.slug}/releases/latest/{rest}"


def fits(answer, path, method="get"):
    told = site_description()["paths"][RELEASE + path][method]["responses"][str(answer.status_code)]["content"]
    (content,) = [told[kind] for kind in told if answer["Content-Type"].startswith(kind)]
    validate(answer.json(), content["schema"])
    return answer.json()


def asked(client, survey, model, method="get", form=""):
    query = urlencode({"model": json.dumps(model)})
    return getattr(client, method)(f"{at(survey, 'regression')}{form}?{query}")


@pytest.mark.parametrize(
    ("model", "status", "name"),
    [
        ("{", 422, "regression_model"),
        ({"model": "logistic"}, 422, "regression_model"),
        (LOGISTIC | {"outcome": "nothing"}, 404, "regression_unknown"),
        (LOGISTIC | {"outcome": "where"}, 422, "regression_two_options"),
        (LOGISTIC | {"covariates": []}, 422, "regression_covariates"),
        (LOGISTIC | {"outcome": "height"}, 422, "regression_mean"),
    ],
)
def test_a_model_that_is_none_is_refused_by_its_rule(survey, program, model, status, name):
    typed = model if isinstance(model, str) else json.dumps(model)
    for answer in (
        program.get(at(survey, "regression"), {"model": typed}),
        program.post(f"{at(survey, 'regression')}?{urlencode({'model': typed})}"),
    ):
        assert (answer.status_code, answer.json()["type"]) == (status, f"/problems/{name}")
    assert not AnalysisRun.objects.exists()
