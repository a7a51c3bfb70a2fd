"""Weighting by several margins with the API: asked for by researchers' tokens, told of, then as the page gives it."""

import json
from urllib.parse import urlencode

import pytest
from django.test import Client

from surveys.models import Raking, Role
from tests.api.test_crossings import fits, refusal
from tests.support.estimates import found_again
from tests.support.rakings import raked
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


def test_it_is_asked_for_counted_and_read(survey, program):
    asked = program.post(at(survey))
    assert asked.status_code == 202 and asked.json()["margins"] == MARGINS
    waiting = program.get(at(survey))
    assert waiting.status_code == 202
    fits(waiting, f"{RELEASE}/raking")
    raked(survey, MARGINS)
    ready = program.get(at(survey))
    fits(ready, f"{RELEASE}/raking")
    assert ready.json() == Raking.objects.get().document
    assert program.post(at(survey)).status_code == 200, "it is there already"
    listed = program.get(RELEASE.format(slug=survey.slug, number="latest") + "/rakings")
    fits(listed, f"{RELEASE}/rakings")
    assert [item["margins"] for item in listed.json()["items"]] == [MARGINS]


def test_what_the_page_gives_is_what_the_api_gives(survey, program):
    raked(survey, MARGINS)
    person = Client()
    person.force_login(member(survey, Role.VIEWER, "vera"))
    for form, rest in (("json", "raking"), ("csv", "raking.csv")):
        query = urlencode({"margins": json.dumps(MARGINS)})
        page, answer = (
            person.get(f"/r/{survey.slug}/1/weighted/raking.{form}?{query}"),
            program.get(at(survey, rest=rest)),
        )
        assert page.status_code == answer.status_code == 200 and page.content == answer.content


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
    assert not Raking.objects.exists()


def test_the_parameter_must_be_there(survey, program):
    assert program.get(RELEASE.format(slug=survey.slug, number="latest") + "/raking").status_code == 400
