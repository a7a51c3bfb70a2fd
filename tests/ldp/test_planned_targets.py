"""A planned width is that of the interval in the results, about a population and about exactly these respondents."""

import math

import pytest

from ldp.forms.report import alone
from ldp.planning import thirds
from ldp.planning.outlook import quantile
from ldp.results import results
from surveys.survey import definition
from tests.ldp.test_running import BUILT, expected_totals

CONFIDENCE, N = 0.95, 2000
MORE = [
    {"key": "five", "kind": "single_choice", "text": "x", "alpha": "1", "options": list("abcde")},
    {"key": "bits", "kind": "single_choice", "text": "x", "alpha": "2", "options": list("abcdefghi")}
    | {"mechanism": "bitwise"},
    {"key": "ends", "kind": "mean", "text": "x", "alpha": "1", "low": 0, "high": 10, "mechanism": "laplace_mean"},
]
QUESTIONS = BUILT | {q["key"]: q for q in alone(definition.build({"title": "t", "questions": MORE}))}
# For sums of many scores, exact intervals are a little wider than normal ones.
CLOSE = {"laplace": 0.06, "ends": 0.06, "exponential": 0.06, "sums": 0.06}


def categories(key):
    found = results(QUESTIONS[key], expected_totals(QUESTIONS[key], N), N, CONFIDENCE)
    return [category for result in found for category in result["methods"][0]["categories"]]


def scale(key):
    return 10.0 if QUESTIONS[key]["kind"] == "mean" else 1.0


@pytest.mark.parametrize("target", ["population", "respondents"])
@pytest.mark.parametrize("key", QUESTIONS)
def test_the_planned_width_is_that_of_the_results_where_answers_are_equally_common(key, target):
    planned = thirds.built_half_width(QUESTIONS[key], N, CONFIDENCE, target)
    widths = [high - low for low, high in (category[target]["simultaneous"] for category in categories(key))]
    # Neighbours may be harder to distinguish than ends: the plan is the mean of squares over a question's answers.
    near = max(CLOSE.get(key, 0.02) * planned, 1 / N if target == "respondents" else 0)
    assert math.hypot(*widths) / math.sqrt(len(widths)) / 2 / scale(key) == pytest.approx(planned, abs=near)


@pytest.mark.parametrize("target", ["population", "respondents"])
@pytest.mark.parametrize("key", ["rr", "five", "bits"])
def test_both_come_from_the_same_standard_error(key, target):
    question, errors = QUESTIONS[key], [category[target]["standard_error"] for category in categories(key)]
    addition = thirds.of_question(question).addition / N
    planned = thirds.built_half_width(question, N, CONFIDENCE, target) - addition
    assert max(errors) * quantile(CONFIDENCE, 1 if key == "rr" else len(question["options"])) == pytest.approx(
        planned, rel=2e-3
    )


@pytest.mark.parametrize("key", QUESTIONS)
def test_a_width_of_those_who_take_part_is_never_more_than_a_populations(key):
    about = {t: thirds.built_half_width(QUESTIONS[key], N, CONFIDENCE, t) for t in ("population", "respondents")}
    assert about["respondents"] <= about["population"]
    same = key in ("exponential", "several", "grid", "bit")
    assert same == (about["respondents"] == about["population"])
