"""Decimals that show what an interval excludes (M40)."""

import re
from fractions import Fraction
from types import SimpleNamespace

import pytest
from django.utils.translation import override

from ldp.inference.intervals import Interval
from ldp.inference.tallied import Tallied
from ldp.mechanisms import randomized_response
from ldp.scores import EXCLUSIVE
from surveys.figures.numerals import corrected, outward
from surveys.researcher.analyses.frame.comparison import Comparison, numbers
from surveys.researcher.analyses.regressions.texts import _ratios
from surveys.researcher.results.question import worth
from surveys.researcher.results.question.parts import number_span, span


@pytest.mark.parametrize(
    ("low", "high", "decimals", "shown"),
    [
        (0.076, 2.94, 1, ("0.07", "2.94")),
        (-2.94, -0.076, 1, ("−2.94", "−0.07")),
        (0.0004, 0.2, 1, ("0.0004", "0.2000")),
        (-0.076, 2.94, 1, ("−0.1", "3.0")),
        (0.0, 2.94, 1, ("0.0", "3.0")),
        (0.5, 2.94, 1, ("0.5", "3.0")),
    ],
)
def test_an_interval_that_leaves_out_0_never_looks_as_if_it_held_it_nor_the_other_way_round(low, high, decimals, shown):
    assert outward(low, high, decimals, 0.0) == shown


def test_a_difference_that_is_named_and_a_value_that_is_excluded_never_look_as_if_they_were_within():
    named = Comparison(0, 1, 0.02, Interval(0.0003, 0.04), 0.001, 0.002, True, "")
    assert numbers(named, 1)[1] == "0.03 to 4.00"
    assert span(Interval(0.3002, 0.4), 1, 0.3) == "30.02 to 40.00" and span(Interval(0.3002, 0.4), 1) == "30.0 to 40.0"
    assert number_span((0.3002, 0.4), 1, "m", 0.3) == "0.3002 to 0.4000 m"


def test_reports_are_said_to_be_worth_no_fewer_answers_than_they_are():
    moments = randomized_response.moments(randomized_response.table(Fraction(1, 2), 2), 2)["support"]
    for n in range(400, 900, 7):
        tallied = Tallied(moments, EXCLUSIVE, [n // 2, n - n // 2], n)
        [said] = worth._rare(SimpleNamespace(rows=[(tallied, 0)]))
        answers = int(re.search(r"no more than (\d+) answers", said)[1])
        assert answers - 1 < tallied.effective_n(worth.RARE) <= answers


def test_an_interval_of_odds_ratios_that_leaves_out_1_looks_so():
    assert _ratios(0.0004, 0.3) == "1.0004 to 1.3499" and _ratios(-0.2, -0.0004) == "0.8187 to 0.9996"
    assert _ratios(-0.0004, 0.3) == "1.000 to 1.35" and _ratios(0.1, 0.3) == "1.11 to 1.35"


@pytest.mark.parametrize(
    ("comparisons", "text", "german"), [(1, "95%", "95 %"), (3, "98.33%", "98,33 %"), (2000, "99.9975%", "99,9975 %")]
)
def test_a_confidence_for_many_comparisons_never_seems_certain(comparisons, text, german):
    assert corrected(1 - 0.05 / comparisons) == text
    with override("de"):
        assert corrected(1 - 0.05 / comparisons) == german.replace(" ", "\N{NO-BREAK SPACE}")
