"""A question's own page: for every kind and mechanism it answers, and says what the mathematics says."""

import re

import pytest
from django.test import Client
from django.test.html import parse_html

from tests.results.test_every_kind import answered
from tests.results.test_results import elements, rows, says, text
from tests.support import vectors
from tests.support.estimated import document_of

pytestmark = pytest.mark.django_db

PEOPLE = 300


@pytest.fixture
def survey():
    return answered(vectors.EVERY_KIND, PEOPLE)


def address(survey, key, **query):
    asked_for = "&".join(f"{name}={value}" for name, value in query.items())
    return f"/r/{survey.slug}/1/questions/{key}/" + (f"?{asked_for}" if asked_for else "")


def get(survey, key, **query):
    response = Client().get(address(survey, key, **query))
    assert response.status_code == 200, (key, query)
    return response.content.decode()


def table(page, name):
    [found] = [
        one for one in elements(parse_html(page), "table") if ("id", name) in elements(one, "caption")[0].attributes
    ]
    return rows(found)


def test_every_result_has_a_page_with_its_numbers(survey):
    import time

    for result in document_of(survey)["questions"]:
        began = time.time()
        page = get(survey, result["key"])
        print(result["key"], result["mechanism"], round(time.time() - began, 2))
        categories = result["methods"][0]["categories"]
        shown = table(page, "shares-table")
        assert len(shown) == len(categories)
        if result["kind"] != "mean":
            assert all(says(row[1], category["estimate"]) for row, category in zip(shown, categories, strict=True))
        assert "None" not in text(parse_html(page)) and "%(" not in page and "nan" not in text(parse_html(page))
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)


@pytest.mark.parametrize(
    "query",
    [
        {"confidence": "99", "whom": "respondents", "value": "30", "forged": "7", "level": "33.3"},
        {"confidence": "90", "value": "0", "than": "less", "exactly": "300", "option": "2"},
    ],
)
def test_every_choice_can_be_made_for_every_result(survey, query):
    for result in document_of(survey)["questions"]:
        own = dict(query)
        if result["kind"] == "mean":
            own |= {"value": result["low"], "option": "1"}
        own |= {"exactly": str(min(int(own["exactly"]), result["n_about"] // 9))} if "exactly" in own else {}
        page = get(survey, result["key"], **own)
        assert 'class="error"' not in page, (result["key"], own)
        assert "None" not in text(parse_html(page)) and "%(" not in page
