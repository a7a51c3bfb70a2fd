"""What a cross-table of two questions would show, on the page about privacy of a draft."""

import numpy as np
import pytest

from ldp.inference.variables import variable
from ldp.planning import associations
from surveys.definition import build
from surveys.figures import numerals
from tests.support.alpha import UNFINISHED, begun, get, words
from tests.support.form_cases import DRAFT

pytestmark = pytest.mark.django_db

TWO = [
    {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "1"},
    {"key": "where", "kind": "single_choice", "text": "Where?", "options": ["Town", "Farm", "Sea"], "alpha": "1"},
]


def test_it_says_what_so_many_people_show_and_how_many_show_ten_points(client, ada):
    survey = begun(ada, TWO, n=4000)
    assert "What a cross-table would show" in words(get(client, survey))
    said = words(get(client, survey, cross="smokes", by="where"))
    one, other = (variable(build(survey.draft)["questions"], key) for key in ("smokes", "where"))
    expected = associations.apart(one, other)
    effect = associations.Dependence(np.full(2, 1 / 2), np.full(3, 1 / 3), 0, 0)
    points = numerals.rounded_up(100 * associations.smallest(expected, effect, 4000))
    assert "With 4,000 reports about both, a cross-table shows with a chance of 80% that" in said
    assert f"if “Town” is {points} points more common among those who answer “Yes”" in said
    assert f"It takes about {associations.needed(expected(effect.law(0.1))):,} people to show 10 points." in said


def test_in_forms_those_who_are_asked_both_count(client, ada):
    survey = begun(ada, n=6000)
    survey.draft = DRAFT
    survey.save()
    joint = words(get(client, survey, cross="drugs", by="often"))
    assert "With 2,000 reports about both" in joint
    everybody = words(get(client, survey, cross="region", by="drugs"))
    assert "With 2,000 reports about both" in everybody
    assert "nobody is asked both" in words(get(client, survey, cross="drugs", by="health"))


def test_the_same_question_twice_is_no_pair_and_unknown_ones_are_nothing(client, ada):
    survey = begun(ada, TWO)
    assert "Choose two different questions." in words(get(client, survey, cross="smokes", by="smokes"))
    assert "reports about both" not in words(get(client, survey, cross="smokes", by="elsewhere"))


def test_without_two_questions_that_can_be_crossed_there_is_no_such_part(client, ada):
    assert "What a cross-table would show" not in words(get(client, begun(ada, UNFINISHED)))
    assert "What a cross-table would show" not in words(get(client, begun(ada, TWO[:1])))
