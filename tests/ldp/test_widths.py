"""Planned half-widths, by which is judged what a release allows to be said."""

from fractions import Fraction

import pytest

from ldp.mechanisms import MECHANISMS
from ldp.planning import plans, stopping, widths
from ldp.planning.outlook import HOPELESS
from tests.ldp.test_running import BUILT

CONFIDENCE = 0.95


@pytest.mark.parametrize("key", BUILT)
@pytest.mark.parametrize("every_look", [False, True])
def test_the_number_of_reports_that_says_something_is_where_the_planned_width_is_half_the_scale(key, every_look):
    question = BUILT[key]
    n = (
        stopping.reports_needed(question, HOPELESS, CONFIDENCE)
        if every_look
        else plans.informative_n(question, CONFIDENCE)
    )
    fewer, more = (widths.half_width(question, round(factor * n), CONFIDENCE, every_look) for factor in (0.9, 1.02))
    assert more <= HOPELESS < fewer


def test_the_planned_width_is_cut_nowhere():
    """At alpha .01 a thousand reports tell nothing, whatever their estimate is."""
    question = BUILT["rr"] | {"alpha": "0.01"}
    question["table"] = MECHANISMS["randomized_response"].table(Fraction("0.01"), 2)
    assert widths.half_width(question, 1000, CONFIDENCE) > 5
