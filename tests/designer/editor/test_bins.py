"""The bins of a histogram in the builder: the advised number, and edges filled in from a range."""

from fractions import Fraction

import pytest

from ldp.kinds import KINDS as CALCULATED
from surveys.designer.editor import bins
from surveys.models import Survey
from tests.support.builder import FRAGMENTS, errors, form, questions, signed_in, url, with_question
from tests.support.drawn import drawn

pytestmark = pytest.mark.django_db

YES = [{"key": key, "kind": "yes_no", "text": "Yes?"} for key in ("q2", "q3")]
IN_FORMS = drawn(
    {
        "questions": [{"key": "q1", "kind": "histogram", "text": "How many?", "edges": []}, *YES],
        "forms": [{"weight": 2, "questions": ["q1", "q2"], "alpha": "2"}, {"weight": 1, "questions": ["q3"]}],
    }
)


def test_bins_are_advised_for_those_who_draw_the_form_and_before_there_is_an_alpha():
    survey, client = with_question(kind="histogram", edges=[]), signed_in()
    Survey.objects.update(expected_n=6000)
    page = client.get(url(survey, "q1")).content.decode()
    advised = CALCULATED["histogram"].bins(6000, Fraction(1))["advised"]
    assert f"Advised for 6000 people at alpha 1: <b>{advised}</b> bins" in page
    Survey.objects.update(draft=survey.draft | IN_FORMS)
    page = client.get(url(survey, "q1")).content.decode()
    advised = CALCULATED["histogram"].bins(4000, Fraction(2))["advised"]
    assert f"Advised for 4000 people at alpha 2: <b>{advised}</b> bins" in page
    fields = {"low_end": "0", "high_end": "1", "bin_count": "", "fill": "1"}
    client.post(url(survey, "q1"), form(client, url(survey, "q1")) | fields)
    assert questions(survey)[0]["edges"] == bins.round_edges("0", "1", str(advised))


def test_edges_are_filled_in_from_a_range_with_the_number_that_ldp_advises():
    survey, client = with_question(kind="histogram", edges=[], alpha="0.5"), signed_in()
    address = url(survey, "q1")
    assert "enter how many people you expect" in client.get(address).content.decode()
    client.post(address, form(client, address) | {"expected_n": "5000"})
    survey.refresh_from_db()
    advised = CALCULATED["histogram"].bins(5000, Fraction(1, 2))["advised"]
    assert (survey.expected_n, form(client, address)["bin_count"]) == (5000, str(advised))
    assert f"<b>{advised}</b> bins" in client.get(address).content.decode()
    client.post(address, form(client, address) | {"low_end": "0", "high_end": "1", "bin_count": "", "fill": "1"})
    assert questions(survey)[0]["edges"] == bins.round_edges("0", "1", str(advised))
    three = {"low_end": "0", "high_end": "1", "bin_count": "3", "fill": "1"}
    client.post(address, form(client, address) | three)
    assert questions(survey)[0]["edges"] == ["0", "0.333333", "0.666667", "1"]
    client.post(address, form(client, address) | {"low_end": "-10", "high_end": "110", "bin_count": "4", "fill": "1"})
    assert questions(survey)[0]["edges"] == ["-10", "20", "50", "80", "110"]
    wrong = [("low_end", "x"), ("high_end", "-11"), ("bin_count", "1"), ("bin_count", "257"), ("expected_n", "many")]
    for name, text in wrong:
        answer = client.post(address, form(client, address) | {name: text, "fill": "1"}, headers=FRAGMENTS)
        assert errors(answer.content.decode(), name), name
    assert questions(survey)[0]["edges"] == ["-10", "20", "50", "80", "110"]
    answer = client.post(address, form(client, address) | {"bin_count": "2", "fill": "1"}, headers=FRAGMENTS)
    assert "-10\n50\n110</textarea>" in answer.content.decode()


@pytest.mark.parametrize(
    ("ends", "count", "edges"),
    [
        (("0", "100"), "7", "0 20 40 60 80 100"),
        (("18", "99"), "8", "18 30 40 50 60 70 80 90 99"),
        (("-10", "110"), "4", "-10 25 50 75 110"),
        (("1.5", "1.9"), "4", "1.5 1.6 1.7 1.8 1.9"),
        (("0", "3"), "2", "0 2 3"),
    ],
)
def test_advised_bins_have_round_edges(ends, count, edges):
    assert bins.round_edges(*ends, count) == edges.split()


def test_a_range_without_bins_yet_is_there_again_after_a_reload_and_stays_below_what_is_typed():
    survey, client = with_question(kind="histogram", edges=[], alpha="0.5"), signed_in()
    address = url(survey, "q1")
    for high in ("60", "90"):
        client.post(address, form(client, address) | {"low_end": "0", "high_end": high})
        again = form(client, address)
        assert (again["low_end"], again["high_end"]) == ("0", high)
        assert "Write at least three edges" in client.get(address).content.decode()
    client.post(address, form(client, address) | {"edges": "0\n30\n90", "high_end": "100"})
    assert questions(survey)[0]["edges"] == ["0", "30", "90"]
