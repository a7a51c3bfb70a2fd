"""Weighting by several margins with the API: requested with researchers' tokens, in progress, then as on the page."""

import json
from urllib.parse import urlencode

import pytest

from surveys.models import AnalysisRun
from tests.api.test_crossings import refusal
from tests.support.estimates import found_again
from tests.support.regressions import ended
from tests.support.tokens import carrying, member, token
from tests.worker.test_raking import MARGINS, SEPARATE

pytestmark = pytest.mark.django_db

RELEASE = "/api/v1/surveys/{slug}/releases/{number}"


@pytest.fixture(scope="module")
def hidden(outer_transaction):
    survey = ended(600, SEPARATE)
    survey.results_public = False
    survey.save()
    return survey


@pytest.fixture
def survey(hidden, db):
    return found_again(hidden)


@pytest.fixture
def program(survey):
    return carrying(token(member(survey)))


def at(survey, margins=MARGINS, rest="raking"):
    path = RELEASE.format(slug=survey.slug, number="latest")
    return f"{path}/{rest}?{urlencode({'margins': json.dumps(margins)})}"


@pytest.mark.parametrize(
    ("margins", "code"),
    [
        (MARGINS | {"margins": [*MARGINS["margins"], {"key": "height", "shares": [0.5, 0.5]}]}, "raking_mean"),
        (MARGINS | {"margins": MARGINS["margins"][:1]}, "raking_margins"),
        (MARGINS | {"more": 1}, "raking_margins"),
        ({"question": "smokes", "margins": [{"key": "where", "shares": ["a"]}]}, "raking_margins"),
    ],
)
def test_what_cannot_be_weighted_is_refused(survey, program, margins, code):
    for answer in (program.post(at(survey, margins)), program.get(at(survey, margins))):
        status, name, _sentence = refusal(answer)
        assert (status, name) == (422, code)
    assert not AnalysisRun.objects.exists()


def test_the_parameter_must_be_there(survey, program):
    assert program.get(RELEASE.format(slug=survey.slug, number="latest") + "/raking").status_code == 400
