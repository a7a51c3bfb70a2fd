"""The mean rank of an item that people put in order among k (M32e): 1, and the shares of the k - 1 others that stand
before it, each told by its own pair's reports.

No report is about two pairs, and which one is drawn apart from the answers. So in a population the scores of all pairs
are independent, each within a range of 1/(p - q), and by Hoeffding's inequality (1963) the mean rank is further than

    t = sqrt(ln(2/delta)/2 * sum over the pairs of 1/(n (p - q)^2)),   n the reports about a pair,

from its estimate with a chance of at most delta: proved, about 1.4 times as wide as a normal interval. Of exactly these
respondents each pair's reports are a part without replacement, and the same interval is checked. At every look each
pair's sequence gets its part of delta, and their ends are added (M29).
"""

import math
from collections.abc import Sequence

from ldp.inference import intervals
from ldp.inference.estimates import Target, standard_errors
from ldp.inference.intervals import Interval
from ldp.inference.reading.tallied import Tallied

Pairs = Sequence[tuple[int, int]]


class Ranks:
    """`pairs` are the two items of each statement that the first stands before the second, `tallied` its totals, None
    where no report is about it."""

    def __init__(self, pairs: Pairs, tallied: Sequence[Tallied | None]) -> None:
        self._rows = list(zip(pairs, tallied, strict=True))
        self.k = 1 + max(second for _, second in pairs)

    def _others(self, item: int) -> list[tuple[Tallied, bool]] | None:
        """The totals of the item's pairs, and whether its statement says that the other one stands before it; None
        where nothing is known of one."""
        own = [(tallied, item == pair[1]) for pair, tallied in self._rows if item in pair]
        known = [(tallied, is_before) for tallied, is_before in own if tallied is not None]
        return known if len(known) == len(own) else None

    def estimate(self, item: int) -> float | None:
        """Unbiased; from 1 on, but for noise."""
        others = self._others(item)
        if others is None:
            return None
        return 1 + sum(float(own.shares[0]) if is_before else 1 - float(own.shares[0]) for own, is_before in others)

    def standard_error(self, item: int) -> float | None:
        """For a population."""
        others = self._others(item)
        if others is None:
            return None
        each = (float(standard_errors(own.shares, own.n, own.moments, "population")[0]) for own, _ in others)
        return math.hypot(*each)

    def interval(self, item: int, confidence: float, target: Target) -> Interval | None:
        """Cut to 1..k; where the estimate is impossible united with that of the nearest possible one (M37)."""
        others, estimate = self._others(item), self.estimate(item)
        if others is None or estimate is None:
            return None
        if others[0][0].every_look:
            return self._added(others, confidence, target)
        reach = math.sqrt(-math.log((1 - confidence) / 2) / 2 * sum(_range(own) ** 2 / own.n for own, _ in others))
        return intervals.clipped(Interval(estimate - reach, estimate + reach), estimate, 1, self.k)

    def _added(self, others: list[tuple[Tallied, bool]], confidence: float, target: Target) -> Interval:
        level = intervals.bonferroni(confidence, len(others))
        spans = [(own.interval(0, level, target), is_before) for own, is_before in others]
        low = sum(span.low if is_before else 1 - span.high for span, is_before in spans)
        high = sum(span.high if is_before else 1 - span.low for span, is_before in spans)
        return Interval(1 + low, 1 + high)


def _range(tallied: Tallied) -> float:
    """The range of the scores that estimate a share."""
    return 1 / float(tallied.moments.gap)
