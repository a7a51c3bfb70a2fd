"""A reader's comparisons, as files and from the API: the page's numbers, and the refusals."""

import csv
import io
from urllib.parse import urlencode

import pytest

from ldp.confidences import CONFIDENCES
from surveys.api.views import site_description
from surveys.figures import numerals
from surveys.models import Membership, Role
from tests.researcher.results.test_comparisons import get as comparisons_page
from tests.researcher.results.test_question import get as question_page
from tests.researcher.results.test_question import table
from tests.support.api_schema import validate
from tests.support.estimates import collect, found_again, released
from tests.support.exports import closed
from tests.support.factories import DRAFT, opened_survey
from tests.support.tokens import carrying, member, token

pytestmark = pytest.mark.django_db

CHOSEN = {"question": "which", "option": "2", "value": "40"}


@pytest.fixture(scope="module")
def both_once(outer_transaction):
    """Return two surveys that ask the same; in the first, everyone chose the first answer."""
    first = released(400, results_public=True)
    second = closed(DRAFT, 300)
    return first, second


@pytest.fixture
def both(both_once, db):
    return [found_again(survey) for survey in both_once]


def at(survey, rest, **query):
    return f"/r/{survey.slug}/1/{rest}?{urlencode(query)}"


def api(survey, rest, **query):
    return f"/api/v1/surveys/{survey.slug}/releases/1/{rest}?{urlencode(query)}"


def rows_of(response):
    assert response.status_code == 200, response.content
    return list(csv.DictReader(io.StringIO(response.content.decode(), newline="")))


def described(path):
    content = site_description()["paths"][f"/api/v1/surveys/{{slug}}/releases/{{number}}/{path}"]["get"]
    return content["responses"]["200"]["content"]["application/json"]["schema"]


TABLES = {"pair": "pairs-table", "value": "value-table", "survey": "between-table"}


@pytest.mark.parametrize("confidence", ["90", "95"])
def test_every_comparison_of_the_page_is_in_the_file(client, both, confidence):
    here, there = both
    query = CHOSEN | {"address": there.slug, "confidence": confidence}
    page = comparisons_page(here, **query)
    found = rows_of(client.get(at(here, "comparisons/comparisons.csv", **query)))
    assert len(found) == len(CONFIDENCES) * (6 + 1 + 4)
    assert f"comparisons/comparisons.csv?{urlencode({'question': 'which'})}" in page.replace("&amp;", "&")
    for comparison, name in TABLES.items():
        own = [r for r in found if r["comparison"] == comparison and float(r["confidence"]) == int(confidence) / 100]
        for shown, row in zip(table(page, name), own, strict=True):
            difference, interval, p, told = shown[-4:]
            decimals = len(difference.partition(".")[2])
            assert difference == numerals.share(float(row["difference"]), decimals)
            ends = float(row["simultaneous_low"]), float(row["simultaneous_high"])
            assert interval == numerals.span(ends, decimals)
            assert (told != "no") == (row["told_apart"] == "true")
            assert (p == "–") == (row["corrected_p_value"] == "") == bool(row["reason"])
            assert row["other_survey"] == (there.slug if comparison == "survey" else "")
            assert row["value"] == ("0.4" if comparison == "value" else "")


def test_an_answer_against_a_value_is_in_the_file_as_on_the_page(client, both):
    here, _there = both
    for value, than, answer in (("40", "less", "yes"), ("40", "more", "no"), ("1", "more", "unknown")):
        query = {"option": "2", "value": value, "than": than, "target": "population"}
        page = question_page(here, "which", **query)
        found = rows_of(client.get(at(here, "questions/which/value-comparison.csv", **query)))
        assert [float(row["confidence"]) for row in found] == list(CONFIDENCES)
        assert {row["answer"] for row in found} == {answer} and {row["option"] for row in found} == {"b"}
        said = {"yes": "Yes: the share of “b”", "no": "No: the share of “b”", "unknown": "We do not know whether"}
        than_more = "" if than == "more" else "than=less&amp;"
        assert said[answer] in page and f"?option=2&amp;target=population&amp;{than_more}value={value}" in page
        shown = numerals.rounded_up(float(found[1]["p_value"]))
        assert f"p-value is at most {shown}:" in page or float(found[1]["p_value"]) < 0.0001


