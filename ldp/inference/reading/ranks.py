"""The mean rank of one of k items that people put in order (M32e): 1 plus, for each of the k - 1 others, the share of
people who put it first, from its own pair's reports.

No report is about two pairs, and the draw of the pair is independent of the answers. So in a population the scores of
all pairs are independent, and where each of the k - 1 has m reports the number of bits that say "before" is a sum of (k
- 1) m independent ones, whose mean chance has Clopper and Pearson's limits (intervals.of_sum): exact, whatever the
pairs' own shares are.

Where pairs have unlike numbers let m be the least, and draw m reports of each. Given all reports, the number of
"before" bits drawn has the mean T, m times the sum of the parts that say "before", and a median next to T (Jogdeo and
Samuels 1968): at least half of the draws give T rounded down or more. So P(T >= t) is at most twice the chance that the
drawn number is at least t rounded down: its limits use half of the error. Proved.

Of exactly these respondents each pair's reports are a part without replacement, and the same interval is checked. At
every look each pair's sequence gets its part of the error, and their ends are added (M29).
"""

import math
from collections.abc import Sequence

from ldp.inference import intervals
from ldp.inference.estimates import standard_errors
from ldp.inference.intervals import Interval
from ldp.inference.tallied import Tallied
from ldp.scores import Target

ItemPairs = Sequence[tuple[int, int]]


class Ranks:
    """`pairs` are the two items of each statement "the first is before the second", `tallied` its totals, None without
    a report."""

    def __init__(self, pairs: ItemPairs, tallied: Sequence[Tallied | None]) -> None:
        self._rows = list(zip(pairs, tallied, strict=True))
        self.k = 1 + max(second for _, second in pairs)

    def _others(self, item: int) -> list[tuple[Tallied, bool]] | None:
        """The totals of the item's pairs, each with whether its statement puts the other item before it; None where a
        pair has no report."""
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
        """Cut to 1..k; where the estimate is impossible, united with the interval of the nearest possible one (M37)."""
        others, estimate = self._others(item), self.estimate(item)
        if others is None or estimate is None:
            return None
        if others[0][0].every_look:
            return self._added(others, confidence, target)
        return self._together(others, estimate, confidence)

    def _together(self, others: list[tuple[Tallied, bool]], estimate: float, confidence: float) -> Interval:
        """As of one share, which the mean rank less 1 is k - 1 times."""
        numbers = [own.n for own, _ in others]
        moments, n = others[0][0].moments, len(others) * min(numbers)
        before = float(moments.b) + float(moments.gap) * (estimate - 1) / len(others)
        level = confidence if len(set(numbers)) == 1 else (1 + confidence) / 2
        span = intervals.of_sum(n * before, n, moments, level)
        return Interval(1 + len(others) * span.low, 1 + len(others) * span.high)

    def _added(self, others: list[tuple[Tallied, bool]], confidence: float, target: Target) -> Interval:
        level = intervals.bonferroni(confidence, len(others))
        spans = [(own.interval(0, level, target), is_before) for own, is_before in others]
        low = sum(span.low if is_before else 1 - span.high for span, is_before in spans)
        high = sum(span.high if is_before else 1 - span.low for span, is_before in spans)
        return Interval(1 + low, 1 + high)
