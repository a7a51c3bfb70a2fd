"""The law of a report's score of a weighted share: mean, variance and ends, from the counts of a crossing (M41).

With a factor f_s for each stratum and a fitted share h_s of category j in it, a report's score of the weighted share is

    u = phi(j) + sum of (f_s - 1) phi(s, j) - f_s h_s phi(s)

over all strata s. If the strata's scores add up to 1, u is the sum of f_s (phi(s, j) - h_s phi(s)). Bits for each
stratum do so only on average; then u has less noise, and with all factors 1 the mean is the unweighted share. With
independent noise phi(s, j) = phi1_s phi2_j, so u = sum of w[a, v] B_a, B_0 = 1 and B_a the stratum's symbols, if the
other question's score has its value v. Pairs of these symbols together with v are not counted. If a report can have two
symbols, their product has the mean of M13 for any answers.

A sum of v_j theta_j over categories, such as a mean, has the same sum of their scores, which is bilinear in both
questions' symbols.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import scipy

from ldp.arrays import Values
from ldp.forms.crossed import Crossed
from ldp.forms.joint_crossing import JointCrossing
from ldp.forms.pooled_cells import OneChannel, PooledCells
from ldp.inference import intervals
from ldp.inference.crossed import Crossing
from ldp.inference.intervals import Interval
from ldp.inference.product_subsets import shift
from ldp.inference.variables import Variable
from ldp.mechanisms import randomized_response
from ldp.scores import PairMoments, independent, indicator


class Law(NamedTuple):
    """The law of a report's score. `least` and `largest` are its possible ends.

    These numbers give the interval of a mean of scores: that of the unseen respondent (M30), by two moments. M30 adds a
    respondent at an end, and takes a quantile of the mean of all scores with Dirichlet weights. The first two moments
    of the scores give that weighted mean's mean and variance. The quantile is that of the beta law with these moments,
    between the least and the largest score. For 0/1 scores this is the exact law, and the limits are Clopper and
    Pearson's.
    """

    mean: float
    variance: float
    least: float
    largest: float

    def interval(self, n: int, confidence: float) -> Interval:
        """Return the interval, not cut, of the mean of n scores with this law."""
        tail = (1 - confidence) / 2
        mirrored = Law(-self.mean, self.variance, -self.largest, -self.least)
        return Interval(-mirrored.upper(n, tail), self.upper(n, tail))

    def share_interval(
        self, estimate: float, n: int, confidence: float, least: float = 0.0, most: float = 1.0
    ) -> Interval:
        """Return the interval of a share with this estimate, or of a sum of shares between these ends, cut by M37. This
        law is that of its scores up to a constant."""
        low, high = self.interval(n, confidence)
        shift = estimate - self.mean
        return intervals.clipped(Interval(low + shift, high + shift), estimate, least, most)

    def upper(self, n: int, tail: float) -> float:
        """Return the upper limit of the mean of n scores."""
        width = self.largest - self.least
        mean = (n * self.mean + self.largest) / (n + 1)
        second = (n * (self.variance + self.mean**2) + self.largest**2) / (n + 1)
        variance, place = (second - mean**2) / (n + 2), (mean - self.least) / width if width else 1.0
        if not 0 < place < 1 or variance <= 0:
            return self.largest if place >= 1 else mean
        size = place * (1 - place) * width**2 / variance - 1
        return self.least + width * float(scipy.special.betaincinv(place * size, (1 - place) * size, 1 - tail))


def laws(crossing: Crossed, sums: Values, factors: Values, fitted: Values) -> tuple[Law, ...]:
    """Return the laws of the scores of m sums of the second variable's categories, the columns of `sums`, (d2, m).
    `factors` are (d1,), `fitted` (d1, d2)."""
    return of_weights(crossing, weights(crossing, sums, factors, fitted))


def weights(crossing: Crossed, sums: Values, factors: Values, fitted: Values, whole: float = 1.0) -> Values:
    """Return the scores as weights of products of 1 and both variables' symbols, (m, 1 + k1, 1 + k2); for pooled cells
    those of each part, (m, parts, 1 + k1, 1 + k2). `whole` is 0 for sums over some strata only: phi(j), and the 1
    subtracted from each factor, are then left out."""
    if isinstance(crossing, PooledCells):
        return np.stack([weights(part, sums, factors, fitted, whole) for part in crossing.parts], axis=1)
    if isinstance(crossing, JointCrossing):
        return _of_joint(crossing, sums.T, factors, (fitted @ sums).T)
    return _of_products(crossing, sums.T, factors, (fitted @ sums).T, whole)


def of_weights(crossing: Crossed, weights: Values) -> tuple[Law, ...]:
    """Return the law of each of these scores."""
    if isinstance(crossing, PooledCells):
        parts = [of_weights(part, weights[:, place]) for place, part in enumerate(crossing.parts)]
        return tuple(_pooled(crossing, laws) for laws in zip(*parts, strict=True))
    flat, n = weights.reshape(len(weights), -1), crossing.counts[0, 0]
    means = flat @ crossing.counts.ravel() / n
    seconds = ((flat @ _products(crossing)) * flat).sum(axis=1) / n
    ends = [_ends(own, crossing.first, crossing.second) for own in weights]
    each = zip(means.tolist(), (seconds - means**2).tolist(), ends, strict=True)
    return tuple(Law(mean, max(0.0, variance), *own) for mean, variance, own in each)


def _pooled(crossing: PooledCells, laws: Sequence[Law]) -> Law:
    """Return the law of a score from its laws in the parts. A report of form f adds s_f (u - m) to the mean m of all;
    s_f is its weight over the mean weight. u has the expected mean m in every form, so deviations from m are noise."""
    scales = crossing.weights * crossing.n / crossing.weight_sum
    each = [(part.n / crossing.n, scale, law) for part, scale, law in zip(crossing.parts, scales, laws, strict=True)]
    mean = sum(share * scale * law.mean for share, scale, law in each)
    variance = sum(share * scale**2 * (law.variance + (law.mean - mean) ** 2) for share, scale, law in each)
    least = min(mean + scale * (law.least - mean) for _, scale, law in each)
    largest = max(mean + scale * (law.largest - mean) for _, scale, law in each)
    return Law(float(mean), float(variance), float(least), float(largest))


def _of_products(crossing: Crossing, sums: Values, factors: Values, fitted: Values, whole: float) -> Values:
    """Return the weights for independent draws. `fitted` is that of the sums, (m, d1)."""
    one, other = _by_symbols(crossing.first), _by_symbols(crossing.second)
    weights = ((factors - whole) @ one)[None, :, None] * (sums @ other)[:, None]
    weights[:, 0] += whole * (sums @ other)
    weights[:, :, 0] -= (factors * fitted) @ one
    return np.asarray(weights)


def _of_joint(crossing: JointCrossing, sums: Values, factors: Values, fitted: Values) -> Values:
    """Return the weights for one draw, by the scores of cells and of the stratum's options (product_subsets.py)."""
    pair = crossing.pair
    lam, (d1, d2) = float(pair.lam), pair.shape
    one, other = (listing.weights for listing in pair.listings)
    weights = np.einsum("s,sa,mb->mab", factors, one, sums @ other) / lam
    weights[:, :, 0] -= (factors * fitted) @ one / lam
    cells, strata = shift(pair.lam, d1 * d2), shift(pair.lam, d1)
    weights[:, 0, 0] -= (factors * (cells * sums.sum(axis=1)[:, None] - strata * fitted)).sum(axis=1)
    return np.asarray(weights)


