"""The privacy page of a draft shows what a regression of one question on another would show."""

import re

import pytest

from ldp.forms.report import alone
from ldp.inference.variables import variable
from ldp.planning import regressions
from surveys.figures import numerals
from surveys.researcher.analyses.regressions.planning import model
from surveys.survey.definition import build
from tests.support.alpha import UNFINISHED, begun, get, words
from tests.support.form_cases import DRAFT

pytestmark = pytest.mark.django_db

TITLE = "What a regression would show"
THREE = [
    {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "1"},
    {"key": "where", "kind": "single_choice", "text": "Where?", "options": ["Town", "Farm", "Sea"], "alpha": "1"},
    {"key": "age", "kind": "histogram", "text": "Age?", "edges": ["18", "40", "65", "99"], "alpha": "2"},
]


def part(client, survey, **query):
    page = get(client, survey, **query)
    return words(page[page.index('id="regression"') :])


def of_people(survey, n):
    survey.expected_n = n
    survey.save()
    return survey


def planned(survey, outcome, covariate):
    own, other = (variable(alone(build(survey.draft)), key) for key in (outcome, covariate))
    asked, chosen = regressions.SeparatePair(own, other), model(own, other)
    law = regressions.law(chosen, (len(own.options), len(other.options)), 2)
    return asked, chosen, law, regressions.planned(asked, chosen, law)


def test_it_says_how_many_people_or_which_alpha_would_show_an_odds_ratio_of_two(client, ada):
    survey = begun(ada, THREE, n=2000)
    assert TITLE in part(client, survey) and "twice the odds" not in part(client, survey)
    said = part(client, survey, outcome="smokes", explained="where")
    asked, chosen, law, found = planned(survey, "smokes", "where")
    chance = numerals.percent(round(regressions.chance(found, 2000), 2))
    assert "All 2,000 people are asked both." in said
    assert "If those who answer “Farm” to “Where?” have twice the odds of “Yes” to “Do you smoke?”" in said
    assert f"that those who answer “Town” have, a regression shows it with a chance of about {chance}." in said
    assert f"About {regressions.needed(found):,} people would show it with a chance of 80%." in said
    alpha = regressions.alpha_needed(asked, chosen, law, 2000)
    assert (
        f"2,000 people would be enough if both questions together had an alpha of {alpha:.1f}; now they have 2." in said
    )


def test_where_there_are_enough_people_no_other_alpha_is_named(client, ada):
    said = part(client, begun(ada, THREE, n=10**6), outcome="smokes", explained="where")
    assert "a chance of about 99%" in said and "both questions together" not in said


def test_an_outcome_of_steps_or_numbers_is_explained_by_the_odds_of_a_higher_step(client, ada):
    said = part(client, begun(ada, THREE), outcome="age", explained="smokes")
    assert "If those who answer “Yes” to “Do you smoke?” have twice the odds of a higher step of “Age?”" in said
    said = part(client, begun(ada, THREE), outcome="where", explained="smokes")
    assert "have twice the odds of “Farm” rather than “Town” to “Where?”" in said


def test_in_forms_those_who_are_asked_both_count_and_a_joint_form_has_one_alpha(client, ada):
    survey = begun(ada, n=6000)
    survey.draft = {**DRAFT, "questions": [question | {"asked_if": None} for question in DRAFT["questions"]]}
    for question in survey.draft["questions"]:
        del question["asked_if"]
    survey.save()
    joint = part(client, survey, outcome="drugs", explained="often")
    assert "About 2,000 of 6,000 people are asked both." in joint
    people, both = (
        int(number.replace(",", ""))
        for number in re.search(
            r"About ([0-9,]+) people would show it .*; about ([0-9,]+) of them are asked both", joint
        ).groups()
    )
    assert people == pytest.approx(3 * both, rel=0.04)
    fewer = part(client, of_people(survey, 3000), outcome="drugs", explained="often")
    assert re.search(r"3,000 people would be enough if the form had an alpha of [0-9.]+; now it has 2", fewer)
    assert "neither can explain the other" in part(client, survey, outcome="drugs", explained="health")
    everyone = part(client, of_people(survey, 6000), outcome="region", explained="drugs")
    assert "About 2,000 of 6,000 people are asked both" in everyone
    assert re.search(r"if both questions together had an alpha of [0-9.]+; now they have 2.5", everyone)


def test_what_is_asked_of_some_only_has_no_place_there(client, ada):
    survey = begun(ada, n=6000)
    survey.draft = DRAFT
    survey.save()
    offered, _, after = part(client, survey).partition("Show")
    assert "How often?" not in offered
    assert "Not offered above, because only some people are asked, and their number is uncertain too:" in after
    assert "How often?" in after.partition("Not offered above")[2]


def test_the_same_question_twice_explains_nothing_and_unknown_ones_are_nothing(client, ada):
    survey = begun(ada, THREE)
    assert "Choose two different questions." in part(client, survey, outcome="age", explained="age")
    assert "twice the odds" not in part(client, survey, outcome="age", explained="elsewhere")


def test_too_many_answers_are_said_to_be_too_many(client, ada):
    options = [str(number) for number in range(20)]
    many = [
        {"key": key, "kind": "single_choice", "text": key, "options": options, "alpha": "1"} for key in ("one", "two")
    ]
    said = part(client, begun(ada, many), outcome="one", explained="two")
    assert "Together they have too many answers to say here what would show." in said


def test_without_two_questions_there_is_no_such_part(client, ada):
    assert TITLE not in words(get(client, begun(ada, UNFINISHED)))
    assert TITLE not in words(get(client, begun(ada, THREE[:1])))
