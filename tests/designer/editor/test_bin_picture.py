"""Groups of a histogram's edges in the builder: named in the draft's language, drawn to scale."""

import pytest

from surveys.designer.editor.bin_picture import NAMED_MOST, WIDTH, bin_picture
from tests.support.builder import signed_in, unescaped, url, with_question


def of(*edges, language="en"):
    return bin_picture({"kind": "histogram", "edges": list(edges)}, language)


def test_groups_have_their_names_and_widths():
    made = of("0", "20", "30", "60")
    assert [group.name for group in made.drawn] == ["under 20", "20 to under 30", "30 or more"]
    assert [round(group.left) for group in made.drawn] == [0, WIDTH / 3 // 1, WIDTH / 2]
    assert made.more == 0
    assert "unter 20" in of("0", "20", "30", language="de").drawn[0].name


def test_of_many_the_first_and_the_last_are_named():
    made = of(*map(str, range(41)))
    assert len(made.drawn) == 40 and len(made.named) == NAMED_MOST and made.more == 40 - NAMED_MOST
    assert made.named[-1].name == "39 or more"


@pytest.mark.parametrize("edges", [(), ("0", "1"), ("0", "x", "2"), ("0", "2", "1"), ("1", "1", "2"), (None, 1, 2)])
def test_edges_that_are_not_right_yet_make_none(edges):
    assert of(*edges).drawn == []


@pytest.mark.django_db
def test_they_stand_beside_the_edges_also_in_a_language_that_the_page_does_not_speak():
    survey = with_question(kind="histogram", edges=["0", "20", "40"])
    assert "20 or more" in unescaped(signed_in().get(url(survey, "q1")).content.decode())
    survey.draft["language"] = "xx"
    survey.save()
    assert signed_in().get(url(survey, "q1")).status_code == 200
