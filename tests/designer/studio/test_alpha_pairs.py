"""The privacy page of a draft shows what a cross-table of two questions would show."""

import re

import numpy as np
import pytest

from ldp.forms.report import alone
from ldp.inference.variables import variable
from ldp.planning import associations
from ldp.planning.expectation import Way
from surveys.figures import numerals
from surveys.survey.definition import build
from tests.support.alpha import UNFINISHED, begun, get, words
from tests.support.form_cases import FOR_EVERYONE

pytestmark = pytest.mark.django_db

TWO = [
    {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "1"},
    {"key": "where", "kind": "single_choice", "text": "Where?", "options": ["Town", "Farm", "Sea"], "alpha": "1"},
]


def sentences(page):
    """Return the sentences about the pair."""
    return re.findall(
        r"<p[^>]*>([^<]+)</p>", page[page.index('id="pair"') : page.index("</section>", page.index('id="pair"'))]
    )


def test_it_says_what_so_many_people_show_and_how_many_show_ten_points(client, ada):
    survey = begun(ada, TWO, n=4000)
    assert "What a cross-table would show" in words(get(client, survey))
    said = words(get(client, survey, cross="smokes", by="where"))
    one, other = (variable(alone(build(survey.draft)), key) for key in ("smokes", "where"))
    expected = associations.of_ways([Way(1, one, other)])
    effect = associations.Dependence(np.full(2, 1 / 2), np.full(3, 1 / 3), 0, 0)
    prospect = associations.Prospect(expected, effect)
    points = numerals.rounded_up(100 * prospect.smallest(4000))
    assert "All 4,000 people are asked both. With them, a cross-table shows with a chance of 80% that" in said
    assert f"if “Town” is {points} points more common among those who answer “Yes”" in said
    assert f"It takes about {prospect.needed(0.1):,} people to show 10 points." in said


def test_a_pair_reads_the_same_in_either_order_and_beside_an_empty_row(client, ada):
    survey = begun(ada, TWO, n=4000)
    chosen = sentences(get(client, survey, cross="smokes", by="where"))
    assert chosen == sentences(get(client, survey, cross="where", by="smokes")) and len(chosen) == 4
    for pair in (("smokes", "where"), ("where", "smokes")):
        wished = get(client, survey, first=["", pair[0], ""], second=["smokes", pair[1], ""])
        assert sentences(wished) == chosen
        part = wished[wished.index('id="pair"') :].partition("</section>")[0]
        assert re.findall(r'<option value="(\w+)" selected>', part) == list(pair)


def test_in_forms_those_who_are_asked_both_count(client, ada):
    survey = begun(ada, n=6000)
    survey.draft = FOR_EVERYONE
    survey.save()
    joint = words(get(client, survey, cross="drugs", by="often"))
    assert "About 2,000 of 6,000 people are asked both." in joint
    needed = re.search(r"about ([0-9,]+) people to show 10 points; about ([0-9,]+) of them are asked both", joint)
    people, both = (int(number.replace(",", "")) for number in needed.groups())
    assert people == pytest.approx(3 * both, rel=0.04)
    everyone = words(get(client, survey, cross="region", by="drugs"))
    assert "About 2,000 of 6,000 people are asked both." in everyone
    assert "no one is asked both" in words(get(client, survey, cross="drugs", by="health"))


def test_the_same_question_twice_is_no_pair_and_unknown_ones_are_nothing(client, ada):
    survey = begun(ada, TWO)
    assert "Choose two different questions." in words(get(client, survey, cross="smokes", by="smokes"))
    assert "are asked both" not in words(get(client, survey, cross="smokes", by="elsewhere"))


def test_without_two_questions_that_can_be_crossed_there_is_no_such_part(client, ada):
    assert "What a cross-table would show" not in words(get(client, begun(ada, UNFINISHED)))
    assert "What a cross-table would show" not in words(get(client, begun(ada, TWO[:1])))
