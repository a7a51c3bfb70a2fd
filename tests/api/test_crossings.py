"""Cross-tables in the API: requested with researchers' tokens, in progress until they are ready, then unchanged for
ever."""

import csv
import io
import json

import pytest
from django.test import Client

from surveys.api.views import site_description
from surveys.models import AnalysisRun, Release, Role, Scope
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from tests.support import forms
from tests.support.analyses import DRAFT, crossed, entered
from tests.support.api_schema import validate
from tests.support.estimates import collect, found_again
from tests.support.exports import closed
from tests.support.factories import opened_survey
from tests.support.tokens import carrying, member, token

pytestmark = pytest.mark.django_db

RELEASE = "/api/v1/surveys/{slug}/releases/{number}"
BELOW = ["/crossings", "/crossings/smokes/often", "/crossings/smokes/often.csv"]


@pytest.fixture(scope="module")
def hidden(outer_transaction):
    survey = closed(DRAFT, 150)
    survey.results_public = False
    survey.save()
    return survey


@pytest.fixture
def survey(hidden, db):
    return found_again(hidden)


@pytest.fixture
def program(survey):
    return carrying(token(member(survey)))


def at(survey, rest="", number="latest"):
    return f"/api/v1/surveys/{survey.slug}/releases/{number}/crossings{rest}"


def asked_for(survey, state, **fields):
    release = Release.objects.filter(survey=survey).latest("number")
    return entered(CROSSINGS, release, {"first": "smokes", "second": "often"}, state=state, **fields)


def fits(answer, path, method="get"):
    told = site_description()["paths"][path][method]["responses"][str(answer.status_code)]["content"]
    (content,) = [told[kind] for kind in told if answer["Content-Type"].startswith(kind)]
    validate(answer.json(), content["schema"])
    return answer.json()


def refusal(answer):
    assert answer["Content-Type"] == "application/problem+json"
    told = answer.json()
    assert told["status"] == answer.status_code
    return told["status"], told["type"].removeprefix("/problems/"), told["detail"]


# States ---------------------------------------------------------------------------------------------------------------


def test_one_is_asked_for_counted_and_taken(survey, program):
    assert program.get(at(survey)).json()["items"] == []
    assert refusal(program.get(at(survey, "/smokes/often")))[:2] == (404, "not_found")
    answer = program.post(at(survey, "/smokes/often"))
    assert answer.status_code == 202 and "no-store" in answer["Cache-Control"]
    told = fits(answer, RELEASE + "/crossings/{first}/{second}", "post")
    assert (told["state"], told["first"], told["second"], told["reports"]) == ("asked", "smokes", "often", 150)
    for form in ("", ".csv"):
        waits = program.get(at(survey, "/smokes/often" + form))
        assert waits.status_code == 202 and "no-cache" in waits["Cache-Control"]
        assert fits(waits, RELEASE + "/crossings/{first}/{second}" + form) == told
    AnalysisRun.objects.all().delete()
    row = crossed(survey, "smokes", "often")
    answer = program.get(told["url"].removeprefix("http://127.0.0.1:8000"))
    assert answer.status_code == 200
    document = fits(answer, RELEASE + "/crossings/{first}/{second}")
    assert document.pop("reasons") == {"cells": None, "independence": None} and document == row.document
    (listed,) = fits(program.get(at(survey)), RELEASE + "/crossings")["items"]
    assert listed["state"] == "ready" and listed["url"] == told["url"]
    assert program.post(at(survey, "/smokes/often")).status_code == 200


