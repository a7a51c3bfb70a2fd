"""Dates in results: spans from one date to another, and as numbers as far apart as they lie in time."""

import pytest
from django.test import Client
from django.test.html import parse_html

from ldp.inference.variables import with_means
from surveys import definition as definitions
from surveys.regressions import choosing
from surveys.results.question.dates import of_spans
from surveys.results.question.released import of_release
from tests.results.test_results import text
from tests.support.estimates import released
from tests.support.questions import question

DAYS = ["2025-03-01", "2025-03-08", "2025-03-15", "2025-03-22", "2025-04-01"]
DRAFT = {
    "title": "Dates",
    "questions": [
        question("born", "date", "1", dates=["1940", "1960", "1970", "2000"]),
        question("moved", "date", "1", dates=["2024-11", "2025-01", "2025-02", "2025-03"]),
        question("seen", "date", "1", dates=DAYS),
    ],
}


@pytest.fixture(scope="module")
def survey(outer_transaction):
    return released(40, DRAFT, results_public=True)


@pytest.mark.django_db
def test_several_spans_are_named_as_one(survey):
    seen = of_release(survey.slug, 1, "seen")
    assert of_spans(seen, 1, 1) == "2025-03-08 – 2025-03-14"
    assert of_spans(seen, 1, 2) == "2025-03-08 – 2025-03-21"
    assert of_spans(seen, 0, 1) == "… – 2025-03-14" and of_spans(seen, 2, 3) == "2025-03-15 – …"
    assert of_spans(seen, 0, 3) == "any date"
    assert of_spans(of_release(survey.slug, 1, "moved"), 1, 1) == "2025-01"


@pytest.mark.django_db
def test_the_interval_of_a_median_is_one_span(survey):
    page = text(parse_html(Client().get(f"/r/{survey.slug}/1/questions/seen/").content.decode()))
    assert "Median" in page and " to …" not in page and "… to " not in page


@pytest.mark.django_db
def test_no_line_begins_within_a_date(survey):
    """Beside shares and in the median one may begin between two dates; elsewhere a span keeps to its line."""
    page = Client().get(f"/r/{survey.slug}/1/").content.decode()
    assert page.count("-\N{WORD JOINER}03-\N{WORD JOINER}") == 6
    page = Client().get(f"/r/{survey.slug}/1/questions/seen/").content.decode()
    assert '<bdi class="unbroken">2025-03-08 – 2025-03-14</bdi>' in page
    assert "<td>… – 2025-\N{WORD JOINER}03-\N{WORD JOINER}07</td>" in page


def test_as_numbers_spans_lie_as_far_apart_as_in_time():
    each = with_means(definitions.build(DRAFT)["questions"])
    assert {one.key: choosing.scores(one) for one in each} == {
        "born": (10.0, 25.0, 45.0),
        "moved": (1.0, 2.5, 3.5),
        "seen": (3.5, 10.5, 17.5, 26.0),
    }
    assert {choosing.fitting(one) for one in each} == {"ordered"}
