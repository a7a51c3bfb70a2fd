"""Every analysis that is computed at once has the same files and the same refusals on its page and in the API."""

import csv
import io
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from surveys.models import Role
from surveys.researcher.analyses.registry import ANALYSES
from surveys.researcher.sheets.column import names
from tests.api.test_crossings import fits, refusal
from tests.researcher.results.test_honesty import ended
from tests.support.estimates import found_again
from tests.support.tokens import carrying, member, token

DERIVED = [analysis for analysis in ANALYSES.values() if not analysis.counted]
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.parametrize("analysis", DERIVED, ids=[analysis.name for analysis in DERIVED]),
]

API = "/api/v1/surveys/{slug}/releases/{number}/"
KEYS = ("check", "smokes")
# The query of the page, and the query of the API.
QUERIES = {
    "weighted": (
        {"by": "check", "share_1": "30", "share_2": "70"},
        {"by": "check", "shares": "30,70"},
    ),
    "corrected": ({}, {}),
    "known": ({"answer": "smokes:1", "share": "40"}, {"question": "smokes", "option": "1", "share": "40"}),
    "waves": ({}, {}),
    "comparisons": ({"question": "smokes", "value": "40"}, {"question": "smokes", "value": "40"}),
    "value-comparison": ({"option": "2", "value": "40"}, {"question": "smokes", "option": "2", "value": "40"}),
    "versions": ({}, {}),
}
WRONG = {
    "comparisons": ({"question": "smokes", "value": "x"}, {"value": "x", "question": "smokes"}),
    "value-comparison": ({"value": "x"}, {"question": "smokes", "value": "x"}),
    "weighted": ({"by": "check", "share_1": "30", "share_2": "80"}, {"by": "check", "shares": "30,80"}),
    "known": ({"answer": "smokes:1", "share": "x"}, {"question": "smokes", "option": "1", "share": "x"}),
}


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
def viewer(survey):
    client = Client()
    client.force_login(member(survey, Role.VIEWER, "vera"))
    return client


@pytest.fixture
def program(survey):
    return carrying(token(member(survey)))


def names_of(analysis, survey, **more):
    """Return the URL arguments of the analysis's page."""
    fields = (
        {"key": "smokes"} if analysis.name == "value-comparison" else dict(zip(analysis.fields, KEYS, strict=False))
    )
    return {"slug": survey.slug, "number": 1} | fields | more


def file(analysis, survey, form, query):
    address = reverse(f"release-{analysis.name}-file", kwargs=names_of(analysis, survey, format=form))
    return f"{address}?{urlencode(query)}"


def told(analysis, survey, query, form=""):
    return (
        f"{API}{analysis.api_path}{form}".format(slug=survey.slug, number=1).replace(
            "<variable:first>/<variable:second>", "/".join(KEYS)
        )
        + f"?{urlencode(query)}"
    )


def described(analysis, form=""):
    path = analysis.api_path.replace("<variable:first>/<variable:second>", "{first}/{second}")
    return f"{API}{path}{form}"


def test_what_the_page_gives_is_what_the_api_gives(analysis, survey, viewer, program):
    typed, named = QUERIES[analysis.name]
    for form, ending in (("json", ""), ("csv", ".csv")):
        page, answer = (
            viewer.get(file(analysis, survey, form, typed)),
            program.get(told(analysis, survey, named, ending)),
        )
        assert page.status_code == answer.status_code == 200 and page.content == answer.content
        assert page["Content-Type"] == answer["Content-Type"]
        assert page["Content-Disposition"].partition("; ")[2] == answer["Content-Disposition"].partition("; ")[2]
    fits(program.get(told(analysis, survey, named)), described(analysis))
    assert next(csv.reader(io.StringIO(answer.content.decode()))) == [*names(analysis.columns)]
    workbook = viewer.get(file(analysis, survey, "xlsx", typed))
    assert workbook.status_code == (200 if analysis.has_workbook else 404)


def test_only_those_who_may_see_the_results_have_it(analysis, survey):
    typed, named = QUERIES[analysis.name]
    assert Client().get(file(analysis, survey, "csv", typed)).status_code == 404
    assert Client().get(told(analysis, survey, named)).status_code == 404
    page = reverse(analysis.page_name or f"release-{analysis.name}", kwargs=names_of(analysis, survey))
    assert Client().get(page).status_code == 404


def test_what_has_no_answer_is_refused_alike(analysis, survey, viewer, program):
    if analysis.name not in WRONG:
        assert not analysis.description.parameters or analysis.name == "corrected"
        return
    typed, named = WRONG[analysis.name]
    page = viewer.get(file(analysis, survey, "csv", typed))
    status, _code, sentence = refusal(program.get(told(analysis, survey, named)))
    assert (page.status_code, status, page.content.decode()) == (400, 422, f"{sentence}\n")
    lacking = dict(list(named.items())[:-1])
    assert refusal(program.get(told(analysis, survey, lacking)))[0] == 400
