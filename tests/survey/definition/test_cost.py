"""No permitted definition makes others wait: its cost is bounded, and a sentence states the bound (P12)."""

import time

import pytest

from ldp.forms.report import alone
from ldp.mechanisms import of
from ldp.results import results
from surveys.survey import definition as definitions
from surveys.survey import mechanisms
from surveys.survey.definition import cost
from tests.support import vectors

BINS = {"kind": "histogram", "text": "?", "edges": [str(i) for i in range(257)], "mechanism": "laplace"}
YES = {"kind": "yes_no", "text": "?", "alpha": "1"}
GRID = {"kind": "grid", "text": "?", "items": [f"{i}" for i in range(20)], "options": [f"{i}" for i in range(50)]}


def built(*questions):
    draft = {"title": "x", "questions": [{"key": f"q{i}", "alpha": "0.01"} | q for i, q in enumerate(questions)]}
    return alone(definitions.build(draft))


def refused(*questions):
    with pytest.raises(definitions.DraftRefused) as refusal:
        built(*questions)
    (one,) = refusal.value.refusals
    return one.field, one.rule


def test_what_is_estimated_counts_options_items_and_methods():
    assert [cost.estimates(question) for question in built(BINS, YES)] == [2 * 256, 2]
    assert [cost.estimates(question) for question in built(GRID)] == [20 * 50]
    mean = {"kind": "mean", "text": "?", "low": "0", "high": "1"}
    many = {"kind": "multiple_choice", "text": "?", "options": list("abc"), "prefer_not_to_say": True}
    assert [cost.estimates(question) for question in built(mean, many)] == [1, 4]


def test_the_methods_that_are_counted_are_those_that_estimate():
    for question in alone(definitions.build(vectors.EVERY_KIND)):
        assert mechanisms.of(question).scores.keys() == of(question).moments().keys()


def test_it_is_what_the_results_hold():
    for question in built(BINS | {"edges": ["0", "1", "2", "3"]}, YES):
        d, methods = len(question["options"]), 2 if question["mechanism"] == "laplace" else 1
        totals = {"sum": [5] * d, "threshold": [5] * d} if methods == 2 else {"support": [5] * d}
        (result,) = results(question, totals, 20, 0.95)
        assert sum(len(method["categories"]) for method in result["methods"]) == cost.estimates(question)


def test_the_survey_that_kept_every_other_from_being_counted_is_refused_at_once():
    started = time.process_time()
    field, rule = refused(*[BINS] * 200)
    assert field == "questions[1]" and "options times methods" in rule and str(cost.ESTIMATES_MAX) in rule
    assert time.process_time() - started < 2, "what lies behind the bound is not computed"


def test_the_bound_is_met_exactly():
    assert len(built(GRID)) == 1
    assert refused(GRID, YES)[0] == "questions[1]"
    assert len(built(*[YES] * 200)) == 200


def test_all_tables_together_are_bounded():
    """A respondent's browser loads all tables and proves what they guarantee."""
    noise = {"kind": "mean", "text": "?", "low": "0", "high": "1", "mechanism": "laplace_mean"}
    two = {"title": "x", "questions": [{"key": f"q{i}", "alpha": "0.01"} | noise for i in range(2)]}
    assert len(definitions.canonical(definitions.build(two))) < 225_000
    field, rule = refused(noise, noise, noise)
    assert field == "questions[2]" and "fewer questions like this one" in rule
