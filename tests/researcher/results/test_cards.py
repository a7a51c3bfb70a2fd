"""The card of a question to share has its page's words and nothing more, in the survey's language, for ever."""

import re
import xml.etree.ElementTree as ElementTree
from html import unescape

import pytest
from django.test import Client
from django.test.html import parse_html

from surveys.figures import card as figure
from surveys.researcher.results import cards
from surveys.researcher.results.pictures import KEEP
from tests.researcher.results.test_every_kind import answered
from tests.researcher.results.test_plots import texts
from tests.researcher.results.test_results import elements, get
from tests.researcher.results.test_too_early import BEYOND, WEAK, N
from tests.support import vectors
from tests.support.estimates import HOSTILE, ODD, document_of, released, with_totals
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db

KEYS = ("few", "bit", "any", "two_rows", "laplace")
SOME = {"title": "Some", "questions": [each for each in vectors.EVERY_KIND["questions"] if each["key"] in KEYS]}
ARABIC = {
    "title": "المدرسة", "language": "ar",
    "questions": [{"key": "yes", "kind": "yes_no", "text": "هل دخنت في المدرسة؟", "alpha": "2"}],
}  # fmt: skip


def fetch(survey, key="yes", form="svg", query="", **headers):
    return Client(headers=headers).get(f"/r/{survey.slug}/1/cards/{key}.{form}{query}")


def written(response):
    return [line.strip("\u2066\u2067\u2068\u2069\u200e\u200f") for line in texts(response.content)]


def card_of(survey, key="yes"):
    return cards.of_release(survey.release_set.order_by("-number").first())[key]


@pytest.fixture
def survey():
    return released(400, results_public=True)


def test_it_has_the_size_that_other_sites_show(survey):
    root, png = ElementTree.fromstring(fetch(survey).content), fetch(survey, form="png").content
    assert (root.get("width"), root.get("height")) == (str(figure.WIDTH), str(figure.HEIGHT))
    assert [int.from_bytes(png[place : place + 4]) for place in (16, 20)] == [1200, 630]


def test_it_says_what_it_shows_of_whom_how_many_how_protected_and_from_where(survey):
    words = " ".join(written(fetch(survey)))
    question = document_of(survey)["questions"][0]
    assert survey.title in words and question["text"] in words
    assert "Share of the population · 95% interval, all at once, for one look · 400 reports" in words
    assert f"α = {survey.alpha_total}. " in words and " protection" in words
    assert "Release 1 · " in words and "127.0.0.1" in words


def test_every_question_has_one_whose_numbers_are_those_of_the_page():
    survey = answered(SOME, 800)
    page = unescape(get(survey))
    for question in survey.questions:
        shown = card_of(survey, question["key"])
        assert shown.note and shown.note in page
        assert fetch(survey, question["key"]).status_code == fetch(survey, question["key"], "png").status_code == 200
        assert shown.alternative in page
        for row in shown.rows:
            [low, high] = row.interval
            assert 0 <= low <= high <= 1 and (row.estimate is None or 0 <= row.estimate <= 1)
            for number in re.findall(r"[\d.,]+", row.text):
                assert number.strip(".,") in page


def test_nothing_is_named_that_no_truth_can_be():
    survey = released(results_public=True)
    with_totals(survey, 60, yes={"support": [58, 2]})
    shown = card_of(survey)
    assert [row.estimate for row in shown.rows] == [None, None]
    numbers = [float(number) for row in shown.rows for number in re.findall(r"[-−]?[\d.]+", row.text)]
    assert numbers and all(0 <= number <= 100 for number in numbers)


def test_where_nothing_can_be_said_it_has_no_number():
    survey = released(60, WEAK, results_public=True)
    with_totals(survey, N, yes=BEYOND)
    shown = card_of(survey)
    assert shown.rows == () and shown.note.startswith("Too few people answered to say anything precise.")
    assert "%" not in f"{shown.note}{shown.foot}"


def test_it_speaks_the_surveys_language_and_reads_its_way():
    survey = answered(ARABIC, 200)
    words = " ".join(written(fetch(survey)))
    assert "Release" not in words and "الإصدار" in words and card_of(survey).right
    assert "Release 1 · " in " ".join(written(fetch(survey, query="?language=en")))
    assert fetch(survey, query="?language=xx").status_code == 404


def test_other_sites_may_show_it_for_good_where_results_are_published(survey):
    response = fetch(survey)
    assert set(response["Cache-Control"].split(", ")) == {"public", f"max-age={KEEP}", "immutable"}
    assert response["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert fetch(survey, **{"If-None-Match": response["ETag"]}).status_code == 304
    assert fetch(released(20)).status_code == 404


@pytest.mark.parametrize("file", ["no.svg", "yes.pdf", "yes.1.svg"])
def test_there_is_nothing_else(survey, file):
    assert Client().get(f"/r/{survey.slug}/1/cards/{file}").status_code == 404


# On the page ----------------------------------------------------------------------------------------------------------


def properties(page):
    metas = [dict(meta.attributes) for meta in elements(parse_html(page), "meta")]
    return {meta.get("property") or meta.get("name"): meta["content"] for meta in metas if "content" in meta}


def test_the_head_of_a_published_page_names_its_card_at_addresses_that_stay(survey):
    for path in ("", "1/", "questions/yes/", "1/questions/yes/"):
        named = properties(Client().get(f"/r/{survey.slug}/{path}").content.decode())
        assert named["og:image"].endswith(f"/r/{survey.slug}/1/cards/yes.png") and named["og:image"].startswith("http")
        assert f"/r/{survey.slug}/1/" in named["og:url"] and named["twitter:card"] == "summary_large_image"
        assert named["og:image:alt"] == card_of(survey).alternative


def test_what_is_not_published_tells_other_sites_nothing(django_user_model):
    survey, client = released(30), Client()
    client.force_login(django_user_model.objects.create_superuser("root"))
    for path in ("", "1/questions/yes/"):
        page = client.get(f"/r/{survey.slug}/{path}").content.decode()
        assert "og:" not in page and "twitter:" not in page and "textarea" not in page
    response = client.get(f"/r/{survey.slug}/1/cards/yes.svg")
    assert {"private", "no-cache"} == set(response["Cache-Control"].split(", "))
    assert "Cross-Origin-Resource-Policy" not in response or response["Cross-Origin-Resource-Policy"] != "cross-origin"


@pytest.mark.parametrize("draft", [DRAFT, ODD], ids=["three kinds", "odd texts"])
def test_the_snippet_is_a_link_with_a_picture_and_nothing_else(draft):
    survey = released(60, draft, results_public=True)
    page = get(survey)
    assert HOSTILE not in page
    snippets = [unescape(each) for each in re.findall(r"(?s)<textarea[^>]*>(.*?)</textarea>", page)]
    assert len(snippets) == len(survey.questions)
    for snippet, question in zip(snippets, survey.questions, strict=True):
        [link] = elements(parse_html(snippet), "a")
        [image] = elements(link, "img")
        attributes = dict(image.attributes)
        assert attributes["src"].endswith(f"/r/{survey.slug}/1/cards/{question['key']}.svg")
        assert " ".join(unescape(attributes["alt"]).split()) == " ".join(
            card_of(survey, question["key"]).alternative.split()
        )
        assert dict(link.attributes)["href"].startswith("http") and "<script" not in snippet
        assert set(attributes) == {"src", "width", "height", "alt"} and set(dict(link.attributes)) == {"href"}
