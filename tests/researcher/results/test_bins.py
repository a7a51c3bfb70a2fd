"""The names of ranges of a histogram's bins in results."""

from types import SimpleNamespace
from typing import Any

import pytest

from ldp.forms.report import alone
from ldp.inference.tallied import of_question
from ldp.mechanisms import of
from surveys.researcher.analyses.regressions.options import scores
from surveys.researcher.results.question.histogram import of_bins
from surveys.researcher.results.question.readings import mean_of_bins
from surveys.survey import definition as definitions


def called(first: int, last: int, **fields: Any) -> str:
    released: Any = SimpleNamespace(question={"edges": ["0", "1", "3", "21", "61"], "unit": "drinks"} | fields)
    return of_bins(released, first, last)


def test_ranges_of_whole_numbers_are_called_by_the_numbers_that_they_hold():
    assert called(0, 0, limits="whole") == "0 drinks" and called(1, 1, limits="whole") == "1 to 2 drinks"
    assert called(0, 2, limits="whole") == "0 to 20 drinks"
    assert called(3, 3, limits="whole") == "21 or more drinks" and called(0, 3, limits="whole") == "any number"


def test_edges_are_called_the_same_however_they_are_written():
    ends = ["0.0", "1.0", "3.00", "21", "61.0"]
    assert called(1, 1, edges=ends, limits="whole") == "1 to 2 drinks"
    assert called(1, 2, edges=ends) == "1 to under 21 drinks"


@pytest.mark.parametrize(("limits", "high"), [({"limits": "whole"}, 1.0), ({"limits": "decimal"}, 2.0), ({}, 2.0)])
def test_a_bin_of_one_whole_number_has_its_mean(limits, high):
    """Each of the bins 0, 1 and 2 has a third of the reports."""
    draft = [{"key": "k", "kind": "histogram", "text": "?", "alpha": "4", "edges": ["0", "1", "2", "3"]} | limits]
    [question] = alone(definitions.build({"title": "?", "questions": draft}))
    [(_, own)] = of_question(question, {total_of(question): [2000] * 3}, 6000)
    released: Any = SimpleNamespace(question=question, shared_totals=own)
    mean = mean_of_bins(released, 0.95, "population")
    assert (mean.estimate, mean.estimate_high) == (pytest.approx(1), pytest.approx(high))
    assert mean.interval is not None and mean.interval[0] < 1 and high < mean.interval[1]
    variable: Any = SimpleNamespace(question=question, scale=None, options=question["options"])
    assert scores(variable) == ((0, 1, 2) if high == 1 else (0.5, 1.5, 2.5))


def total_of(question):
    return of(question).default()[0]


def test_ranges_of_any_numbers_are_called_by_their_edges():
    assert called(0, 0) == "under 1 drinks" and called(1, 2) == "1 to under 21 drinks"
