"""Forms (M35, M39): the draw is exact, and each form has the stated questions and alphas."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from ldp import exact
from ldp.forms import lot
from ldp.forms.questionnaire import Questionnaire, QuestionnaireDraw, QuestionnaireForm
from ldp.mechanisms import randomized_response
from ldp.planning import meaning
from tests.support.channels import replay


@pytest.mark.parametrize("weights", [(1,), (1, 1), (1, 2, 3), (5, 1, 4, 6)])
def test_a_form_is_drawn_with_exactly_its_weight(weights, monkeypatch):
    """Every integer below a small resolution is tried, once a multiple of the weights' sum and once not."""
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


def form(weight, *draws):
    """Return a form of draws, each an alpha and the keys of its questions."""
    return QuestionnaireForm(weight, tuple(QuestionnaireDraw(keys, alpha) for alpha, keys in _tuples(draws)))


def _tuples(draws):
    return ((alpha, tuple(keys)) for alpha, *keys in draws)


SURVEY = Questionnaire(
    form(1, (HALF, "region")).draws,
    (form(2, (ONE, "drugs", "debts")), form(1, (TWO, "health")), form(1, (ONE, "age"), (HALF, "vote"))),
)


def test_a_report_has_the_alpha_of_its_own_form_and_of_what_everyone_is_asked():
    assert [SURVEY.total(form) for form in range(3)] == [Fraction(3, 2), Fraction(5, 2), TWO]


def test_the_surveys_alpha_is_the_largest_of_its_reports():
    assert SURVEY.alpha == Fraction(5, 2)


def test_a_survey_is_as_weak_as_the_weakest_of_its_reports():
    assert SURVEY.strength == "weak"
    assert Questionnaire((), SURVEY.forms[:1]).strength == "strong"


def test_a_draw_has_one_alpha_for_all_its_answers():
    one, each = form(1, (ONE, "a", "b", "c")), form(1, (ONE, "a"), (ONE, "b"), (ONE, "c"))
    assert (one.alpha, each.alpha) == (1, 3) and one.questions == each.questions == ("a", "b", "c")


def test_reports_are_about_both_questions_where_someone_was_asked_both():
    assert SURVEY.reports_about("drugs", "debts") == {0}
    assert SURVEY.reports_about("region", "health") == {1}
    assert SURVEY.reports_about("region") == {0, 1, 2}
    assert SURVEY.reports_about("drugs", "health") == frozenset(), "nobody was asked both"
    with pytest.raises(KeyError):
        SURVEY.reports_about("drugs", "weather")


def test_a_survey_without_forms_is_one_form_for_everyone():
    whole = Questionnaire(form(1, (ONE, "a"), (TWO, "b")).draws, (form(1),))
    assert whole.alpha == 3 and whole.reports_about("a", "b") == {0}


def posterior(prior, channel, z):
    """Return the chance that the first answer is 1 after report z."""
    weights = {x: chance * channel(x, z) for x, chance in prior.items()}
    return sum(weight for (first, _), weight in weights.items() if first) / sum(weights.values())


@pytest.mark.parametrize("alpha", ["0.5", "2", "4"])
def test_a_belief_in_one_answer_moves_as_far_as_the_whole_report_allows_and_no_farther(alpha):
    """The second answer may reveal the first. Two equal answers reach the bound, and so do two draws."""
    sizes, total = (2, 2), Fraction(alpha)
    table, half = (randomized_response.table(*own) for own in ((total, sizes), (total / 2, 2)))
    together, alone = meaning.draw_factor(table, sizes), meaning.draw_factor(half, (2,))
    assert together <= exact.exp_below(total)

    def one_draw(x, z):
        lam = randomized_response.keep(table)
        return (1 - lam) / 4 + (lam if x == z else 0)

    def two_draws(x, z):
        _, other = randomized_response.chances(half, 2)
        return (1 - other if x[0] == z[0] else other) * (1 - other if x[1] == z[1] else other)

    tenth = Fraction(1, 10)
    priors = [{(0, 0): 8 * tenth, (1, 1): 2 * tenth}, dict.fromkeys(product((0, 1), repeat=2), Fraction(1, 4))]
    for channel, factor in ((one_draw, together), (two_draws, alone**2)):
        for prior in priors:
            held = meaning.belief(sum(chance for (first, _), chance in prior.items() if first), factor)
            after = [posterior(prior, channel, z) for z in product((0, 1), repeat=2)]
            assert held.low <= min(after) and max(after) <= held.high
            if prior is priors[0]:
                assert (min(after), max(after)) == held


def test_no_question_is_asked_twice():
    with pytest.raises(ValueError):
        Questionnaire(form(1, (ONE, "a")).draws, (form(1, (ONE, "b", "a")),))
    with pytest.raises(ValueError):
        Questionnaire((), (form(1, (ONE, "a"), (ONE, "b", "a")),))


def test_a_question_of_two_forms_is_in_the_reports_of_both():
    found = Questionnaire((), (form(1, (ONE, "a", "b")), form(1, (ONE, "b", "c")), form(1, (ONE, "c"))))
    assert found.reports_about("b") == {0, 1} and found.reports_about("b", "c") == {1}


def test_a_draw_is_about_something():
    with pytest.raises(ValueError):
        QuestionnaireDraw((), ONE)
