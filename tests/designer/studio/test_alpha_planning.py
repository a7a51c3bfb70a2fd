"""The privacy page of a draft shows what known shares, groups, weights and the next wave would show."""

from fractions import Fraction

import numpy as np
import pytest

from ldp.forms.report import alone
from ldp.inference.variables import variable
from ldp.planning import groups, known, waves
from ldp.planning.arms import Arm
from ldp.planning.associations import of_ways
from ldp.planning.expectation import Way
from ldp.regression import expectation
from ldp.weighting import raking
from surveys.designer.studio.next_wave import declare
from surveys.figures import numerals
from surveys.life.versions import new_version
from surveys.models import Membership, Role
from surveys.researcher.analyses.frame.planning import rounded
from surveys.survey.definition import build
from tests.support.alpha import UNFINISHED, begun, get, words
from tests.support.factories import draft, opened_survey
from tests.support.form_cases import DRAFT as FORMS

pytestmark = pytest.mark.django_db

WHOLE = Fraction(1)
THREE = [
    {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "2"},
    {"key": "where", "kind": "single_choice", "text": "Where?", "options": ["Town", "Farm", "Sea"], "alpha": "2"},
    {"key": "sex", "kind": "single_choice", "text": "Sex?", "options": ["Female", "Male"], "alpha": "2"},
]


def part(client, survey, name, **query):
    page = get(client, survey, **query)
    return words(page[page.index(f'id="{name}"') :].partition("</section>")[0])


def built(survey):
    return {each["key"]: each for each in alone(build(survey.draft))}


# Known shares ---------------------------------------------------------------------------------------------------------


def test_a_known_share_has_its_chance_its_people_and_the_smallest_departure(client, ada):
    survey = begun(ada, THREE, n=2000)
    assert "Its true share" in part(client, survey, "known") and "smallest" not in part(client, survey, "known")
    text = part(client, survey, "known", answer="where:2", share="40 %", departure="5")
    one = Arm(built(survey)["where"], WHOLE)
    chance = numerals.percent(round(known.power(one, 0.4, 0.05, 2000), 2))
    assert (
        "If “Farm” is answered 5 points more or less often than the known 40%, 2,000 people show it with a chance of "
        f"at least {chance}." in text
    )
    assert f"About {numerals.count_up(known.needed(one, 0.4, 0.05))} people would show it" in text
    least = numerals.rounded_up(100 * known.smallest(one, 0.4, 2000))
    assert f"The smallest departure that 2,000 people show with a chance of 80% is {least} points." in text


def test_what_is_no_share_or_can_not_be_is_said(client, ada):
    survey = begun(ada, THREE)
    assert "Type both as numbers" in part(client, survey, "known", answer="where:2", share="many")
    assert "Type both as numbers" in part(client, survey, "known", answer="where:2", share="40", departure="0")
    assert "No share departs so much" in part(client, survey, "known", answer="where:2", share="50", departure="60")


def test_a_form_gets_its_part_of_the_people(client, ada):
    survey = begun(ada, n=6000)
    survey.draft = FORMS
    survey.save()
    text = part(client, survey, "known", answer="drugs:1", share="50", departure="10")
    assert "6,000 people show it with a chance of" in text


# Groups ---------------------------------------------------------------------------------------------------------------


def test_groups_have_their_chance_their_people_and_the_size_of_the_smallest(client, ada):
    survey = begun(ada, THREE, n=3000)
    text = part(client, survey, "groups", groups="where", compared="smokes", apart="25")
    own = [variable(list(built(survey).values()), key) for key in ("where", "smokes")]
    expected, law = of_ways([Way(1, *own)]), groups.law(groups.sizes(3, 1 / 3), 2, 0.25)
    planned = groups.Planned(expected, law, 3 * (1 + 1))
    chance = numerals.percent(rounded(planned.chance(3000)))
    assert (
        "If “Yes” to “Do you smoke?” is 25 points more common among those who answer “Town” to “Where?” than among "
        f"those who answer “Farm”, the page of subgroups shows it with a chance of about {chance}" in text
    )
    assert f"About {numerals.count_up(planned.needed())} people would show it with a chance of 80%." in text
    least = groups.smallest_group(expected, (3, 2), 0.25, 3000, planned.together)
    assert f"may be as small as {numerals.percent(least)} of those who are asked both." in text


def test_where_no_smaller_group_would_do_that_is_said_and_bad_input_too(client, ada):
    survey = begun(ada, THREE, n=300)
    assert "no group may be smaller" in part(client, survey, "groups", groups="where", compared="sex", apart="5")
    assert "Choose two different" in part(client, survey, "groups", groups="where", compared="where")
    assert "above 0" in part(client, survey, "groups", groups="where", compared="sex", apart="x")


def test_questions_of_two_forms_have_no_groups_and_a_joint_form_has_its_own_intervals(client, ada):
    survey = begun(ada, n=6000)
    plain = [{k: v for k, v in each.items() if k != "asked_if"} for each in FORMS["questions"]]
    survey.draft = {**FORMS, "questions": plain}
    survey.save()
    assert "two different forms" in part(client, survey, "groups", groups="drugs", compared="health")
    text = part(client, survey, "groups", groups="drugs", compared="often", apart="40")
    assert "About 2,000 of 6,000 people are asked both" in text and "the page of subgroups shows it" in text