def _products(crossing: OneChannel) -> Values:
    """Return how often pairs of products came, each of 1 or a symbol of both variables, shape ((1 + k1)(1 + k2), the
    same)."""
    counts = crossing.counts.astype(np.float64)
    if not isinstance(crossing, JointCrossing) or crossing.pair.one_listed:
        return _products_of(crossing.first, crossing.second, counts)
    # Given that answers were kept, or replaced, the lists are independent. The law of replaced answers is known.
    pair = crossing.pair
    anyhow = [listing.random for listing in pair.listings]
    replaced = (1 - float(pair.lam)) * pair.n
    kept = _products_of(
        _always_true(crossing.first),
        _always_true(crossing.second),
        counts - replaced * np.outer(*(own[0] for own in anyhow)),
    )
    return kept + replaced * np.kron(*anyhow)


def _products_of(first: Variable, second: Variable, counts: Values) -> Values:
    k, m = counts.shape
    both = _together(second, _together(first, counts).reshape(k * k, m).T).reshape(m, m, k, k)
    return np.asarray(both.transpose(2, 0, 3, 1).reshape(k * m, k * m))


def _always_true(variable: Variable) -> Variable:
    """Return the variable for a draw that always keeps the answers."""
    d, a = len(variable.options), variable.listed
    moments = indicator(*randomized_response.listed_chances(Fraction(1), a, d))
    return replace(variable, moments=moments, pair=randomized_response.pair_moments(Fraction(1), a, d))


