"""In the API, an attention question corrects a cross-table's question: the page's files, and refusals."""

import pytest
from django.test import Client

from surveys.models import Role
from tests.api.test_crossings import RELEASE, at, fits, refusal
from tests.researcher.results.test_honesty import DRAFT, ended
from tests.support.analyses import crossed
from tests.support.estimates import found_again
from tests.support.exports import closed
from tests.support.tokens import carrying, member, token

pytestmark = pytest.mark.django_db

PATH = RELEASE + "/crossings/{first}/{second}/corrected"


@pytest.fixture(scope="module")
def hidden(outer_transaction):
    survey = ended()
    survey.results_public = False
    survey.save()
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
    page = f"/r/{survey.slug}/1/cross/check/smokes/corrected"
    for form, ending in (("json", ""), ("csv", ".csv")):
        answer = program.get(at(survey, f"/check/smokes/corrected{ending}"))
        assert answer.status_code == 200 and answer.content == person.get(f"{page}.{form}").content
        assert "no-cache" in answer["Cache-Control"] and answer["ETag"]
    marked = program.get(at(survey, "/check/smokes/corrected.csv?bom=1"))
    assert marked.content == b"\xef\xbb\xbf" + answer.content
    told = fits(program.get(at(survey, "/check/smokes/corrected?by=check", 1)), PATH)
    assert told["anchor"] == "check" and told["right"] == "Often" and len(told["shares"]) == 2


def test_a_share_is_compared_with_a_known_one_as_on_the_page(survey, program):
    person = Client()
    person.force_login(member(survey, Role.VIEWER, "vera"))
    for form, ending in (("json", ""), ("csv", ".csv")):
        address = f"/api/v1/surveys/{survey.slug}/releases/latest/known{ending}?question=smokes&option=1&share=40"
        answer = program.get(address)
        page = person.get(f"/r/{survey.slug}/1/honesty/known.{form}?answer=smokes:1&share=40")
        assert answer.status_code == 200 and answer.content == page.content
    told = fits(program.get(address.replace(".csv", "").replace("latest", "1")), RELEASE + "/known")
    assert told["option"] == "Yes" and told["known"] == 0.4
    assert told["difference"] == pytest.approx(told["estimate"] - 0.4)
    assert [each["confidence"] for each in told["levels"]] == [0.9, 0.95, 0.99]
    for level in told["levels"]:
        assert level["difference"] == pytest.approx([end - 0.4 for end in level["interval"]])


@pytest.mark.parametrize(
    ("query", "status", "name", "rule"),
    [
        ("question=smokes&option=1&share=x", 422, "known_share", "share: Type a number from 0 to 100"),
        ("question=smokes&option=3&share=4", 404, "not_found", "no such answer"),
        ("question=quit&option=1&share=4", 404, "not_found", "that everyone was asked"),
        ("question=smokes&option=1", 400, "parse_error", "“share” is missing"),
        ("", 400, "parse_error", "“question” is missing"),
    ],
)
def test_what_is_no_known_share_is_refused_with_the_rule(survey, program, query, status, name, rule):
    for ending in ("", ".csv"):
        told = refusal(program.get(f"/api/v1/surveys/{survey.slug}/releases/1/known{ending}?{query}"))
        assert told[:2] == (status, name) and rule in told[2]


def test_what_no_anchor_corrects_is_not_found(survey, program):
    assert refusal(program.get(at(survey, "/smokes/hours/corrected")))[:2] == (404, "not_found")
    assert refusal(program.get(at(survey, "/check/quit/corrected")))[:2] == (404, "not_found")
    assert Client().get(at(survey, "/check/smokes/corrected")).status_code == 404


def test_where_too_few_tell_of_attention_it_says_how_many_would_do():
    survey = closed(DRAFT, 30)
    crossed(survey, "check", "smokes")
    program = carrying(token(member(survey)))
    told = refusal(program.get(at(survey, "/check/smokes/corrected")))
    assert told[:2] == (422, "corrected_too_few") and "would be enough" in told[2]


def test_without_a_cross_table_there_is_nothing_to_correct():
    survey = closed(DRAFT, 30)
    told = refusal(carrying(token(member(survey))).get(at(survey, "/check/smokes/corrected")))
    assert told[:2] == (404, "not_found") and "not ready" in told[2]
