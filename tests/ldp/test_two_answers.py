"""Of two answers of which each report names one, the intervals are mirror images: 1 less the ends of one are those of
the other, at every total, for both targets, for one look and for all."""

from fractions import Fraction

import pytest

from ldp.inference import intervals, published
from ldp.inference.estimates import TARGETS
from ldp.mechanisms import joint, randomized_response, subset

N = 23
ROUNDING = 1e-12


def moments_of(way, alpha):
    """The channel of a yes/no question: asked by itself, and in a joint form with one of three answers."""
    if way == "joint":
        table = joint.marginal(joint.table(alpha, (2, 3)), (2, 3), (0,))
        return joint.moments(table, (2,))["support"]
    mechanism = {"randomized_response": randomized_response, "subset": subset}[way]
    return mechanism.moments(mechanism.table(alpha, 2), 2)["support"]


@pytest.mark.parametrize("every_look", [False, True])
@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(1), Fraction(3)])
@pytest.mark.parametrize("way", ["randomized_response", "subset", "joint"])
def test_the_intervals_of_two_answers_are_mirror_images(way, alpha, every_look):
    spans = published.of(moments_of(way, alpha), N, every_look)
    for target in TARGETS:
        for confidence in (0.95, intervals.bonferroni(0.95, 2)):
            for total in range(N + 1):
                yes, no = (spans.interval([total, N - total], j, confidence, target) for j in (0, 1))
                assert yes.low == pytest.approx(1 - no.high, abs=ROUNDING)
                assert yes.high == pytest.approx(1 - no.low, abs=ROUNDING)
