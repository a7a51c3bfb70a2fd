"""The planned width of a change between waves is that of the interval in the results, within 3% (M38b)."""

from fractions import Fraction
from itertools import product

import pytest

from benchmarks.crossings_coverage import question
from ldp.inference import intervals
from ldp.inference.reading import moved
from ldp.inference.reading.moved import PublishedShare
from ldp.inference.tallied import Tallied
from ldp.mechanisms import of
from ldp.planning import share_comparisons, waves
from ldp.planning.arms import Arm

WHOLE = Fraction(1)


def published(own, share, n, level):
    """Return the published share of n people with this share of the first answer and equal shares of the others."""
    randomizer = of(own)
    name, moments = randomizer.default()
    others = [(1 - share) / (randomizer.d - 1)] * (randomizer.d - 1)
    totals = [round(n * (float(moments.b) + float(moments.gap) * each)) for each in (share, *others)]
    tallied = Tallied(moments, randomizer.pairs().get(name), totals, n)
    span = tallied.interval(0, level, "population")
    return PublishedShare(float(tallied.shares[0]), span, moved.sampled(tallied, 0, span))


@pytest.mark.parametrize("mechanism", ["randomized_response", "bitwise", "randomized_response 2", "laplace"])
@pytest.mark.parametrize("d", [2, 3, 8])
@pytest.mark.parametrize("alpha", ["0.5", "1", "2", "4"])
def test_the_planned_width_of_a_change_is_that_of_its_interval(mechanism, d, alpha):
    own = question("a", mechanism, d, alpha)
    for n, ratio, change, together in product((300, 1000, 5000), (0.5, 1, 3), (0, 0.1), (1, 12)):
        level = intervals.bonferroni(0.95, together)
        now, before = (
            published(own, 0.5 + sign * change / 2, round(n * part), level) for sign, part in ((1, 1), (-1, ratio))
        )
        if not any(one.interval.low <= 0 or one.interval.high >= 1 for one in (now, before)):
            low, high = moved.interval(before, now)
            planned = waves.design(Arm(own, WHOLE), Arm(own, WHOLE), ratio)
            width = share_comparisons.half_width(planned, change, 2 * (1 - level), n)
            assert width == pytest.approx((high - low) / 2, rel=0.03)
