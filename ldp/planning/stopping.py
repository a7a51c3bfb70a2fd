"""How many reports a survey needs that ends once its intervals, valid at every release, are narrow enough (M29)."""

from functools import lru_cache
from typing import Any

import numpy as np

from ldp import kinds, mechanisms, numeric, pooled_scores
from ldp.arrays import Values
from ldp.document import Category, QuestionResult
from ldp.inference import published
from ldp.inference.estimates import channel_rows
from ldp.inference.intervals import bonferroni
from ldp.planning.candidates import size_of
from ldp.planning.outlook import quantile
from ldp.question import Drawn
from ldp.scores import ChannelMoments, PooledMoments, ScoreMoments, SumMoments, Target
from ldp.search import N_MOST

ROUNDS, SETTLED = 60, 1.002


def reports_needed(question: Drawn, wished: float, confidence: float, target: Target = "population") -> int | None:
    """About how many reports a definition's question needs until the half-width is `wished`, at equal shares or numbers
    spread evenly; None where N_MOST are too few."""
    randomizer, kind = mechanisms.of(question), kinds.of(question)
    size = size_of(question)
    # An option that applies or not has the largest variance at one half, which is also the mean of numbers spread
    # evenly.
    share = 1 / randomizer.d if kind.answers(size) > 2 else 1 / 2
    _, moments = randomizer.default()
    level = bonferroni(confidence, kind.together(size, randomizer.mirrored))
    n = _needed(moments, share, wished, level, target if kind.rarity(size) == 1 else "population")
    needed = n * kind.rarity(size)
    return round(needed) if needed <= N_MOST else None


@lru_cache(maxsize=1024)
def _needed(moments: ScoreMoments, share: float, wished: float, confidence: float, target: Target) -> float:
    """Widths fall about like 1/sqrt(n), so the number that would do if they did is soon the number that does."""
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
    """The category with the widest interval. A channel's categories differ, symmetrically about the middle."""
    if not isinstance(moments, ChannelMoments):
        return 0
    half = range((moments.targets + 1) // 2)
    return max(half, key=lambda j: _width_of(moments, j, share, numeric.TYPICAL_N, confidence))


def _width_of(
    moments: ScoreMoments, j: int, share: float, n: float, confidence: float, target: Target = "population"
) -> float:
    count = max(round(n), 1)
    if isinstance(moments, PooledMoments):
        moments = pooled_scores.resized(moments, count)
        count = moments.n
    totals: Any = _expected(moments, share, count)
    interval = published.of(moments, count, every_look=True).interval(totals, j, confidence, target)
    theta = 0.5 if isinstance(moments, ChannelMoments) and moments.targets == 1 else share
    return farther(theta, *interval)


def _expected(moments: ScoreMoments, share: float, n: int) -> Values:
    """The totals that are expected of n reports: of the first category, or of a channel's outputs."""
    if isinstance(moments, ChannelMoments):
        rows = channel_rows(moments)
        # Rounding sends half as many numbers to an end as to a point with neighbours on both sides.
        weights = np.ones(len(rows))
        if moments.targets == 1:
            weights[[0, -1]] = 0.5
        return np.asarray(n * (weights / weights.sum()) @ rows)
    if isinstance(moments, SumMoments):
        values = moments.low + np.arange(len(moments.inside))
        inside, outside = (float(values @ np.array(law)) for law in (moments.inside, moments.outside))
        return np.array([n * (share * inside + (1 - share) * outside)])
    return np.array([n * (float(moments.b) + float(moments.gap) * share)])


# How narrow the intervals of a release are ----------------------------------------------------------------------------
#
# A half-width is the distance from the estimate to the farther end of its interval, a share of the scale, and never
# less than the normal interval's that is cut nowhere: an interval that is cut at 0 or 1 counts no less for it, and luck
# at the ends of the scale, or beyond them, ends no survey early (M37).


def half_width(
    results: list[QuestionResult],
    parts: int,
    confidence: float,
    low: float = 0.0,
    high: float = 1.0,
    target: Target = "population",
) -> float:
    """The widest of a question's intervals that hold at once with this confidence, as a part of its scale low..high;
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
    """The half-width of a normal interval, never cut, where `together` hold at once. The standard error is of a
    possible share or mean, wherever the estimate is, so luck cannot shorten this."""
    return quantile(confidence, together) * standard_error


def farther(estimate: float, low: float, high: float) -> float:
    """From the estimate, put between the ends, to the farther one."""
    inside = min(max(estimate, low), high)
    return max(inside - low, high - inside)


def _categories(result: QuestionResult) -> Any:
    return result["methods"][0]["categories"]


def _complete(result: QuestionResult) -> bool:
    return len(_categories(result)) == result["d"]
