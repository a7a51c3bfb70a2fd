"""Shares and weighted sums among the people with an answer (M32c), divided by 1 - r if a share r have no answer.

No estimate of a quotient is unbiased, and its normal interval fails if few people answered. So the intervals of the
share and of r, which hold together, are divided. If both hold, the quotient lies between

    low / (1 - lowest r)  and  high / (1 - highest r),

with the other r if an end is negative. It is proved if both intervals are. r takes SPENT of the error chance.
"""

from typing import NamedTuple

import numpy as np

from ldp.inference import intervals
from ldp.inference.intervals import Interval
from ldp.inference.reading import several, weighted
from ldp.inference.reading.quantiles import SPENT, unanswered
from ldp.inference.tallied import Tallied
from ldp.scores import Target

# A quotient is estimated only if the share with an answer is at least this many half-widths above 0.
HALF_WIDTHS_MIN = 2.0


class Ratio(NamedTuple):
    """A quotient. `estimate` is None if too few people answered."""

    estimate: float | None
    interval: Interval
    simultaneous: Interval


def shares(tallied: Tallied, categories: int, confidence: float, target: Target, items: int = 1) -> list[Ratio]:
    """Return the shares of the first K categories among the people with one of them. Simultaneous intervals hold for
    all K at once, and for `items` questions together."""
    answered = several.estimate(tallied, range(categories))
    each = intervals.bonferroni(confidence, items)
    alone, at_once = (unanswered(tallied, categories, level, target) for level in (confidence, each))
    readable = readable_quotient(tallied, categories, target)
    levels = _remaining(confidence), intervals.bonferroni(_remaining(each), categories)
    rows = []
    for j in range(categories):
        one, together = (tallied.interval(j, level, target) for level in levels)
        estimate = float(tallied.shares[j]) / answered if readable else None
        rows.append(Ratio(estimate, intervals.cut(*_over(one, alone)), intervals.cut(*_over(together, at_once))))
    return rows


class Bounds(NamedTuple):
    """A share if none (`low`) or all (`high`) of the people without an answer had given this one. Intervals hold both,
    and so every share between them."""

    low: float
    high: float
    interval: Interval
    simultaneous: Interval


def bounds(tallied: Tallied, categories: int, confidence: float, target: Target, items: int = 1) -> list[Bounds]:
    """Return bounds of the first K categories' shares for any missing answers (M32d; Manski 1989). Simultaneous
    intervals hold for all K at once, and for `items` questions together."""
    at_once, others = intervals.bonferroni(confidence, categories * items), range(categories, tallied.d)
    return [
        Bounds(
            float(tallied.shares[j]),
            several.estimate(tallied, [j, *others]),
            *(_worst_case(tallied, j, others, level, target) for level in (confidence, at_once)),
        )
        for j in range(categories)
    ]


def _worst_case(tallied: Tallied, j: int, others: range, confidence: float, target: Target) -> Interval:
    """Return the interval of both bounds. Each limit can err on one side only, so together they keep the confidence."""
    least, most = tallied.interval(j, confidence, target), several.interval(tallied, [j, *others], confidence, target)
    return intervals.cut(least.low, max(least.high, most.high))


def readable_quotient(tallied: Tallied, categories: int, target: Target) -> bool:
    """Return whether enough people answered for an estimate of a quotient."""
    answered = several.estimate(tallied, range(categories))
    low, high = several.interval(tallied, range(categories), 0.95, target)
    return answered > 0 and answered >= HALF_WIDTHS_MIN * (high - low) / 2


def mean(
    tallied: Tallied, lows: np.ndarray, highs: np.ndarray, confidence: float, target: Target
) -> tuple[tuple[float, float] | None, Interval]:
    """Return estimates of the two bounds of a mean among the people with a number, and an interval that holds all means
    between the true bounds. Category j means a number between lows[j] and highs[j], (K,) each. The estimates are None
    if too few people answered."""
    k = len(lows)
    without = unanswered(tallied, k, confidence, target)
    level = confidence if k == tallied.d else _remaining(confidence)
    centre = float(np.mean((lows + highs) / 2))
    answered = several.estimate(tallied, range(k))
    spans, estimates = [], []
    for edges in (lows,) if np.array_equal(lows, highs) else (lows, highs):
        weights = np.zeros(tallied.d)
        weights[:k] = edges - centre
        span = _over(weighted.interval(tallied, weights, level, target), without)
        least, most = float(edges.min()), float(edges.max())
        spans.append([intervals.clamp(centre + end, least, most) for end in span])
        estimates.append(centre + weighted.estimate(tallied, weights) / max(answered, 1e-3))
    shown = (estimates[0], estimates[-1]) if readable_quotient(tallied, k, target) else None
    return shown, Interval(spans[0][0], spans[-1][1])


def _remaining(confidence: float) -> float:
    return 1 - (1 - confidence) * (1 - SPENT)


def _over(span: Interval, without: Interval) -> Interval:
    """Return the interval of a number in `span` divided by 1 - r."""
    least, most = (max(1 - end, 1e-12) for end in (without.high, without.low))
    low = span.low / (most if span.low >= 0 else least)
    return Interval(low, span.high / (least if span.high >= 0 else most))
