"""A fit names the number of reports, or the total alpha, that would show an odds ratio of 2. The tests compare it with
the planner's inverse and with simulated surveys (M40)."""

import math
from fractions import Fraction

import numpy as np
import pytest

from benchmarks.crossings_coverage import question
from ldp import search
from ldp.inference.variables import variable
from ldp.mechanisms import MECHANISMS
from ldp.planning import regressions
from ldp.regression import expectation
from ldp.regression.fitting import fit
from ldp.regression.reach import _Other, least_effect, reaches
from ldp.regression.sample import JointSample
from ldp.regression.specification import Covariate, Specification
from tests.ldp.test_planned_regressions import asked, counted, logistic, reported, shown, together


def first(model, sample, own):
    """Return the first coefficient's reach, and the fit."""
    solution = fit(model, sample)
    return reaches(solution, own)[regressions.first_coefficient(solution.terms)], solution


CELLS = [
    ("logistic", 1, ("randomized_response", "randomized_response"), (2, 2), "1", 1200),
    ("logistic", 0, ("bitwise", "randomized_response"), (2, 3), "1", 3000),
    ("ordered", 0, ("exponential", "randomized_response 2"), (4, 3), "1.5", 3000),
    ("multinomial", 0, ("laplace", "randomized_response"), (3, 3), "2", 1500),
]


@pytest.mark.parametrize(("name", "reference", "mechanisms", "shape", "alpha", "n"), CELLS, ids=str)
def test_of_what_is_expected_it_is_what_the_planner_says(name, reference, mechanisms, shape, alpha, n):
    """The planner also counts surveys that are refused as too few, so it asks for a little more."""
    model, own = logistic(reference, name), asked(mechanisms, shape, alpha)
    pair, law = regressions.SeparatePair(*own), regressions.law(logistic(reference, name), shape, 2.0)
    sample = pair.expected(law)
    reach, solution = first(model, sample, own)
    place = regressions.first_coefficient(solution.terms)
    part = n / solution.n
    error = solution.standard_errors[place] / math.sqrt(part)
    assert reach["reports"] == pytest.approx(regressions.needed(solution), rel=0.1)
    assert reach["smallest"] == pytest.approx(least_effect(solution.standard_errors[place]))
    planned = regressions.alpha_needed(pair, model, law, n)
    found = alpha_for(solution, own, place, error)
    assert found is not None and planned is not None and found <= planned + 1e-9 and planned - found < 0.5


def alpha_for(solution, own, place, error):
    """Return the alpha that a fit of fewer reports with this standard error would name."""
    return _Other(solution, tuple(own)).needed(place, error)


def test_so_it_is_where_both_share_a_draw():
    form, model = together("1"), logistic()
    own = [form.outcome, form.covariate]
    law = regressions.law(model, (2, 2), 2.0)
    keep = form.outcome.question["table"]["keep"]
    whole = expectation.together(np.repeat(law.ravel() / 3, 3).reshape(2, 2, 3), keep, (1, 1, 1))
    solution = fit(model, JointSample(whole.tally, (0, 1)))
    place = regressions.first_coefficient(solution.terms)
    planned = regressions.alpha_needed(form, model, law, 4000)
    found = alpha_for(solution, own, place, solution.standard_errors[place] * math.sqrt(solution.n / 4000))
    assert planned is not None and found == pytest.approx(planned, abs=0.31) and found > form.alpha


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("jointly", [False, True])
def test_under_the_alpha_that_a_fit_names_simulated_surveys_show_it_as_often_as_promised(jointly, length):
    """The named alpha is that for the errors of one survey's fit, the median of twenty."""
    model, generator = logistic(), np.random.default_rng(12)
    law = regressions.law(model, (2, 2), 2.0)
    if jointly:
        form, n = together("2"), 1600
        own = [form.outcome, form.covariate]
        samples = [counted(form, law, n, generator) for _ in range(20)]
    else:
        own, n = asked(["randomized_response", "bitwise"], (2, 2), "1.5"), 1500
        samples = [reported(own, law, n, generator) for _ in range(20)]
    alphas = [first(model, sample, own)[0]["alpha"] for sample in samples]
    alpha = f"{np.median(alphas):.1f}"
    if jointly:
        larger = together(alpha)
        found = sum(shown(model, counted(larger, law, n, generator)) for _ in range(length.surveys))
    else:
        larger = asked(["randomized_response", "bitwise"], (2, 2), f"{float(alpha) / 2:.2f}")
        found = sum(shown(model, reported(larger, law, n, generator)) for _ in range(length.surveys))
    assert float(alpha) > float(own[0].question["alpha"]) and abs(found / length.surveys - search.POWER) < length.near


def gaussian_question(key):
    """Return a question whose table does not follow from alpha alone."""
    delta = Fraction(1, 1000)
    table = MECHANISMS["gaussian"].table(Fraction(4), 2, delta=delta)
    made = question(key, "randomized_response", 2, "4") | {"mechanism": "gaussian", "delta": "0.001", "table": table}
    return made | {"kind": "histogram"}


def test_of_a_linear_model_only_the_smallest_effect_is_told_and_of_some_tables_no_alpha():
    own = [variable([question(key, "randomized_response", 3, "3")], key) for key in "ya"]
    model = Specification("linear", "y", (Covariate("a"),))
    sample = regressions.SeparatePair(*own).expected(np.full((3, 3), 1 / 9))
    assert {(each["reports"], each["alpha"]) for each in reaches(fit(model, sample), own)} == {(None, None)}
    own = [variable([gaussian_question(key)], key) for key in "ya"]
    sample = regressions.SeparatePair(*own).expected(np.full((2, 2), 1 / 4))
    assert all(each["alpha"] is None for each in reaches(fit(logistic(), sample), own))
