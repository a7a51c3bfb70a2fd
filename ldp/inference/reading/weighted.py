"""A weighted sum of shares, sum of v_x theta_x: the mean rank on a scale, or the mean of bins' edges (M32b).

A report's score is W = sum of v_j phi_j, with mean v_x if x is the truth. There are three intervals:

- If the totals count each score (M2, M7): the unseen respondent's, with the largest and the least possible score
  (M30). Checked, not proved.
- Otherwise by hulls. M_x(t) = E e^{t W} is known for each truth x. Let H_t be the upper hull of the points
  (v_x, M_x(t)). For any answers with weighted sum s, E e^{t W} <= H_t(s). So P(total >= c) <= exp(n log H_t(s) - t c),
  for a population by Chernoff and for fixed respondents by Jensen. The fixed tilt t with the least critical c is used;
  it depends on s only. Proved; about 1.4 times as wide as a normal interval.
- At every look: the mixture of these over tilts (M29). Proved.

For pooled scores (M45) the total is a sum of forms' scores, and the product of their hulls replaces H_t^n. For a
population the forms' scores are independent: proved. For fixed respondents forms are assigned by lot, given each form's
number of reports. Then v_x over the reports is a random permutation of the respondents' values, and so negatively
associated (Joag-Dev and Proschan 1983). In every form M_x(t) rises with v_x for t > 0 and falls for t < 0,
because a list with the truth is more likely than one without. So the mean over the lot of the product of M_x(t) is at
most the product over the reports of the mean of M_x(t) over all respondents, and that is at most the product of the
hulls: proved at one look. A sequence is conditional on the lot, and a form's people may differ from all: at every look
it is checked, not proved.
"""

import math
from collections.abc import Callable

import numpy as np

from ldp.arrays import Values
from ldp.inference import intervals, sequences, unseen
from ldp.inference.intervals import Interval
from ldp.inference.sequences import upper_hull
from ldp.inference.tallied import Tallied
from ldp.inference.unseen import Unseen
from ldp.scores import PairMoments, PooledMoments, PooledPairs, ScoreMoments, SumMoments, Target, independent

TILTS = 25
_LEAST = 1e-300
REACH = 8.0  # tilts from 1/REACH to REACH times the best tilt for expected noise


def estimate(tallied: Tallied, weights: Values) -> float:
    return float(np.asarray(weights) @ tallied.shares)


def proved(tallied: Tallied, target: Target) -> bool:
    """Return whether the interval's coverage is proved for any answers."""
    if tallied.every_look:
        # The respondents' sum changes at every look, and the population's interval serves for it.
        return target == "population" or not (tallied.part or tallied.pooled)
    return not tallied.counted


def interval(tallied: Tallied, weights: Values, confidence: float, target: Target) -> Interval:
    """Return the interval, the same for both targets, cut to the range of the weights."""
    v = np.asarray(weights, dtype=np.float64)
    if v.max() == v.min():
        return Interval(float(v[0]), float(v[0]))
    if tallied.counted and not tallied.every_look:
        phi, _ = tallied.outputs()
        scores = phi @ v
        ends = Unseen.at(scores.min()), Unseen.at(scores.max())
        span = unseen.interval(scores, tallied.totals, *ends, confidence)
        return intervals.clipped(span, estimate(tallied, v), v.min(), v.max())
    return _by_hulls(tallied, v, (1 - confidence) / 2)


def _by_hulls(tallied: Tallied, v: Values, tail: float) -> Interval:
    """Return the interval by hulls. sequences.between finds it on the scale 0..1 of the weights."""
    bottom, width = v.min(), v.max() - v.min()
    unit = (v - bottom) / width
    # Shares add up to 1, so a constant weight is known. Subtracting it lowers the noise.
    centre = float(unit.mean())
    total = tallied.n * float((unit - centre) @ tallied.shares)
    spread = _spread(tallied, unit - centre)

    def at(total: float) -> Interval:
        above, below = (_evidence(tallied, unit, centre, total, spread, tail, sign) for sign in (1, -1))
        return sequences.between(above, below)

    n = tallied.n
    ends = intervals.union(map(at, {total, intervals.clamp(total, -n * centre, n * (1 - centre))}))
    return Interval(*(intervals.clamp(bottom + width * end, bottom, bottom + width) for end in ends))


def _evidence(
    tallied: Tallied, unit: Values, centre: float, total: float, spread: float, tail: float, sign: int
) -> Callable[[float], float]:
    """Return log evidence against a weighted sum less log(1/tail): falling for sign +1, rising for -1."""
    if tallied.every_look:
        t, log_weights = sequences.grid(spread, tail, sign)
        if isinstance(tallied.moments, PooledMoments):
            # A report's score in whole numbers has the same tilts at every release.
            t = t * float(tallied.moments.gap)
    else:
        best = math.sqrt(2 * math.log(1 / tail) / (tallied.n * spread))
        t, log_weights = sign * best * np.geomspace(1 / REACH, REACH, TILTS), np.zeros(TILTS)
    bound = math.log(1 / tail)
    parts = [(n, _Hulls(unit, logs)) for n, logs in _log_means_of_parts(tallied, unit - centre, t)]

    def excess(s: float) -> float:
        cumulants = sum((n * hulls.at(s) for n, hulls in parts), np.zeros(len(t)))
        if tallied.every_look:
            return sequences.log_total(log_weights + t * total - cumulants) - bound
        # The tilt with the nearest critical total, whatever the total.
        k = int(np.argmin((bound + cumulants) / np.abs(t)))
        return float(t[k] * total - cumulants[k]) - bound

    return excess


