"""Dates in results: spans from one date to another, drawn in proportion to the time between them."""

import re

import pytest
from django.test import Client
from django.test.html import parse_html

from ldp.forms.report import alone
from ldp.inference.variables import with_means
from surveys.researcher.analyses.regressions import options
from surveys.researcher.results.question.dates import of_spans
from surveys.researcher.results.released import of_release
from surveys.survey import definition as definitions
from surveys.survey.kinds.date import in_words
from tests.researcher.results.test_results import text
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
    assert blanks(of_spans(seen, 1, 1)) == "8 Mar 2025 – 14 Mar 2025"
    assert blanks(of_spans(seen, 1, 2)) == "8 Mar 2025 – 21 Mar 2025"
    assert blanks(of_spans(seen, 0, 1)) == "until 14 Mar 2025" and blanks(of_spans(seen, 2, 3)) == "from 15 Mar 2025 on"
    assert of_spans(seen, 0, 3) == "any date"
    assert blanks(of_spans(of_release(survey.slug, 1, "moved"), 1, 1)) == "Jan 2025"


@pytest.mark.django_db
def test_the_interval_of_a_median_is_one_span(survey):
    page = text(parse_html(Client().get(f"/r/{survey.slug}/1/questions/seen/").content.decode()))
    assert "Median" in page and " to …" not in page and "… to " not in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "key", "last"),
    [
        ("en", "born", "until 1969"),
        ("en", "moved", "until Jan 2025"),
        ("en", "seen", "until 14 Mar 2025"),
        ("de", "born", "bis 1969"),
        ("ar", "born", "حتى 1969"),
    ],
)
def test_cumulative_shares_reach_to_the_last_date_of_a_span(survey, language, key, last):
    client = Client(headers={"accept-language": language})
    page = client.get(f"/r/{survey.slug}/1/questions/{key}/").content.decode().partition('id="cumulated-table"')[2]
    rows = re.findall(r"<bdi>(.*?)</bdi>", page.partition("</table>")[0])
    assert blanks(rows[1]) == last and not any("–" in row or "…" in row for row in rows)


@pytest.mark.django_db
def test_no_line_begins_within_a_date(survey):
    """A line may begin between the two dates of a span."""
    page, blank = Client().get(f"/r/{survey.slug}/1/").content.decode(), "\N{NO-BREAK SPACE}"
    assert page.count(f"8{blank}Mar{blank}2025 – 14{blank}Mar{blank}2025") >= 2


SEEN = ("", "questions/seen/?value=10", "comparisons/?question=seen&value=10")
MOVED = ("questions/moved/", "comparisons/?question=moved")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "day", "month"),
    [
        ("en", "until 7 Mar 2025", "until Dec 2024"),
        ("de", "bis 07.03.2025", "bis Dez 2024"),
        ("ar", "حتى 7 مارس 2025", "حتى ديسمبر 2024"),
    ],
)
def test_pages_have_dates_as_their_readers_write_them(survey, language, day, month):
    """No page has a date in ISO format; files have only that format."""
    client = Client(headers={"accept-language": language})
    pages = [text(parse_html(client.get(f"/r/{survey.slug}/1/{page}").content.decode())) for page in SEEN + MOVED]
    assert all(not re.search(r"\d{4}-\d\d", page.partition(survey.digest)[0]) for page in pages)
    assert all(day in blanks(page) for page in pages[:3]) and all(month in blanks(page) for page in pages[3:])
    shares = client.get(f"/r/{survey.slug}/1/downloads/estimates.csv").content.decode()
    assert "… – 2025-03-07" in shares and "2025-01" in shares and month not in shares


def test_only_spans_of_dates_are_worded_anew():
    seasons = ["2010-11", "2011-12", "2012-13 – 2013-14"]
    assert in_words(seasons) == seasons
    assert in_words(["… – 1959", "1960 – 1969", "1970", "1971 – …", "Prefer not to say"]) == [
        "until 1959", "1960 – 1969", "1970", "from 1971 on", "Prefer not to say",
    ]  # fmt: skip


def blanks(words):
    return words.replace("\N{NO-BREAK SPACE}", " ")


def test_as_numbers_spans_lie_as_far_apart_as_in_time():
    each = with_means(alone(definitions.build(DRAFT)))
    assert {one.key: options.scores(one) for one in each} == {
        "born": (10.0, 25.0, 45.0),
        "moved": (1.0, 2.5, 3.5),
        "seen": (3.5, 10.5, 17.5, 26.0),
    }
    assert {options.fitting(one) for one in each} == {"ordered"}