# Weights --------------------------------------------------------------------------------------------------------------


def shares(name, *percents):
    return {f"{name}-share_{place}": share for place, share in enumerate(percents, 1)}


def test_weights_have_the_design_effect_and_effective_sample_size_that_are_expected(client, ada):
    survey = begun(ada, THREE, n=4000)
    chosen = {"weighted": "smokes", "stratum": "where"}
    assert "in the population, in percent" in part(client, survey, "weights", **chosen)
    text = part(client, survey, "weights", **chosen, **shares("where", "60", "30", "10"))
    own = [variable(list(built(survey).values()), key) for key in ("where", "smokes")]
    made = raking.raked(expectation.apart(np.full((3, 2), 1 / 6), own), own, [(0.6, 0.3, 0.1)], 4000)
    assert f"is {numerals.small(made.design_effects[0], 2)} times what it is unweighted" in text
    assert f"as precisely as {numerals.count(made.effective_n[0])} answers without privacy" in text


def test_two_margins_can_be_known_and_shares_that_do_not_add_up_are_refused(client, ada):
    survey = begun(ada, THREE, n=9000)
    chosen = {"weighted": "smokes", "stratum": "where", "second_stratum": "sex"}
    both = shares("where", "50", "30", "20") | shares("sex", "51", "49")
    assert "the design effect" in part(client, survey, "weights", **chosen, **both)
    wrong = part(client, survey, "weights", **chosen, **(both | {"sex-share_1": "60"}))
    assert "must add up to 100%" in wrong and "the design effect" not in wrong


def test_too_few_people_to_weight_by_are_told_how_many_would_do(client, ada):
    survey = begun(ada, THREE, n=50)
    text = part(client, survey, "weights", weighted="smokes", stratum="where", **shares("where", "60", "30", "10"))
    assert "50 people are too few to weight “Do you smoke?”" in text and "would be enough." in text
    assert "Choose different questions." in part(client, survey, "weights", weighted="sex", stratum="sex")


# Waves ----------------------------------------------------------------------------------------------------------------


def test_a_next_wave_says_which_change_would_show(client, ada):
    earlier = opened_survey(draft(questions=THREE), expected_n=1500)
    Membership.objects.create(survey=earlier, user=ada, role=Role.OWNER)
    survey = new_version(earlier, ada)
    assert 'id="changes"' not in get(client, survey)
    declare(survey, ada, earlier)
    survey.refresh_from_db()
    survey.expected_n = 3000
    survey.save()
    page = get(client, survey)
    text = words(page[page.index('id="changes"') :])
    arm = Arm(built(survey)["where"], WHOLE)
    # Two waves of five intervals: one for each question with two answers, three for the other question.
    least = waves.smallest(waves.design(arm, arm, 0.5), 3000, 2 * (1 + 3 + 1))
    assert f"Where? : a change of {numerals.rounded_up(100 * least)} points shows" in text
    assert "With 1,500 people then and 3,000 now" in text and "10 intervals" in text
    opening = client.get(f"/surveys/{survey.pk}/open/").content.decode()
    assert 'id="changes"' in opening


def test_a_question_that_was_asked_otherwise_has_no_change(client, ada):
    earlier = opened_survey(draft(questions=THREE))
    Membership.objects.create(survey=earlier, user=ada, role=Role.OWNER)
    survey = new_version(earlier, ada)
    declare(survey, ada, earlier)
    survey.refresh_from_db()
    survey.draft["questions"][1]["options"] = ["Town", "Sea"]
    survey.save()
    page = get(client, survey)
    text = words(page[page.index('id="changes"') :].partition("</ul>")[0])
    assert "Sex?" in text and "Where?" not in text


def test_a_question_that_is_asked_of_other_people_has_no_change(client, ada):
    """The order of two conditions does not matter; the options of a deciding question do."""
    by = [{"question": "smokes", "options": [0]}, {"question": "where", "options": [0, 1]}]
    routed = [*THREE[:2], THREE[2] | {"asked_if": {"all": by}}]
    earlier = opened_survey(draft(questions=routed))
    Membership.objects.create(survey=earlier, user=ada, role=Role.OWNER)
    survey = new_version(earlier, ada)
    declare(survey, ada, earlier)
    survey.refresh_from_db()

    def with_change(place, **fields):
        survey.draft["questions"] = [dict(each) for each in routed]
        survey.draft["questions"][place] |= fields
        survey.save()
        page = get(client, survey)
        return "Sex?" in words(page[page.index('id="changes"') :].partition("</ul>")[0])

    assert with_change(2, asked_if={"all": by[::-1]})
    page = get(client, survey)
    assert "Sex? : only some people are asked" in words(page[page.index('id="changes"') :])
    assert not with_change(1, options=["Sea", "Farm", "Town"])


def test_where_there_is_nothing_to_ask_about_there_are_no_such_parts(client, ada):
    page = get(client, begun(ada, UNFINISHED))
    assert 'id="groups"' not in page and 'id="weights"' not in page