class _Hulls:
    """Upper hulls of the means e^logs, (tilts, d), over the categories' weights."""

    def __init__(self, unit: Values, logs: Values) -> None:
        self._highest = logs.max(axis=1)
        self._hulls = [upper_hull(unit, row) for row in np.exp(logs - self._highest[:, None])]

    def at(self, s: float) -> Values:
        """Return the logarithms of the hulls at s, (tilts,)."""
        heights = np.array([np.interp(s, *hull) for hull in self._hulls])
        return np.asarray(self._highest + np.log(np.maximum(heights, _LEAST)))


def _spread(tallied: Tallied, v: Values) -> float:
    """Return roughly the variance of a report's score. It only chooses the tilts."""
    moments = tallied.moments
    if tallied.counted:
        phi, rows = tallied.outputs()
        scores = phi @ v
        return float((rows @ scores**2 - (rows @ scores) ** 2).max()) + float(np.ptp(v)) ** 2 / 12
    if isinstance(moments, PooledMoments) and tallied.every_look:
        # A report's score in whole numbers, also of forms without reports, is the same at every release.
        each = [
            (part.score * float(part.moments.gap), part.score**2 * float(part.moments.v_b)) for part in moments.parts
        ]
        return max(noise * float(v @ v) + (gap * float(np.ptp(v))) ** 2 / 12 for gap, noise in each)
    return float(moments.v_b / moments.gap**2) * float(v @ v) + float(np.ptp(v)) ** 2 / 12


# Logarithms of E e^{t W} for every truth, (tilts, d) ------------------------------------------------------------------


def _log_means_of_parts(tallied: Tallied, v: Values, t: Values) -> list[tuple[int, Values]]:
    """Return pairs of a number of reports and their logarithms: one pair, or for pooled scores one for each form (M45).
    The product over forms bounds the whole."""
    moments, pair = tallied.moments, tallied.pair
    if not isinstance(moments, PooledMoments):
        return [(tallied.n, log_means(tallied, v, t))]
    assert isinstance(pair, PooledPairs)
    steps = np.outer(t, v) / float(moments.gap)
    known = float(moments.b) * steps.sum(axis=1)[:, None]
    return [
        (part.n, _log_means_of_scores(part.moments, own, part.score * steps) - known)
        for part, own in zip(moments.parts, pair.parts, strict=True)
        if part.n
    ]


def log_means(tallied: Tallied, v: Values, t: Values) -> Values:
    """Return the logarithms for scores of one law."""
    moments, pair = tallied.moments, tallied.pair
    if tallied.counted:
        phi, rows = tallied.outputs()
        exponents = np.outer(t, phi @ v)
        return _log_means(exponents[:, None, :], rows)
    assert isinstance(pair, PairMoments), "one report scores all categories of a weighted sum"
    steps = np.outer(t, v) / float(moments.gap)
    known = float(moments.b) * steps.sum(axis=1)[:, None]
    return np.asarray(_log_means_of_scores(moments, pair, steps) - known)


def _log_means_of_scores(moments: ScoreMoments, pair: PairMoments, steps: Values) -> Values:
    """Return log E e^{sum of step score}, (tilts, d), for steps of the same shape."""
    if pair == independent(moments):
        inside, outside = _log_mean(moments, steps, True), _log_mean(moments, steps, False)
        return np.asarray(inside - outside + outside.sum(axis=1)[:, None])
    return np.array([_of_sets(moments, row) for row in steps])


def _log_mean(moments: ScoreMoments, steps: Values, inside: bool) -> Values:
    """Return log E e^{step score} of a single category."""
    if isinstance(moments, SumMoments):
        chances = np.array(moments.inside if inside else moments.outside)
        scores = moments.low + np.arange(len(chances))
        return _log_means(steps[..., None] * scores, chances)
    p = float(moments.a if inside else moments.b)
    return np.logaddexp(math.log1p(-p), math.log(p) + steps)


def _log_means(exponents: Values, chances: Values) -> Values:
    """Return log of the sum of chances e^exponent over the last axis."""
    highest = exponents.max(axis=-1, keepdims=True)
    sums = (chances * np.exp(exponents - highest)).sum(axis=-1)
    return np.asarray(np.log(np.maximum(sums, _LEAST)) + highest[..., 0])


def _of_sets(moments: ScoreMoments, steps: Values) -> Values:
    """Return log E e^{sum of step score} for lists of m categories, (d,). It sums products of e^step over all lists
    without the truth x: elementary symmetric polynomials, from the categories before and after x."""
    d, p = len(steps), float(moments.a)
    m = int(moments.a + (d - 1) * moments.b)
    highest = steps.max()
    y = np.exp(steps - highest)
    before, behind = np.zeros((d + 1, m + 1)), np.zeros((d + 1, m + 1))
    before[0, 0] = behind[d, 0] = 1.0
    for j in range(d):
        before[j + 1], behind[d - 1 - j] = _with(before[j], y[j]), _with(behind[d - j], y[d - 1 - j])
    bounds = np.empty(d)
    for x in range(d):
        with_truth = y[x] * float(before[x, :m] @ behind[x + 1, m - 1 :: -1]) / math.comb(d - 1, m - 1)
        without = float(before[x] @ behind[x + 1, ::-1]) / math.comb(d - 1, m)
        bounds[x] = math.log(max(p * with_truth + (1 - p) * without, _LEAST)) + m * highest
    return bounds


def _with(sums: Values, y: float) -> Values:
    grown = sums.copy()
    grown[1:] += y * sums[:-1]
    return grown
