"""A plot on its own page, with its question and source, as SVG, PNG and PDF; embeddable if it is published."""

import xml.etree.ElementTree as ElementTree

import pytest
from django.test import Client

from surveys.figures import numerals
from surveys.figures.layout import TYPES
from surveys.figures.svg import SVG
from surveys.figures.themes import THEMES
from surveys.researcher.results import pictures, plots
from tests.researcher.results.test_every_kind import answered
from tests.researcher.results.test_plots import texts
from tests.support import vectors
from tests.support.estimates import HOSTILE, ODD, document_of, released

pytestmark = pytest.mark.django_db

SCALE = {
    "title": "A scale and a grid",
    "questions": [
        {"key": "life", "kind": "ordered", "text": "How satisfied?", "alpha": "4", "prefer_not_to_say": True}
        | {"options": [str(step) for step in range(11)]},
        next(question for question in vectors.EVERY_KIND["questions"] if question["key"] == "two_rows"),
    ],
}


def fetch(survey, file, query="", **headers):
    return Client(headers=headers).get(f"/r/{survey.slug}/1/plots/{file}{query}")


@pytest.fixture
def survey():
    return released(results_public=True)


def test_it_comes_in_three_forms(survey):
    begins = {"svg": b"<?xml", "png": b"\x89PNG\r\n", "pdf": b"%PDF-"}
    for form, content_type in TYPES.items():
        response = fetch(survey, f"yes.{form}")
        assert response.status_code == 200 and response["Content-Type"] == content_type
        assert response.content.startswith(begins[form])
        assert response["Content-Disposition"] == f'inline; filename="{survey.slug}-1-yes.{form}"'
        assert fetch(survey, f"yes.{form}", **{"If-None-Match": response["ETag"]}).status_code == 304


def test_a_png_has_two_dots_to_a_pixel_and_a_pdf_no_time(survey):
    root = ElementTree.fromstring(fetch(survey, "yes.svg").content)
    png, pdf = fetch(survey, "yes.png").content, fetch(survey, "yes.pdf").content
    width, height = (int.from_bytes(png[place : place + 4]) for place in (16, 20))
    assert (width, height) == (2 * int(root.get("width")), 2 * int(root.get("height")))
    assert b"CreationDate" not in pdf


def test_it_says_its_question_and_where_it_is_from(survey):
    written = " ".join(texts(fetch(survey, "yes.svg").content))
    question = document_of(survey)["questions"][0]
    assert question["text"] in written and survey.title in written
    assert "Release 1 of" in written and "60 reports" in written and f"α = {question['alpha']}" in written


def test_the_query_chooses_theme_width_and_numbers(survey):
    light, dark = (fetch(survey, "yes.svg", f"?theme={theme}").content.decode() for theme in ("light", "dark"))
    assert THEMES["light"].card in light and THEMES["dark"].card in dark
    assert ElementTree.fromstring(fetch(survey, "yes.svg", "?width=narrow").content).get("width") == "358"
    written = " ".join(texts(fetch(survey, "yes.svg", "?confidence=99&target=respondents").content))
    assert "99% interval" in written and "Share of the respondents" in written
    etags = {fetch(survey, "yes.svg", query)["ETag"] for query in ("", "?confidence=99", "?theme=dark")}
    assert len(etags) == 3


@pytest.mark.parametrize("file", ["no.svg", "yes.gif", "yes.svg?theme=pink", "yes.svg?width=huge", ".svg"])
def test_there_is_nothing_else(survey, file):
    assert fetch(survey, file).status_code == 404


def test_other_sites_may_show_it_where_results_are_published(survey):
    assert fetch(survey, "yes.svg")["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert f"max-age={pictures.KEEP}, immutable" in fetch(survey, "yes.svg")["Cache-Control"]
    hidden = released(20)
    assert fetch(hidden, "yes.svg").status_code == 404


def test_it_is_drawn_once(survey, monkeypatch):
    first = fetch(survey, "yes.png")
    monkeypatch.setattr(plots, "alone", lambda *_: pytest.fail("it was drawn again"))
    assert fetch(survey, "yes.png").content == first.content


def test_texts_of_a_designer_are_only_text_in_it():
    survey = released(20, ODD, results_public=True)
    for form in TYPES:
        assert fetch(survey, f"signs.{form}").status_code == 200
    svg = fetch(survey, "signs.svg").content
    assert "".join(HOSTILE.split()) in "".join("".join(texts(svg)).split())


def test_a_scale_of_numbers_is_one_row_of_columns():
    survey = answered(SCALE, 200)
    for width in ("wide", "narrow"):
        svg = Client().get(f"/r/{survey.slug}/plots/life-light-{width}.svg").content
        labels = {element.get("y"): [] for element in ElementTree.fromstring(svg).iter(f"{{{SVG}}}text")}
        for element in ElementTree.fromstring(svg).iter(f"{{{SVG}}}text"):
            labels[element.get("y")].append(element.text)
        assert [str(step) for step in range(11)] in [line[:11] for line in labels.values()]


def test_a_grid_is_one_picture_with_every_share_and_interval():
    survey = answered(SCALE, 200)
    items = [result for result in document_of(survey)["questions"] if result["kind"] == "grid"]
    for width in ("wide", "narrow"):
        written = texts(fetch(survey, "two_rows.svg", f"?width={width}").content)
        for result in items:
            for category in result["methods"][0]["categories"]:
                low, high = category["population"]["simultaneous"]
                assert numerals.share(category["estimate"], 0) + "%" in written
                assert "–".join(numerals.outward(100 * low, 100 * high, 0)) in written
    assert Client().get(f"/r/{survey.slug}/plots/two_rows-dark-narrow.svg").status_code == 200
    assert fetch(survey, "two_rows.1.svg").status_code == 200, "each item has its own as well"
