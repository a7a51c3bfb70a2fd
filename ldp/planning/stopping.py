"""The number of reports of a survey that stops once its intervals, valid at every release, are narrow (M29)."""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from ldp import kinds, mechanisms, numeric, pooled_scores
from ldp.arrays import Integers, Values
from ldp.document import Category, QuestionResult
from ldp.inference import published
from ldp.inference.estimates import channel_rows
from ldp.inference.intervals import bonferroni
from ldp.planning.candidates import size_of
from ldp.planning.outlook import quantile
from ldp.question import Drawn, about_item
from ldp.scores import ChannelMoments, PooledMoments, ScoreMoments, SumMoments, Target
from ldp.search import N_MOST

ROUNDS, SETTLED = 60, 1.002


def reports_needed(question: Drawn, wished: float, confidence: float, target: Target = "population") -> int | None:
    """Return about how many reports a definition's question needs to reach the half-width `wished`, at equal shares or
    for numbers spread evenly; None if N_MOST are too few."""
    moments, share, level, target, rarity = _setting(question, confidence, target)
    needed = _needed(moments, share, wished, level, target) * rarity
    return round(needed) if needed <= N_MOST else None


def widening(question: Drawn, n: float, confidence: float, target: Target = "population") -> float:
    """Return the width of intervals that hold at every release over the width for one look, for a definition's question
    with n reports, at equal shares or for numbers spread evenly; infinite if the latter is 0."""
    moments, share, level, target, rarity = _setting(question, confidence, target)
    hardest = _hardest(moments, share, level)
    every, one = (_width_of(moments, hardest, share, n / rarity, level, target, each) for each in (True, False))
    return every / one if one else math.inf


def _setting(question: Drawn, confidence: float, target: Target) -> tuple[ScoreMoments, float, float, Target, float]:
    """Return moments, share, confidence and target of a question's widest interval, and the number of reports for each
    that it counts."""
    randomizer, kind = mechanisms.of(about_item(question, 0)), kinds.of(question)
    size = size_of(question)
    # One half has the largest variance for an option that applies or not, and is the mean of numbers spread evenly.
    share = 1 / randomizer.d if kind.answers(size) > 2 else 1 / 2
    _, moments = randomizer.default()
    level = bonferroni(confidence, kind.together(size, randomizer.mirrored))
    return moments, share, level, target if kind.rarity(size) == 1 else "population", float(kind.rarity(size))


@lru_cache(maxsize=1024)
def _needed(moments: ScoreMoments, share: float, wished: float, confidence: float, target: Target) -> float:
    """Return the number of reports with the wished half-width, by iteration. Widths fall about like 1/sqrt(n), so n
    times the squared ratio of widths is nearer."""
    n = 100.0
    for _ in range(ROUNDS):
        factor = (_width(moments, share, n, confidence, target) / wished) ** 2
        n *= min(max(factor, 0.01), 100.0)
        if n > N_MOST or 1 / SETTLED < factor < SETTLED or n < 1:
            break
    return max(n, 1.0)


def _width(moments: ScoreMoments, share: float, n: float, confidence: float, target: Target) -> float:
    return _width_of(moments, _hardest(moments, share, confidence), share, n, confidence, target)


@lru_cache(maxsize=1024)
def _hardest(moments: ScoreMoments, share: float, confidence: float) -> int:
    """Return the category with the widest interval. A channel's categories differ, symmetrically about the middle."""
    if not isinstance(moments, ChannelMoments):
        return 0
    half = range((moments.targets + 1) // 2)
    return max(half, key=lambda j: _width_of(moments, j, share, numeric.TYPICAL_N, confidence))


def _width_of(
    moments: ScoreMoments,
    j: int,
    share: float,
    n: float,
    confidence: float,
    target: Target = "population",
    every_look: bool = True,
) -> float:
    count = max(round(n), 1)
    if isinstance(moments, PooledMoments):
        moments = pooled_scores.resized(moments, count)
        count = moments.n
    totals: Any = _expected(moments, share, count)
    if not every_look:  # intervals of one look need whole counts
        totals = _rounded(totals) if isinstance(moments, ChannelMoments) else np.rint(totals).astype(np.int64)
    interval = published.of(moments, count, every_look=every_look).interval(totals, j, confidence, target)
    theta = 0.5 if isinstance(moments, ChannelMoments) and moments.targets == 1 else share
    return farther(theta, *interval)


def _rounded(counts: Values) -> Integers:
    """Return whole counts near these, with the same sum."""
    return np.diff(np.rint(np.cumsum(counts)), prepend=0).astype(np.int64)


def _expected(moments: ScoreMoments, share: float, n: int) -> Values:
    """Return the expected totals of n reports: the first category's total, or the totals of a channel's outputs."""
    if isinstance(moments, ChannelMoments):
        rows = channel_rows(moments)
        # Rounding gives an end half as many numbers as an inner point, because an end has one neighbour.
        weights = np.ones(len(rows))
        if moments.targets == 1:
            weights[[0, -1]] = 0.5
        return np.asarray(n * (weights / weights.sum()) @ rows)
    if isinstance(moments, SumMoments):
        values = moments.low + np.arange(len(moments.inside))
        inside, outside = (float(values @ np.array(law)) for law in (moments.inside, moments.outside))
        return np.array([n * (share * inside + (1 - share) * outside)])
    return np.array([n * (float(moments.b) + float(moments.gap) * share)])


# The widths of a release's intervals ----------------------------------------------------------------------------------
#
# A half-width is the distance from the estimate to the farther end of its interval, as a fraction of the scale. It is
# at least the uncut normal interval's. So cuts at 0 or 1, and luck at or beyond the ends of the scale, end no survey
# early (M37).


def half_width(
    results: list[QuestionResult],
    parts: int,
    confidence: float,
    low: float = 0.0,
    high: float = 1.0,
    target: Target = "population",
) -> float:
    """Return the largest half-width of a question's simultaneous intervals, as a fraction of its scale low..high;
    infinite while one of its `parts` or options has no report."""
    complete = len(results) == parts and all(_complete(result) for result in results)
    sides = [
        max(_half(category, confidence, result["together"], target) for category in _categories(result))
        for result in results
        if _categories(result)
    ]
    return max(sides) / (high - low) if complete else float("inf")


def _half(category: Category, confidence: float, together: int, target: Target) -> float:
    about = category[target]
    cut = farther(category["estimate"], *about["simultaneous"])
    return max(cut, normal(about["standard_error"], confidence, together))


def normal(standard_error: float, confidence: float, together: int) -> float:
    """Return the half-width of each of `together` uncut normal intervals that hold at once. The standard error is
    always that of a possible share or mean, so luck cannot shorten it."""
    return quantile(confidence, together) * standard_error


def farther(estimate: float, low: float, high: float) -> float:
    """Return the distance from the estimate, moved between the ends, to the farther end."""
    inside = min(max(estimate, low), high)
    return max(inside - low, high - inside)


def _categories(result: QuestionResult) -> Any:
    return result["methods"][0]["categories"]


def _complete(result: QuestionResult) -> bool:
    return len(_categories(result)) == result["d"]
