"""Quantiles of an ordered scale or a histogram, in whole categories (M32).

The first K categories are in order. A category after them ("prefer not to say") is no answer, and quantiles are among
the people who answered. Let F_k be the share of the first k categories, and r the share without an answer. The quantile
of level u is category k if F_{k-1} < u (1-r) <= F_k. It is rejected if the interval of F_k ends below u (1 - the
highest r), or that of F_{k-1} begins above u (1 - the lowest r). Only one k is true, and one tail of each interval can
reject it, so they have the quantile's level: no band over all k is needed. r takes SPENT of the error chance.

For fixed respondents the quantile has rank ceil(u N) among the N with an answer. While a survey is watched it moves,
and no sequence of intervals is known.
"""

import math
from bisect import bisect_left
from typing import NamedTuple

import numpy as np
import scipy

from ldp.arrays import Values
from ldp.inference.intervals import Interval
from ldp.inference.reading import several
from ldp.inference.tallied import Tallied
from ldp.scores import Target

SPENT = 0.2  # part of the error chance for the interval of r, if there can be no answer
ATOM = 0.25

EVERY, FEWER = 48, 32  # up to EVERY categories all F_k are computed, on a longer scale about FEWER

_ROUNDING = 1e-9


class Quantile(NamedTuple):
    """A quantile by indices of categories: the estimate, and the first and last category that are not rejected."""

    level: float
    estimate: int
    first: int
    last: int


def cumulated(tallied: Tallied, categories: int) -> Values:
    """Return biased estimates of F_k among the people who answered, k = 1..categories: never falling, the last 1."""
    own = range(categories)
    answered = max(several.estimate(tallied, own), 1e-3)
    raw = np.array([several.estimate(tallied, range(k)) for k in range(1, categories)]) / answered
    monotone = scipy.optimize.isotonic_regression(raw).x if len(raw) else raw
    return np.append(np.clip(monotone, 0.0, 1.0), 1.0)


def atoms(tallied: Tallied, categories: int) -> list[int]:
    """Return the categories with an estimated share of at least ATOM of the answers."""
    steps = np.diff(cumulated(tallied, categories), prepend=0.0)
    return [int(k) for k in np.nonzero(steps >= ATOM)[0]]


def quantiles(
    tallied: Tallied, categories: int, levels: list[float], confidence: float, target: Target
) -> list[Quantile] | None:
    """Return the quantile of each level in (0, 1), each with its own interval; None if no interval would hold."""
    if tallied.target(target) == "respondents" and tallied.every_look:
        return None
    below = shares_below(tallied, categories, confidence, target)
    spans = [Interval(0.0, 0.0), *below, Interval(1.0, 1.0)]
    without = unanswered(tallied, categories, confidence, target)
    estimates = cumulated(tallied, categories).tolist()
    rows = []
    for level in levels:
        guess = min(bisect_left(estimates, level), categories - 1)
        least, most = _wanted(level, without, tallied, target)
        kept = [k for k in range(categories) if spans[k + 1].high >= least and spans[k].low <= most] or [guess]
        rows.append(Quantile(level, guess, kept[0], kept[-1]))
    return rows


def shares_below(tallied: Tallied, categories: int, confidence: float, target: Target) -> list[Interval]:
    """Return the intervals of F_1..F_{K-1} at the level that a quantile needs.

    On a long scale only some are computed, whatever the totals. F never falls, so between two of them it is above the
    low end of the earlier one and below the high end of the later one.
    """
    spent = SPENT if categories < tallied.d else 0.0
    level = 1 - (1 - confidence) * (1 - spent)
    step = 1 if categories <= EVERY else math.ceil(categories / FEWER)
    intervals = {k: several.interval(tallied, range(k), level, target) for k in range(step, categories, step)}
    ends = Interval(0.0, 1.0)
    return [
        Interval(intervals.get(k - k % step, ends).low, intervals.get(k + -k % step, ends).high)
        for k in range(1, categories)
    ]


def unanswered(tallied: Tallied, categories: int, confidence: float, target: Target) -> Interval:
    """Return the interval of r, the share without an answer, at its part of the error chance."""
    if categories == tallied.d:
        return Interval(0.0, 0.0)
    return several.interval(tallied, range(categories, tallied.d), 1 - (1 - confidence) * SPENT, target)


def _wanted(level: float, without: Interval, tallied: Tallied, target: Target) -> tuple[float, float]:
    """Return the least share up to the quantile's category, and the largest share up to the category before it."""
    if tallied.target(target) == "population":
        return level * (1 - without.high), level * (1 - without.low)
    n = tallied.n
    ranks = (math.ceil(level * (n - round(n * end)) - _ROUNDING) for end in (without.high, without.low))
    first, last = (max(rank, 1) for rank in ranks)
    return (first - _ROUNDING) / n, (last - 1 + _ROUNDING) / n
