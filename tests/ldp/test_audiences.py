"""The most that readers of a survey's published results can learn (M49)."""

from fractions import Fraction

import pytest

from ldp.central.shuffled import delta, guarantee
from ldp.forms.audiences import DELTA, Reports, audiences, chance, planned, readers

ONE, TWO, FOUR = Fraction(1), Fraction(2), Fraction(4)
WHOLE = Reports([TWO], [ONE], "survey", True)
FORMS = Reports([TWO, FOUR], [Fraction(3, 4), Fraction(1, 4)], "form", True)
GROUPS = Reports([TWO, TWO], [Fraction(1, 2)] * 2, "group", True)


def test_a_report_is_hidden_among_those_of_the_smallest_step():
    found = audiences(WHOLE, [[200], [300], [1000]], once=False)
    assert (found.step.n, found.together) == (100, None)
    assert found.step.epsilon == guarantee(2.0, 100, 1e-6)
    assert audiences(WHOLE, [[1000]], once=True).step.epsilon == guarantee(2.0, 1000, 1e-6)


def test_a_release_that_adds_no_report_of_a_form_is_no_step_of_it():
    found = audiences(FORMS, [[400, 0], [400, 300], [900, 300]], once=False)
    assert (found.step.alpha, found.step.n) == (FOUR, 300)
    assert found.step.epsilon == max(guarantee(2.0, 400, 1e-6), guarantee(4.0, 300, 1e-6))


def test_other_forms_hide_a_report_only_where_a_survey_publishes_once():
    assert audiences(FORMS, [[3000, 1000]], once=False).together is None
    found = audiences(FORMS, [[3000, 1000]], once=True)
    assert (found.together.n, found.together.alpha) == (4000, FOUR), "as likely as not it is the form with most alpha"
    assert found.together.epsilon < found.step.epsilon == guarantee(4.0, 1000, 1e-6)


def test_other_groups_never_hide_a_report():
    found = audiences(GROUPS, [[3000, 1000]], once=True)
    assert (found.step.n, found.together) == (1000, None)


def test_nothing_is_said_before_anything_is_published():
    assert audiences(FORMS, [], once=False) is None and audiences(FORMS, [[0, 0]], once=True) is None
    assert planned(FORMS, 20, 100, 20, once=True) is None, "15 and 5 reports"


def test_reports_that_leave_a_chance_out_have_alpha_itself():
    found = audiences(WHOLE._replace(pure=False), [[10_000]], once=True)
    assert found.step.epsilon == 2 and not found.step.less


@pytest.mark.parametrize("n", [20, 1000, 100_000, 10**6])
def test_delta_is_a_millionth_or_a_tenth_of_one_report(n):
    assert chance(n) <= DELTA and 10 * n * chance(n) <= 1
    found = readers(TWO, n)
    assert delta(found.epsilon, 2.0, n) <= float(found.delta) or found.epsilon == 2


def test_few_reports_have_alpha_itself():
    assert not readers(FOUR, 100).less and readers(FOUR, 100).epsilon <= 4
    assert not readers(TWO, 20).less and readers(TWO, 1000).less


@pytest.mark.parametrize(
    ("people", "once", "n"),
    [(150, False, 150), (199, False, 199), (200, False, 100), (5000, False, 100), (5000, True, 5000)],
)
def test_a_planned_step_is_a_batch_as_soon_as_there_can_be_two(people, once, n):
    assert planned(WHOLE, people, 100, 20, once).step.n == n


def test_forms_with_too_few_people_hide_no_one():
    assert planned(FORMS, 79, 100, 20, once=True).together.n == 59, "19 reports of the second form are erased"
