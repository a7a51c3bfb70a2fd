"""Confidence sequences: intervals that hold at all looks together, for any stopping rule (M15).

A nonnegative martingale that starts at 1 under the true share stays below 1/delta for all n with probability 1 - delta
(Ville 1939). So the shares whose martingale is below 1/delta at n reports form intervals that all hold together with
confidence 1 - delta. A later interval may be intersected with the earlier ones.

`beta_binomial` is for 0/1 scores and a population, whose share is constant. For a moving share, as among the
respondents so far, it is checked, not proved. It is the likelihood ratio of a beta mixture to pi (Robbins 1970),

    B(S + r, n - S + s) / (B(r, s) pi^S (1 - pi)^(n-S)),       pi = q + (p-q) share.

Any fixed r and s are valid. The mean and variance of the uniform law on [q, p] give r and s that serve all shares
equally.

`tilted` is for integer scores and both targets. Each exp(t S - log E e^{t S}) is a martingale. So is a mixture of them
over a fixed list of t > 0, evidence that the share is larger, and one over t < 0; each gets delta/2. E is exact, from
the law of the score, without a bound on its range or variance.
"""

import math
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from ldp.arrays import Values
from ldp.inference import convolution, intervals
from ldp.inference.convolution import LatticeLaw
from ldp.inference.estimates import channel_rows
from ldp.inference.intervals import Interval
from ldp.scores import ChannelMoments, ScoreMoments, SumMoments, Target

# Tilts t_k = t_0/2^k are best at n_k = FIRST_LOOK * 4^k, up to 10^10 reports. Weights 1/((k+1)(k+2)) sum to below 1.
FIRST_LOOK = 32
TILTS = 15


def interval(
    total: int, n: int, moments: ScoreMoments, scores: LatticeLaw, confidence: float, target: Target
) -> Interval:
    """Return the interval of the narrower sequence: beta_binomial for 0/1 scores and the population, otherwise tilted.
    An impossible estimate's interval is united with that of the nearest possible one (M37)."""

    def at(one: int) -> Interval:
        if moments.binary and target == "population":
            return beta_binomial(one, n, moments, confidence)
        return tilted(one, n, scores, confidence, target)

    return intervals.union(map(at, {total, intervals.nearest(total, n, moments)}))


def beta_binomial(total: float, n: int, moments: ScoreMoments, confidence: float) -> Interval:
    """Return the population's interval after n reports with this total of 0/1 scores, one of a sequence.

    If no share is left, it is the share nearest to the estimate. ValueError for other scores.
    """
    if not (moments.binary and 0 <= total <= n):
        raise ValueError("the beta-binomial mixture takes a total of n scores that are 0 or 1")
    bound = -math.log(1 - confidence)
    p, q = float(moments.a), float(moments.b)
    nearest = min(max((total / n - q) / (p - q), 0.0), 1.0) if n else 0.5
    gap, mixture = float(moments.gap), _log_mixture(total, n - total, moments)

    def excess(share: float) -> float:
        return float(_log_ratio(mixture, total, n - total, q + gap * share)) - bound

    if excess(nearest) >= 0:
        return Interval(nearest, nearest)
    return Interval(_edge(excess, 0.0, nearest), _edge(excess, 1.0, nearest))


def log_evidence(total: npt.ArrayLike, n: npt.ArrayLike, moments: ScoreMoments, share: float) -> Any:
    """Return the logarithm of the beta-binomial martingale against this share. Totals and n may be arrays."""
    s, f = np.asarray(total), np.asarray(n) - np.asarray(total)
    pi = float(moments.b) + float(moments.gap) * share
    return _log_ratio(_log_mixture(s, f, moments), s, f, pi)


def _log_mixture(s: Any, f: Any, moments: ScoreMoments) -> Any:
    successes, failures = _prior(moments)
    return scipy.special.betaln(s + successes, f + failures) - scipy.special.betaln(successes, failures)


def _log_ratio(mixture: Any, s: Any, f: Any, pi: float) -> Any:
    return mixture - scipy.special.xlogy(s, pi) - scipy.special.xlog1py(f, -pi)


