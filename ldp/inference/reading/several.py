"""The share of several categories together, such as the first k of a scale, by the law of their total (M32).

The scores of k categories add up to one score. Its law depends only on whether the truth is among the k:

    randomized response   0 or 1, with chance p + (k-1) q, or k q
    bits                  Bernoulli(p) + Binomial(k-1, q), or Binomial(k, q)
    subsets of size m     1 + a hypergeometric number if the truth is in the set, otherwise a hypergeometric number
    noise per bin         the law of one bin and those of k-1 empty ones, convolved
    pooled over forms     each form's score of k options if reports list one option (M45); otherwise the interval is
                          that of a weighted sum (M32b)

So every interval of one share also serves several. All shares add up to 1, so the smaller of the k and the d-k other
categories is used: its total has less noise.
"""

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache, reduce

import numpy as np
import scipy

from ldp.arrays import Values
from ldp.inference import intervals, published
from ldp.inference.intervals import Interval
from ldp.inference.reading import weighted
from ldp.inference.tallied import Tallied
from ldp.pooled_scores import of_parts
from ldp.scores import (
    EXCLUSIVE,
    PairMoments,
    PooledMoments,
    PooledPairs,
    ScoreMoments,
    SumMoments,
    Target,
    independent,
    indicator,
)


def estimate(tallied: Tallied, members: Collection[int]) -> float:
    """Return the unbiased estimate of these categories' joint share."""
    others = [j for j in range(tallied.d) if j not in members]
    if len(members) <= len(others):
        return float(sum(tallied.shares[j] for j in members))
    return 1 - float(sum(tallied.shares[j] for j in others))


def interval(tallied: Tallied, members: Collection[int], confidence: float, target: Target) -> Interval:
    """Return the interval of these categories' joint share, cut to [0, 1]; proved if single shares' intervals are."""
    others = [j for j in range(tallied.d) if j not in members]
    if not members or not others:
        return Interval(*[float(not others)] * 2)
    if tallied.pair is None or (isinstance(tallied.pair, PooledPairs) and not tallied.pair.exclusive):
        weights = np.isin(np.arange(tallied.d), list(members)).astype(float)
        return intervals.cut(*weighted.interval(tallied, weights, confidence, target))
    if len(members) <= len(others):
        return _interval(tallied, members, confidence, target)
    low, high = _interval(tallied, others, confidence, target)
    return Interval(1 - high, 1 - low)


def _interval(tallied: Tallied, members: Collection[int], confidence: float, target: Target) -> Interval:
    assert tallied.pair is not None
    if isinstance(tallied.pair, PooledPairs):
        its: ScoreMoments = _pooled(tallied.moments, tallied.d, len(members))
    else:
        its = moments(tallied.moments, tallied.pair, tallied.d, len(members))
    total = sum(tallied.totals[j] for j in members)
    spans = _spans(its, tallied.n, tallied.every_look)
    return spans.interval([total], 0, confidence, tallied.target(target))


@lru_cache(maxsize=512)
def _spans(its: ScoreMoments, n: int, every_look: bool) -> published.Published:
    return published.of(its, n, every_look)


@lru_cache(maxsize=256)
def _pooled(one: ScoreMoments, d: int, k: int) -> PooledMoments:
    """Return the pooled score of k categories over forms whose reports list one option each."""
    assert isinstance(one, PooledMoments)
    return of_parts(tuple(replace(part, moments=moments(part.moments, EXCLUSIVE, d, k)) for part in one.parts))


@lru_cache(maxsize=1024)
def moments(one: ScoreMoments, pair: PairMoments, d: int, k: int) -> ScoreMoments:
    """Return the moments of the total score of k of the d categories, 1 <= k < d, from those of one category and of a
    pair."""
    a, b = one.a + (k - 1) * one.b, k * one.b
    if k == 1:
        return one
    if one.binary and pair == EXCLUSIVE:
        return indicator(a, b)
    among, apart = pair.among - one.a * one.b, pair.neither - one.b**2
    v_a = one.v_a + (k - 1) * (one.v_b + 2 * among + (k - 2) * apart)
    v_b = k * (one.v_b + (k - 1) * apart)
    low, inside, outside = _noisy(one, k) if pair == independent(one) else _drawn(one, d, k)
    return SumMoments(a, v_a, b, v_b, low, tuple(inside.tolist()), tuple(outside.tolist()))


def _noisy(one: ScoreMoments, k: int) -> tuple[int, Values, Values]:
    """Return the least total and its laws inside and outside, for k bits or bins with independent noise."""
    if isinstance(one, SumMoments):
        inside, outside, low = np.array(one.inside), np.array(one.outside), one.low
    else:
        inside, outside = (np.array([1 - float(p), float(p)]) for p in (one.a, one.b))
        low = 0
    empty = reduce(np.convolve, [outside] * (k - 1))
    return k * low, np.convolve(empty, inside), np.convolve(empty, outside)


def _drawn(one: ScoreMoments, d: int, k: int) -> tuple[int, Values, Values]:
    """Return the least total and its laws inside and outside, for k categories and lists of options. The truth is in
    the list with chance p; the rest of the list is drawn from the d-1 others."""
    size, p, numbers = int(one.a + (d - 1) * one.b), float(one.a), np.arange(k + 1)

    def number(of: int, drawn: int, first: int = 0) -> Values:
        return np.asarray(scipy.stats.hypergeom.pmf(numbers - first, d - 1, of, drawn))

    inside = p * number(k - 1, size - 1, 1) + (1 - p) * number(k - 1, size)
    outside = p * number(k, size - 1) + (1 - p) * number(k, size)
    return 0, inside, outside
