"""Decimals that show what an interval leaves out (M40)."""

import pytest

from surveys.figures.numerals import outward
from surveys.regressions.texts import _ratios


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


def test_an_interval_of_odds_ratios_that_leaves_out_1_looks_so():
    assert _ratios(0.0004, 0.3) == "1.0004 to 1.3499" and _ratios(-0.2, -0.0004) == "0.8187 to 0.9996"
    assert _ratios(-0.0004, 0.3) == "1.000 to 1.35" and _ratios(0.1, 0.3) == "1.11 to 1.35"