def test_what_the_page_gives_is_what_the_api_gives(survey, program):
    crossed(survey, "smokes", "many.2")
    person = Client()
    person.force_login(member(survey, Role.VIEWER, "vera"))
    for form in ("json", "csv"):
        page = person.get(f"/r/{survey.slug}/1/cross/smokes/many.2/crossing.{form}")
        answer = program.get(at(survey, "/smokes/many.2" + (".csv" if form == "csv" else "")))
        assert page.status_code == answer.status_code == 200 and page.content == answer.content
        assert page["Content-Type"] == answer["Content-Type"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert {(row["first"], row["second"]) for row in rows} == {("smokes", "many.2")}
    marked = program.get(at(survey, "/smokes/many.2.csv?bom=1"))
    assert marked.content == b"\xef\xbb\xbf" + answer.content and marked["ETag"] != answer["ETag"]
    assert program.get(at(survey, "/smokes/many.2.csv?bom=2")).status_code == 400


def test_the_order_is_the_definitions(survey, program):
    asked = program.post(at(survey, "/often/smokes"))
    assert asked.status_code == 202 and asked.json()["url"].endswith("/releases/1/crossings/smokes/often")
    moved = program.get(at(survey, "/often/smokes.csv?bom=1"))
    assert moved.status_code == 308 and moved["Location"] == at(survey, "/smokes/often.csv?bom=1")
    assert AnalysisRun.objects.count() == 1


def test_the_list_comes_in_parts(survey, program):
    for second in ("often", "many.1", "many.2"):
        program.post(at(survey, f"/smokes/{second}"))
    part = program.get(at(survey, "?size=2")).json()
    assert part["count"] == 3 and [item["second"] for item in part["items"]] == ["often", "many.1"]
    rest = program.get(part["next"].removeprefix("http://127.0.0.1:8000")).json()
    assert [item["second"] for item in rest["items"]] == ["many.2"] and rest["next"] is None


@pytest.mark.parametrize("form", ["", ".csv"])
def test_what_one_has_is_not_sent_again_and_only_the_published_is_kept_by_others(survey, program, form):
    crossed(survey, "smokes", "often")
    named, newest = (program.get(at(survey, "/smokes/often" + form, number)) for number in (1, "latest"))
    assert named["Cache-Control"] == "private, max-age=86400" and "no-cache" in newest["Cache-Control"]
    assert {"Authorization", "Cookie"} <= set(named["Vary"].split(", ")) and newest.content == named.content
    again = program.get(at(survey, "/smokes/often" + form, 1), headers={"if-none-match": named["ETag"]})
    assert again.status_code == 304 and not again.content and again["ETag"] == named["ETag"]
    survey.results_public = True
    survey.save()
    public = Client().get(at(survey, "/smokes/often" + form, 1))
    assert public.content == named.content and public["Cache-Control"] == "public, max-age=86400"


# Rights ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("public", [False, True])
def test_only_researchers_ask_and_with_a_token_only(survey, public):
    survey.results_public = public
    survey.save()
    address, ada = at(survey, "/smokes/often"), member(survey)
    session = Client()
    session.force_login(ada)
    assert session.post(address).status_code == 401 and Client().post(address).status_code == 401
    viewer = carrying(token(member(survey, Role.VIEWER, "vera")))
    elsewhere = carrying(token(ada, survey=opened_survey()))
    for program in (viewer, elsewhere):
        assert refusal(program.post(address))[:2] == (404, "not_found")
    narrow = carrying(token(ada, Scope.MICRODATA)).post(address)
    assert refusal(narrow)[:2] == ((403, "insufficient_scope") if public else (404, "not_found"))
    assert not AnalysisRun.objects.exists()
    assert carrying(token(ada)).post(address).status_code == 202


def test_anyone_who_sees_the_results_reads_them(survey):
    crossed(survey, "smokes", "often")
    viewer = carrying(token(member(survey, Role.VIEWER, "vera")))
    for rest in BELOW:
        address = RELEASE.format(slug=survey.slug, number=1) + rest
        assert viewer.get(address).status_code == 200 and Client().get(address).status_code == 404


# Refusals -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pair", "status", "reason"),
    [
        ("smokes/nothing", 404, "unknown"),
        ("many.9/smokes", 404, "unknown"),
        ("smokes/age", 422, "mean"),
        ("smokes/many", 422, "parts"),
        ("smokes/smokes", 422, "same"),
        ("many.1/many.2", 422, "one drawn"),
    ],
)
def test_what_cannot_be_crossed_is_refused_with_the_sentence_of_the_page(survey, program, pair, status, reason):
    sentence, name = str(CROSSINGS.refusals[reason]), f"crossing_{reason.replace(' ', '_')}"
    assert refusal(program.post(at(survey, f"/{pair}"))) == (status, name, sentence)
    assert refusal(program.get(at(survey, f"/{pair}"))) == (404, "not_found", sentence)
    assert not AnalysisRun.objects.exists()


def test_an_older_release_is_read_but_not_counted():
    survey = opened_survey(results_public=False)
    collect(survey, 300, 300)
    program = carrying(token(member(survey)))
    first, second = survey.questions[0]["key"], survey.questions[1]["key"]
    assert refusal(program.post(at(survey, f"/{first}/{second}", 1)))[:2] == (409, "crossing_old")
    assert program.post(at(survey, f"/{first}/{second}")).status_code == 202
    assert program.get(at(survey, number=1)).json()["items"] == []


@pytest.mark.parametrize("pair", ["Smokes/often", "smokes/often.0", "smokes/often.json", "smokes", "smokes/.csv"])
def test_what_is_no_key_is_no_address(survey, program, pair):
    assert refusal(program.get(at(survey, f"/{pair}")))[:2] == (404, "not_found")
    assert json.loads(program.post(at(survey, f"/{pair}")).content)["status"] in (404, 405)


def test_in_a_survey_in_forms_a_program_crosses_what_the_same_people_were_asked():
    survey = closed(forms.DRAFT, 300)
    program, asked = carrying(token(member(survey))), Release.objects.get(survey=survey).tallies[0]["n"]
    apart = refusal(program.post(at(survey, "/drugs/doctor")))
    assert apart[:2] == (422, "crossing_forms") and "no one was asked all of them" in apart[2]
    assert program.post(at(survey, "/drugs/age")).json()["reports"] == asked
    AnalysisRun.objects.all().delete()
    crossed(survey, "drugs", "age")
    made = fits(program.get(at(survey, "/drugs/age")), RELEASE + "/crossings/{first}/{second}")
    assert made["joint"] and made["forms"] == [0] and made["n_about"] == asked