# Ends -----------------------------------------------------------------------------------------------------------------

PATTERNS_MOST = 1 << 10


def _ends(weights: Values, first: Variable, second: Variable) -> tuple[float, float]:
    """Return the least and the largest possible sum of weights[a, b] A_a B_b over 1 and both variables' symbols; bounds
    on them if both have many bits."""
    sides = sorted([(_patterns(second, weights), weights, first), (_patterns(first, weights.T), weights.T, second)],
                   key=lambda side: np.inf if side[0] is None else side[0].shape[1])  # fmt: skip
    patterns, own, other = sides[0]
    if patterns is not None:
        least, most = _extremes(own @ patterns, other)
        return float(least.min()), float(most.max())
    ends = [_extremes(rows[:, None], first) for rows in _extremes(weights.T, second)]
    return float(ends[0][0][0]), float(ends[1][1][0])


def _patterns(variable: Variable, weights: Values) -> Values | None:
    """Return all possible values of 1 and the symbols with any weight, (1 + k, v); None if there are too many."""
    k = weights.shape[1] - 1
    if variable.one_sent:
        return np.vstack((np.ones(k), np.eye(k)))
    active = np.flatnonzero(np.abs(weights[:, 1:]).sum(axis=0))
    if 1 << len(active) > PATTERNS_MOST:
        return None
    every = (np.arange(1 << len(active)) >> np.arange(len(active))[:, None]) & 1
    sizes, (least, most) = every.sum(axis=0), _sizes(variable)
    every = every[:, (sizes <= most) & (sizes >= least - (k - len(active)))]
    patterns = np.zeros((1 + k, every.shape[1]))
    patterns[0], patterns[1 + active] = 1, every
    return patterns


def _extremes(weights: Values, variable: Variable) -> tuple[Values, Values]:
    """Return the least and the largest possible sums, (v,), of weights, (1 + k, v), times 1 and the symbols."""
    rising = np.pad(np.cumsum(np.sort(weights[1:], axis=0), axis=0), ((1, 0), (0, 0)))
    k, (few, many) = len(rising) - 1, _sizes(variable)
    least = rising[few : many + 1].min(axis=0)
    largest = (rising[k] - rising[k - many : k - few + 1]).max(axis=0)
    return weights[0] + least, weights[0] + largest


# Symbols --------------------------------------------------------------------------------------------------------------


def _by_symbols(variable: Variable) -> Values:
    """Return the scores of all categories as sums of 1 and symbols, (d, 1 + k)."""
    if variable.phi is not None:
        return np.pad(variable.phi.T, ((0, 0), (1, 0)))
    gap, b = float(variable.moments.gap), float(variable.moments.b)
    own = np.eye(len(variable.options)) / gap
    return np.pad(own, ((0, 0), (1, 0)), constant_values=-b / gap)


def adds_up(variable: Variable) -> bool:
    """Return whether the scores of the variable's categories add up to 1 in every report."""
    if variable.has_channels:  # every form lists the same number of options
        return True
    least, most = _sizes(variable)
    return least == most


def _sizes(variable: Variable) -> tuple[int, int]:
    """Return the least and the largest number of symbols in a report."""
    d = len(variable.options)
    if variable.one_sent:
        return 1, 1
    if variable.pair == independent(variable.moments):
        return 0, d
    m = round(float(variable.moments.a + (d - 1) * variable.moments.b))
    return m, m


def _alone(came: Values) -> Values:
    """Return how often pairs of 1 and symbols came together if a report has only one symbol, (1 + k, 1 + k, ...)."""
    together = np.zeros((len(came), *came.shape))
    each = np.arange(len(came))
    together[each, each], together[0], together[:, 0] = came, came, came
    return together


def _together(variable: Variable, came: Values) -> Values:
    """Return how often pairs of 1 and symbols came together, by M13 if reports can have two symbols."""
    if variable.one_sent:
        return _alone(came)
    assert isinstance(variable.pair, PairMoments), "only questions of one channel are crossed"
    among, neither = float(variable.pair.among), float(variable.pair.neither)
    shares = _by_symbols(variable) @ came
    together = _alone(came)
    two = neither * came[0] + (among - neither) * (shares[:, None] + shares)
    apart = ~np.eye(len(shares), dtype=bool)
    together[1:, 1:][apart] = two[apart]
    return together
