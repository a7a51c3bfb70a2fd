"""In the API, known shares weight a cross-table's question: the page's files, and refusals that name the rule."""

import pytest
from django.test import Client

from surveys.models import Role
from tests.api.test_crossings import RELEASE, at, fits, refusal
from tests.support.analyses import DRAFT, crossed
from tests.support.estimates import found_again
from tests.support.exports import closed
from tests.support.tokens import carrying, member, token

pytestmark = pytest.mark.django_db

PATH = RELEASE + "/crossings/{first}/{second}/weighted"


@pytest.fixture(scope="module")
def hidden(outer_transaction):
    survey = closed(DRAFT, 400)
    survey.results_public = False
    survey.save()
    crossed(survey, "smokes", "often")
    return survey


@pytest.fixture
def survey(hidden, db):
    return found_again(hidden)


@pytest.fixture
def program(survey):
    return carrying(token(member(survey)))


def test_what_the_page_gives_is_what_the_api_gives(survey, program):
    person = Client()
    person.force_login(member(survey, Role.VIEWER, "vera"))
    page = f"/r/{survey.slug}/1/cross/smokes/often/weighted"
    query = "by=often&share_1=40&share_2=30&share_3=20&share_4=10"
    for form, ending in (("json", ""), ("csv", ".csv")):
        answer = program.get(at(survey, f"/smokes/often/weighted{ending}?by=often&shares=40,30,20,10"))
        assert answer.status_code == 200 and answer.content == person.get(f"{page}.{form}?{query}").content
        assert "no-cache" in answer["Cache-Control"] and answer["ETag"]
    marked = program.get(at(survey, "/smokes/often/weighted.csv?by=often&shares=40,30,20,10&bom=1"))
    assert marked.content == b"\xef\xbb\xbf" + answer.content
    told = fits(program.get(at(survey, "/smokes/often/weighted?by=smokes&shares=25,75", 1)), PATH)
    assert told["question"] == "often" and [stratum["share"] for stratum in told["strata"]] == [0.25, 0.75]


@pytest.mark.parametrize(
    ("query", "status", "name", "rule"),
    [
        ("by=smokes&shares=25,70", 422, "weighting_shares", "they must add up to 100%"),
        ("by=smokes&shares=100", 422, "weighting_shares", "There must be 2 shares"),
        ("by=smokes&shares=25,lots", 422, "weighting_shares", "share_2: Type a number from 0 to 100"),
        ("by=smokes", 400, "parse_error", "missing"),
        ("by=many.1&shares=25,75", 404, "not_found", "one of the two"),
        ("shares=25,75", 400, "parse_error", "missing"),
    ],
)
def test_what_are_no_shares_is_refused_with_the_rule(survey, program, query, status, name, rule):
    for ending in ("", ".csv"):
        told = refusal(program.get(at(survey, f"/smokes/often/weighted{ending}?{query}")))
        assert told[:2] == (status, name) and rule in told[2]


def test_answers_with_too_few_reports_say_how_many_would_do():
    survey = closed(DRAFT, 30)
    crossed(survey, "smokes", "many.1")
    program = carrying(token(member(survey)))
    told = refusal(program.get(at(survey, "/smokes/many.1/weighted?by=many.1&shares=25,75")))
    assert told[:2] == (422, "weighting_too_few") and "would be enough" in told[2]


def test_without_a_cross_table_there_is_nothing_to_weight(survey, program):
    told = refusal(program.get(at(survey, "/smokes/many.1/weighted?by=smokes&shares=25,75")))
    assert told[:2] == (404, "not_found") and "not ready" in told[2]
    assert Client().get(at(survey, "/smokes/often/weighted?by=smokes&shares=25,75")).status_code == 404