@lru_cache(maxsize=256)
def _prior(moments: ScoreMoments) -> tuple[float, float]:
    """Return r and s of the beta law with the mean and variance of the uniform law on [q, p]."""
    mean, variance = float(moments.a + moments.b) / 2, float(moments.gap) ** 2 / 12
    strength = mean * (1 - mean) / variance - 1
    return mean * strength, (1 - mean) * strength


def tilted(total: int, n: int, scores: LatticeLaw, confidence: float, target: Target) -> Interval:
    """Return the interval after n reports with this total of integer scores, one of a sequence, for either target.

    For the respondents it covers the moving share among the n so far, at every n. This is proved: for fixed answers the
    product of e^{t s}/E e^{t s} over the reports is a martingale in any order.
    """
    delta = (1 - confidence) / 2
    return between(*(_evidence(total, n, scores, delta, target, sign) for sign in (1, -1)))


def between(above: Callable[[float], float], below: Callable[[float], float]) -> Interval:
    """Return the shares with evidence below 0 on both sides: `above` falls with the share, `below` rises."""
    low = _edge(above, 0.0, 1.0) if above(1.0) < 0 else 1.0
    high = _edge(below, 1.0, 0.0) if below(0.0) < 0 else 0.0
    return Interval(low, high) if low <= high else Interval(*([(low + high) / 2] * 2))


def _evidence(
    total: int, n: int, scores: LatticeLaw, delta: float, target: Target, sign: int
) -> Callable[[float], float]:
    """Return log(mixture over tilts) - log(1/delta) as a function of the share: falling for sign +1, rising for -1."""
    t, inside, outside, log_weights = tilts(scores, delta, sign)
    highest = np.maximum(inside, outside)

    def excess(share: float) -> float:
        if target == "population":
            cumulants = highest + np.log(share * np.exp(inside - highest) + (1 - share) * np.exp(outside - highest))
        else:
            cumulants = share * inside + (1 - share) * outside
        return log_total(log_weights + t * total - n * cumulants) + math.log(delta)

    return excess


def log_total(logarithms: Values) -> float:
    """Return the log of the sum of exponentials. For a few numbers scipy's logsumexp takes ten times as long."""
    most = float(logarithms.max())
    if math.isinf(most):
        return most
    return most + math.log(float(np.exp(logarithms - most).sum()))


# All categories of a question have the same scores, whose law can have a hundred thousand values.
@lru_cache(maxsize=64)
def tilts(scores: LatticeLaw, delta: float, sign: int) -> tuple[Values, Values, Values, Values]:
    """Return the fixed tilts t, log E e^{t score} inside and outside the category, and the logarithms of their weights.
    Logarithms are used because with rare noise e^t can exceed a float."""
    values = scores.low + np.arange(len(scores.inside))
    spread = max(float(row @ values**2 - (row @ values) ** 2) for row in (scores.inside, scores.outside))
    t, log_weights = grid(spread, delta, sign)
    exponents = np.outer(t, values)
    highest = exponents.max(axis=1)
    powers = np.exp(exponents - highest[:, None])
    inside, outside = (highest + np.log(powers @ row) for row in (scores.inside, scores.outside))
    return t, inside, outside, log_weights


def grid(spread: float, delta: float, sign: int) -> tuple[Values, Values]:
    """Return the fixed tilts for scores of this variance, and the logarithms of their weights."""
    steps = np.arange(TILTS)
    t = sign * math.sqrt(2 * math.log(1 / delta) / (FIRST_LOOK * spread)) / 2.0**steps
    return np.asarray(t), np.asarray(-np.log((steps + 1.0) * (steps + 2)))


def _edge(excess: Callable[[float], float], end: float, kept: float) -> float:
    """Return `end` if it is kept too (excess below 0), otherwise the point between `kept` and `end` with excess 0."""
    if excess(end) < 0:
        return end
    return float(scipy.optimize.brentq(excess, end, kept, xtol=1e-12))


# The published intervals of a survey that may end at any release (M15, M29) ------------------------------------------
#
# Whole scores use the sequences above. Scores of a channel (M7, M8) are real numbers whose law depends on the unknown
# answers. For one answer x let M_x(t) = E e^{t phi} over row x of the channel. For any law of answers with the share or
# mean theta, E e^{t phi} is at most H_t(theta), the upper hull of the points (position of x, M_x(t)) at theta. For a
# share the positions are 1 for its category and 0 for others; for a mean they are the grid's. So
#
#     exp(t S - n log H_t(theta))
#
# is a supermartingale, for answers drawn from a population, and by Jensen's inequality for fixed answers with mean
# theta. The mixtures over fixed t > 0 and over t < 0 bound theta like the tilted sequence.

