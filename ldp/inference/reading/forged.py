"""Forged reports with any content (M26).

If at most m of n reports are forged, the total of the honest n - m is at least the observed total minus m times the
largest score, and at most the observed total minus m times the least. Take the lower end for the first total and the
upper end for the second, both with n - m reports. This interval holds the population's share at its confidence for any
forged reports. For a channel, the outputs with the largest or least scores for the category are removed.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

import numpy as np
import numpy.typing as npt
import scipy

from ldp.inference import convolution
from ldp.inference.convolution import LatticeLaw, TotalLaw
from ldp.inference.hypotheses import EXPECTED_MIN
from ldp.inference.intervals import Interval
from ldp.inference.tallied import Tallied, TalliedShare
from ldp.scores import ChannelMoments, Counts, PooledMoments, SumMoments, independent


def interval(tallied: Tallied, j: int, forged: int, confidence: float) -> Interval:
    """Return the population's interval of category j's share if `forged` reports are forged; for a mean, of its place
    on the range, 0..1."""
    if forged >= tallied.n:
        return Interval(0.0, 1.0)
    if not forged:
        return tallied.interval(j, confidence, "population")
    low, high = low_end(tallied, j, forged, confidence), high_end(tallied, j, forged, confidence)
    return Interval(min(low, high), max(low, high))


def low_end(tallied: Tallied, j: int, forged: int, confidence: float) -> float:
    return _without(tallied, j, forged, confidence, most=True).low


def high_end(tallied: Tallied, j: int, forged: int, confidence: float) -> float:
    return _without(tallied, j, forged, confidence, most=False).high


def _without(tallied: Tallied, j: int, forged: int, confidence: float, most: bool) -> Interval:
    if forged >= tallied.n:
        return Interval(0.0, 1.0)
    if isinstance(tallied.moments, PooledMoments):
        return _pooled_without(tallied, tallied.moments, j, (-forged if most else forged), confidence)
    totals = _honest(tallied, j, forged, most)
    return replace(tallied, totals=totals, n=tallied.n - forged).interval(j, confidence, "population")


def _pooled_without(tallied: Tallied, moments: PooledMoments, j: int, forged: int, confidence: float) -> Interval:
    """Return the interval if honest reports of the same forms replace the forged ones. Forms of forged reports do not
    matter: each changes the total by at most the largest score."""
    scores = [part.score for part in moments.parts if part.n]
    top = sum(part.n * part.score for part in moments.parts)
    totals = list(tallied.totals)
    totals[j] = min(max(totals[j] + forged * max(scores), 0), top)
    return replace(tallied, totals=totals).interval(j, confidence, "population")


def _honest(tallied: Tallied, j: int, forged: int, most: bool) -> Counts:
    """Return the totals without the `forged` reports that have the largest, or the least, scores for category j."""
    moments, totals = tallied.moments, list(tallied.totals)
    if isinstance(moments, ChannelMoments):
        scores = np.array(moments.phi())[:, j]
        for z in np.argsort(-scores if most else scores):
            moved = min(totals[z], forged)
            totals[z] -= moved
            forged -= moved
        return totals
    least, largest = (moments.low, moments.low + len(moments.inside) - 1) if isinstance(moments, SumMoments) else (0, 1)
    total, honest = totals[j], tallied.n - forged
    without = total - forged * (largest if most else least)
    totals[j] = min(max(without, honest * least), honest * largest)
    return totals


def breaking(holds: Callable[[int], bool], n: int) -> int | None:
    """Return the least number of forged reports from which a conclusion no longer holds; None if it does not hold
    without any."""
    if not holds(0):
        return None
    low, high = 0, 1
    while high < n and holds(high):
        low, high = high, 2 * high
    high = min(high, n)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return high


def leads(rows: list[TalliedShare], leader: int, forged: int, confidence: float) -> bool:
    """Return whether row `leader` is the most common for any content of `forged` reports, by intervals at this
    confidence. A row is a category of some totals."""
    floor = low_end(*rows[leader], forged, confidence)
    rivals = [(tallied, j) for place, (tallied, j) in enumerate(rows) if place != leader]
    rivals.sort(key=lambda row: -row[0].shares[row[1]])
    return all(high_end(*row, forged, confidence) < floor for row in rivals)


# Fit of the totals with the mechanism (M15b) --------------------------------------------------------------------------
#
# Parts of a report that do not depend on the answer can be checked: for bits and noise per bin the sum over all
# categories, which has the same law for every answer; for drawn items how often each was drawn. The tests find broken
# clients and crude forgeries, never all: a forger who draws from the mechanism for an invented answer looks honest.

LEVEL = 0.001  # smaller p-values are reported as odd


def sum_p_value(tallied: Tallied) -> float | None:
    """Return the two-sided p-value of the sum of all totals; None if the sum is fixed or its law depends on answers."""
    if tallied.pair is None or tallied.pair != independent(tallied.moments):
        return None
    law = _of_report(tallied)
    total, spread = sum(tallied.totals), TotalLaw(tallied.n, law)
    above = spread.at_least(total, 0.0, "population")
    below = 1 - spread.at_least(total + 1, 0.0, "population")
    return float(min(1.0, 2 * max(min(above, below), 0.0)))


def _of_report(tallied: Tallied) -> LatticeLaw:
    """Return the law of the sum of one report's scores: one category is the truth, d - 1 are not."""
    moments = tallied.moments
    one = convolution.lattice(moments) if isinstance(moments, SumMoments) else convolution.binary(moments)
    row = reduce(np.convolve, [one.outside] * (tallied.d - 1), one.inside)
    return LatticeLaw(tallied.d * one.low, row, row)


def drawing_p_value(drawn: npt.ArrayLike, n: int, sample: int) -> float | None:
    """Return the p-value of how often each item was drawn, if each of n reports drew `sample` items evenly; None if
    each drew all items, or too few were drawn for the chi-square law.

    The numbers have the law of n draws without replacement, each of variance n f (1-f) with f = sample/items.
    """
    counts = np.asarray(drawn, dtype=np.float64)
    items = len(counts)
    rate = sample / items
    if sample >= items or n * min(rate, 1 - rate) < EXPECTED_MIN:
        return None
    statistic = float(((counts - n * rate) ** 2).sum()) / (n * rate * (1 - rate)) * (items - 1) / items
    return float(scipy.stats.chi2.sf(statistic, items - 1))
