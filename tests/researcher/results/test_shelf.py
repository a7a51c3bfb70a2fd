"""Shared results are made once, a limited number at a time. A result that could not be made is not tried again."""

import threading

import pytest
from django.db import OperationalError
from django.http import Http404
from django.test import Client

from surveys.figures import picture
from surveys.researcher.results import pictures, plots
from surveys.researcher.results.picture_cache import FORGOTTEN_AFTER, Failed, Shelf
from surveys.web.gate import Gate
from tests.support.estimates import released


class Broken(Exception):
    pass


def breaking():
    raise Broken


def test_a_failure_is_not_repeated_for_everyone_but_tried_again_later():
    now = [0.0]
    shelf = Shelf(2, clock=lambda: now[0])
    with pytest.raises(Broken):
        shelf.get("a", breaking)
    now[0] = FORGOTTEN_AFTER - 1
    with pytest.raises(Failed):
        shelf.get("a", lambda: pytest.fail("it was tried again"))
    now[0] = FORGOTTEN_AFTER
    assert shelf.get("a", lambda: "made") == shelf.get("a", breaking) == "made"


@pytest.mark.parametrize("passing", [Http404, OperationalError, MemoryError])
def test_what_is_not_there_or_passes_is_no_failure(passing):
    def away():
        raise passing

    shelf = Shelf(2)
    with pytest.raises(passing):
        shelf.get("a", away)
    assert shelf.get("a", lambda: "made") == "made"


def test_the_least_recently_used_goes_first():
    shelf = Shelf(2)
    for key in ("a", "b", "a", "c"):
        shelf.get(key, lambda key=key: key.upper())
    assert shelf.get("a", breaking) == "A" and shelf.get("c", breaking) == "C"
    assert shelf.get("b", lambda: "again") == "again"


def test_who_waits_for_the_same_thing_does_not_make_it_again():
    shelf, inside, leave, had = Shelf(2, Gate()), threading.Event(), threading.Event(), []

    def slowly():
        inside.set()
        leave.wait(30)
        return "made"

    first = threading.Thread(target=lambda: had.append(shelf.get("a", slowly)))
    first.start()
    inside.wait(30)
    second = threading.Thread(target=lambda: had.append(shelf.get("a", breaking)))
    second.start()
    while shelf._gate._waiting < 2:
        pass
    leave.set()
    first.join(30)
    second.join(30)
    assert had == ["made", "made"]


@pytest.fixture
def survey():
    survey = released(results_public=True)
    pictures.FILES.clear()
    return survey


def fetch(survey, form, query=""):
    return Client(raise_request_exception=False).get(f"/r/{survey.slug}/1/plots/yes.{form}{query}")


@pytest.mark.django_db
@pytest.mark.parametrize("form", ["png", "pdf"])
def test_a_picture_that_cannot_be_drawn_is_tried_once_and_leaves_one_stack(survey, form, monkeypatch, caplog):
    tries = []
    monkeypatch.setattr(plots, "alone", lambda *_: tries.append(1) or breaking())
    statuses = [fetch(survey, form).status_code for _ in range(5)]
    assert (statuses, len(tries)) == ([500, 503, 503, 503, 503], 1)
    assert fetch(survey, form)["Retry-After"] == str(FORGOTTEN_AFTER)
    assert sum(record.exc_info is not None for record in caplog.records) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("form", ["png", "pdf"])
def test_few_wait_for_pictures_and_what_is_kept_is_served_all_the_same(survey, form, monkeypatch):
    assert fetch(survey, form).status_code == 200
    monkeypatch.setattr(pictures.FILES, "_gate", Gate(waiting_max=-1))
    response = fetch(survey, form, "?theme=dark")
    assert response.status_code == 503 and response["Retry-After"] == "5" and "no-store" in response["Cache-Control"]
    assert b"Pictures are being drawn" in response.content
    assert fetch(survey, form).status_code == 200
    assert fetch(survey, "svg", "?theme=dark").status_code == 200, "the page's own are not behind the gate"


FORMAT = "\ufeff\u200b\u200d\u00ad\u2066\u2069\ufe0f\U000e0041\U000e0101"


@pytest.mark.django_db
def test_characters_without_a_glyph_are_not_drawn(monkeypatch):
    """The survey was opened when these characters were allowed."""
    choice = {
        "key": "yes",
        "kind": "single_choice",
        "alpha": "1",
        "text": f"Well{FORMAT}?",
        "options": ["a", "\ufeffb"],
    }
    survey = released(draft={"title": "Odd\ufeff", "questions": [choice]}, results_public=True)
    drawn = []
    original = picture._without_format
    monkeypatch.setattr(picture, "_without_format", lambda figure: drawn.append(figure) or original(figure))
    for form, start in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
        response = fetch(survey, form)
        assert response.status_code == 200 and response.content.startswith(start)
    written = "".join(text.get_text() for figure in drawn for text in figure.findobj(picture.Text))
    assert "Well?" in written and not set(FORMAT) & set(written)
    assert "\u200d" in fetch(survey, "svg").content.decode(), "the reader's fonts know what to do with it"