METHOD = "sequence"


class IntegerScores:
    """Intervals of whole-number scores, including 0/1 scores."""

    def __init__(self, moments: ScoreMoments, n: int) -> None:
        self._moments, self._n = moments, n

    def method(self, target: Target) -> str:
        return METHOD

    def interval(self, totals: list[int], j: int, confidence: float, target: Target) -> Interval:
        return interval(totals[j], self._n, self._moments, self._law, confidence, target)

    @cached_property
    def _law(self) -> convolution.LatticeLaw:
        if isinstance(self._moments, SumMoments):
            return convolution.lattice(self._moments)
        return convolution.binary(self._moments)


class Channel:
    """Intervals of a channel's scores. The totals count its outputs. Both targets have the same interval."""

    def __init__(self, moments: ChannelMoments, n: int) -> None:
        self.n, self._moments = n, moments
        self._rows = channel_rows(moments)
        self._scores = np.array(moments.phi())

    def method(self, target: Target) -> str:
        return METHOD

    def interval(self, totals: list[int], j: int, confidence: float, target: Target) -> Interval:
        total, delta = self.total(j, totals), (1 - confidence) / 2

        def at(one: float) -> Interval:
            above, below = (Evidence(self, j, one, delta, sign) for sign in (1, -1))
            return between(above.excess, below.excess)

        # An impossible estimate uses the nearest possible one too (M37).
        return intervals.union(map(at, {total, intervals.clamp(total, 0.0, self.n)}))

    def total(self, j: int, totals: npt.ArrayLike) -> float:
        """Return S, the sum of the scores of target j."""
        return float(self._scores[:, j] @ np.asarray(totals))

    def positions(self, j: int) -> Values:
        """Return the position of each answer on the scale 0..1 of target j, (inputs,)."""
        inputs = len(self._rows)
        return np.arange(inputs) / (inputs - 1) if self._moments.targets == 1 else np.eye(inputs)[j]

    def powers(self, j: int, t: Values) -> Values:
        """Return M_x(t), (tilts, inputs). It is infinite where a float overflows; that tilt then has no evidence."""
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(np.outer(t, self._scores[:, j])) @ self._rows.T)

    def spread(self, j: int) -> float:
        """Return the largest variance of a score given the answer."""
        return float(max(row[j] for row in self._moments.variances))


class Evidence:
    """log(mixture over tilts) - log(1/delta) as a function of theta: falling for sign +1, rising for -1."""

    def __init__(self, channel: Channel, j: int, total: float, delta: float, sign: int) -> None:
        t, self._log_weights = grid(channel.spread(j), delta, sign)
        self._exponents, self._n, self._log_delta = t * total, channel.n, math.log(delta)
        positions = channel.positions(j)
        self._hulls = [upper_hull(positions, powers) for powers in channel.powers(j, t)]

    def excess(self, theta: float) -> float:
        cumulants = np.log([np.interp(theta, *hull) for hull in self._hulls])
        mixed = log_total(self._log_weights + self._exponents - self._n * cumulants)
        return mixed + self._log_delta


def upper_hull(positions: Values, heights: Values) -> tuple[Values, Values]:
    """Return the corners of the least concave function above the points, from left to right: their x and y."""
    corners: list[tuple[float, float]] = []
    for x, y in sorted(zip(positions.tolist(), heights.tolist(), strict=True)):
        while corners and (corners[-1][0] == x or (len(corners) > 1 and _below(corners[-2], corners[-1], (x, y)))):
            corners.pop()
        corners.append((x, y))
    xs, ys = zip(*corners, strict=True)
    return np.array(xs), np.array(ys)


def _below(left: tuple[float, float], middle: tuple[float, float], right: tuple[float, float]) -> bool:
    """Return whether the middle point is not above the line between the others."""
    (x0, y0), (x1, y1), (x2, y2) = left, middle, right
    return (y1 - y0) * (x2 - x0) <= (y2 - y0) * (x1 - x0)
