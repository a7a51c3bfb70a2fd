"""Forms (M35, M39): the draw is exact, and who was asked what, under which alpha, is as it is said."""

from collections import Counter
from fractions import Fraction

import pytest

from ldp import exact
from ldp.forms import lot
from ldp.forms.questionnaire import Form, Questionnaire
from tests.support.channels import replay


@pytest.mark.parametrize("weights", [(1,), (1, 1), (1, 2, 3), (5, 1, 4, 6)])
def test_a_form_is_drawn_with_exactly_its_weight(weights, monkeypatch):
    """Every integer below a small resolution is tried, whole and not a multiple of the weights' sum."""
    for resolution in (sum(weights), 7 * sum(weights) + 3):
        monkeypatch.setattr(exact, "RESOLUTION", resolution)
        end = resolution - resolution % sum(weights)
        drawn = Counter(lot.draw(weights, replay([u])) for u in range(end))
        law = [Fraction(drawn[form], end) for form in range(len(weights))]
        assert law == lot.chances(weights)
        for u in range(end, resolution):
            assert lot.draw(weights, replay([u, 0])) == lot.draw(weights, replay([0])), "drawn again, not favoured"


def test_at_full_resolution_every_weight_counts_alike():
    weights = (3, 1, 2)
    assert [lot.draw(weights, replay([u])) for u in range(12)] == [0, 0, 0, 1, 2, 2] * 2


@pytest.mark.parametrize("weights", [(), (0,), (-1, 2), (1.0,), (True,), (lot.WEIGHT_MAX + 1,)])
def test_what_is_no_weight_is_refused(weights):
    with pytest.raises(ValueError):
        lot.check(weights)


HALF, ONE, TWO = Fraction(1, 2), Fraction(1), Fraction(2)
SURVEY = Questionnaire(
    {"region": HALF},
    (
        Form(2, ("drugs", "debts"), (ONE,), joint=True),
        Form(1, ("health",), (TWO,)),
        Form(1, ("age", "vote"), (ONE, HALF)),
    ),
)


def test_a_report_has_the_alpha_of_its_own_form_and_of_what_everybody_is_asked():
    assert [SURVEY.total(form) for form in range(3)] == [Fraction(3, 2), Fraction(5, 2), TWO]


def test_the_surveys_alpha_is_the_largest_of_its_reports():
    assert SURVEY.alpha == Fraction(5, 2)


def test_a_survey_is_as_weak_as_the_weakest_of_its_reports():
    assert SURVEY.strength == "weak"
    assert Questionnaire({}, SURVEY.forms[:1]).strength == "strong"


def test_a_joint_form_has_one_alpha_for_all_its_answers():
    joint, separate = Form(1, ("a", "b", "c"), (ONE,), joint=True), Form(1, ("a", "b", "c"), (ONE, ONE, ONE))
    assert (joint.alpha, separate.alpha) == (1, 3)


def test_reports_are_about_both_questions_where_somebody_was_asked_both():
    assert SURVEY.reports_about("drugs", "debts") == {0}
    assert SURVEY.reports_about("region", "health") == {1}
    assert SURVEY.reports_about("region") == {0, 1, 2}
    assert SURVEY.reports_about("drugs", "health") == frozenset(), "nobody was asked both"
    with pytest.raises(KeyError):
        SURVEY.reports_about("drugs", "weather")


def test_a_survey_without_forms_is_one_form_for_everybody():
    whole = Questionnaire({}, (Form(1, ("a", "b"), (ONE, TWO)),))
    assert whole.alpha == 3 and whole.reports_about("a", "b") == {0}


def test_no_question_is_asked_twice():
    with pytest.raises(ValueError):
        Questionnaire({"a": ONE}, (Form(1, ("a",), (ONE,)),))
    with pytest.raises(ValueError):
        Questionnaire({}, (Form(1, ("a",), (ONE,)), Form(1, ("b", "a"), (ONE,), joint=True)))


def test_a_form_has_as_many_alphas_as_it_spends():
    for questions, alphas, joint in [((), (), False), (("a", "b"), (ONE,), False), (("a", "b"), (ONE, ONE), True)]:
        with pytest.raises(ValueError):
            Form(1, questions, alphas, joint)
