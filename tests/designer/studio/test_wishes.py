"""How many people are enough: one number wherever it is said, and what of a wish is not reached."""

import re
from fractions import Fraction

import pytest

from ldp.planning.form_plans import Brief, Plans
from ldp.planning.form_prices import Wanted
from surveys.designer.files.starting import NAMES, template
from surveys.designer.privacy.questions import questions_of
from surveys.figures import numerals
from surveys.life.lifecycle import begin_draft
from tests.support.alpha import begun, get, words

pytestmark = pytest.mark.django_db

FIVE_POINTS = re.compile(r"([0-9,]+) people make every answer precise to 5 points")
SIX = [{"key": f"q{k}", "kind": "yes_no", "text": f"Question {k}?"} for k in range(6)]


@pytest.mark.parametrize("name", NAMES)
def test_the_number_for_five_points_is_that_of_the_templates_card_on_every_page(client, ada, name):
    survey = begin_draft(ada, template(name).draft)
    assert f"Precise to 5 points about a population from {template(name).people} people on." in words(
        client.get("/surveys/new/").content.decode()
    )
    shown = FIVE_POINTS.findall(words(get(client, survey, plan="1", total="2")))
    shown += FIVE_POINTS.findall(words(client.get(f"/surveys/{survey.pk}/open/").content.decode()))
    assert shown == [template(name).people] * 3


def test_a_wish_that_is_not_reached_is_named_with_the_people_who_would_do(client, ada):
    survey = begun(ada, SIX, 1000)
    query = {"plan": "1", "total": "1", "width.q0": "2", "width.q1": "30"}
    text = words(get(client, survey, **query))
    planned = [question.without_form.variant.plan for question in questions_of(survey)]
    wanted = [Wanted(plan, 1.0, {0: 0.02, 1: 0.3}.get(k)) for k, plan in enumerate(planned)]
    needed = Plans(Brief(wanted, Fraction(1), 20, target="population")).people(0.02, 0)
    assert "With 1,000 people these wishes are not reached: Question 0?" in text
    assert f"instead of ±2 percentage points. {numerals.count_up(needed)} people would do." in text
    assert text.partition("these wishes are not reached")[2].count("people would do.") == 1


def test_so_many_people_as_would_do_reach_the_wish(ada):
    survey = begun(ada, SIX, 1000)
    wanted = [Wanted(question.without_form.variant.plan) for question in questions_of(survey)]
    planned = Plans(Brief(wanted, Fraction(1), 20))
    needed = planned.people(0.03, 2)
    more, fewer = (planned.at(n).proposal.half_widths(n)[2] for n in (needed, needed - 1))
    assert more <= 0.03 < fewer


def test_wishes_that_are_reached_are_said_to_be(client, ada):
    text = words(get(client, begun(ada, SIX, 50_000), plan="1", total="2", points="10"))
    assert "With 50,000 people all wishes are reached." in text and "not reached" not in text


def test_a_wish_for_a_question_of_everybodys_is_held_against_its_own_alpha(client, ada):
    query = {"plan": "1", "total": "2", "width.q0": "1", "own.q0": "1"}
    text = words(get(client, begun(ada, SIX, 1000), **query))
    assert "these wishes are not reached: Question 0?" in text and "people would do." in text


def test_a_proposal_that_leaves_a_question_without_result_says_so_and_how_many_would_do(client, ada):
    survey = begun(ada, SIX, 30)
    text = words(get(client, survey, plan="1", total="0.5"))
    assert "With 30 people these 6 questions have no result, as proposed: Question 0?" in text
    assert "people would do." in text and not re.search(r"±(5[1-9]|[6-9]\d|\d{3,})(\.\d+)?\b", text)
    assert "says nothing with 30 people" in text
    enough = words(get(client, begun(ada, SIX, 50_000), plan="1", total="2"))
    assert "no result, as proposed" not in enough and "says nothing" not in enough