def test_a_mean_is_compared_in_its_unit(client):
    mean = {"key": "m", "kind": "mean", "text": "m?", "alpha": "4", "low": "-10", "high": "30", "unit": "°C"}
    survey = closed({"title": "x", "questions": [mean]}, 200)
    for address in (
        at(survey, "questions/m/value-comparison.json", value="-2"),
        api(survey, "value-comparison", question="m", value="-2"),
    ):
        for row in client.get(address).json()["value_comparison"]:
            assert row["value"] == pytest.approx(-2) and row["unit"] == "°C" and row["option"] == "mean"
            assert -10 <= row["interval_low"] <= row["interval_high"] <= 30


def test_programs_get_what_the_pages_give(client, both):
    here, there = both
    document = client.get(at(here, "comparisons/comparisons.json", **CHOSEN, address=there.slug)).json()
    program = client.get(api(here, "comparisons", **CHOSEN, other=f"{there.slug}/1"))
    assert program.json() == document
    validate(document, described("comparisons"))
    against = client.get(at(here, "questions/which/value-comparison.json", option=2, value=40)).json()
    assert client.get(api(here, "value-comparison", **CHOSEN)).json() == against
    validate(against, described("value-comparison"))
    pairs = {"comparisons": document["comparisons"], "value-comparison": against["value_comparison"]}
    for (path, rows), other in zip(pairs.items(), ({"other": there.slug}, {}), strict=True):
        table = rows_of(client.get(api(here, f"{path}.csv", **CHOSEN, **other)))
        assert len(table) == len(rows) and {row["survey"] for row in table} == {here.slug}


@pytest.mark.parametrize(
    ("path", "query", "status", "said"),
    [
        ("comparisons", {}, 400, "“question” is missing."),
        ("value-comparison", {"question": "which"}, 400, "“value” is missing."),
        ("comparisons", {"question": "none"}, 404, ""),
        ("comparisons", {"question": "which", "option": "5"}, 404, "no such answer"),
        ("comparisons", {"question": "which", "value": "101"}, 422, "value: "),
        (
            "comparisons",
            {"question": "which", "other": "nowhere"},
            422,
            "other: There are no results at this URL that you may see.",
        ),
        ("value-comparison", {"question": "which", "value": "101"}, 422, "value: A number from 0 to 100."),
        ("value-comparison", {"question": "which", "value": "1", "than": "equal"}, 422, "than: "),
    ],
)
def test_what_cannot_be_compared_is_refused_with_its_rule(client, both, path, query, status, said):
    response = client.get(api(both[0], path, **query))
    assert response.status_code == status and said in response.json()["detail"]
    assert response.status_code != 422 or response.json()["type"].endswith(("comparison", "value_comparison"))


def test_a_file_of_a_page_says_what_is_wrong_with_its_address(client, both):
    here, _there = both
    for rest, query in (
        ("comparisons/comparisons.csv", {"question": "which", "value": "101"}),
        ("questions/which/value-comparison.csv", {"value": "101"}),
        ("questions/which/value-comparison.csv", {}),
    ):
        response = client.get(at(here, rest, **query))
        assert response.status_code == 400 and response.content.startswith(b"value: ")
    assert client.get(at(here, "comparisons/comparisons.pdf", **CHOSEN)).status_code == 404


def test_while_a_survey_goes_on_the_file_says_why_there_is_no_p_value(client):
    survey = opened_survey(results_public=True)
    collect(survey, 300)
    for row in rows_of(client.get(at(survey, "comparisons/comparisons.csv", **CHOSEN))):
        assert row["p_value"] == "" and row["reason"].startswith("A p-value is for one look.")
        assert row["every_release"] == "true" and row["guarantee"] == "proved"


def test_a_token_for_one_survey_compares_it_with_no_other_that_is_hidden(both):
    here, there = both
    for survey in both:
        type(survey).objects.filter(pk=survey.pk).update(results_public=False)
    ada = member(here)
    Membership.objects.create(survey=there, user=ada, role=Role.VIEWER)
    address = api(here, "comparisons", question="which", other=there.slug)
    assert carrying(token(ada)).get(address).status_code == 200
    narrow = carrying(token(ada, survey=here))
    assert narrow.get(api(here, "comparisons", question="which")).status_code == 200
    assert narrow.get(address).status_code == 422
