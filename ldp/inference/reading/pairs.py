"""The difference theta_i - theta_j of two shares of one question in the population (M33b).

The same n reports score all categories. A report's score of the difference is s_i - s_j. Its law is known for each
truth: it leans to i, leans to j as in a mirror, or to neither. So the law of the total T = S_i - S_j depends on the
difference D and on m = theta_i + theta_j, and is wider for larger m.

    randomized response      test: given S_i + S_j, S_i is exactly Binomial(S_i + S_j, 1/2) if the shares are equal
                             interval: the unseen respondent's, of phi_i - phi_j (M30)
    inverted channel         both by the unseen respondent (M30)
    bits, subsets, noise     both by the n-fold convolution at an upper limit of m, whose error chance is added to the
                             tails' (Berger and Boos 1994)
    pooled over forms        no test; the interval is that of a weighted sum (M32b)
    at every look            no test for one look; the interval is the mixture over tilts (M29)

The intervals hold for fixed respondents too, whose total varies less (Hoeffding 1956).
"""

from typing import NamedTuple

import numpy as np
import scipy

from ldp.arrays import Values
from ldp.inference import intervals, unseen
from ldp.inference.convolution import LatticeLaw, TotalLaw
from ldp.inference.intervals import Interval
from ldp.inference.reading import several, weighted
from ldp.inference.tallied import Tallied
from ldp.inference.unseen import Unseen
from ldp.scores import ChannelMoments, PairMoments, SumMoments

# The upper limit of m takes this part of an interval's error chance, and adds this chance to a p-value.
SPENT = 0.02
SPENT_OF_TEST = 1e-5
_NOTHING = 1e-9


def estimate(tallied: Tallied, i: int, j: int) -> float:
    return float(tallied.shares[i] - tallied.shares[j])


def interval(tallied: Tallied, i: int, j: int, confidence: float) -> Interval:
    """Return the interval of theta_i - theta_j, cut to [-1, 1]."""
    if tallied.counted or tallied.every_look or tallied.pooled:
        return weighted.interval(tallied, _contrast(tallied, i, j), confidence, "population")
    error = 1 - confidence
    m = _at_most(tallied, i, j, SPENT * error)
    if m < _NOTHING:
        return Interval(-m, m)
    law = _score(tallied)
    up, down = (m * row + (1 - m) * law.neither for row in (law.up, law.up[::-1]))
    share = TotalLaw(tallied.n, LatticeLaw(law.low, up, down)).interval(
        _total(tallied, i, j), 1 - error * (1 - SPENT), "population"
    )
    return Interval(m * (2 * share.low - 1), m * (2 * share.high - 1))


def p_value(tallied: Tallied, i: int, j: int) -> float | None:
    """Return the two-sided p-value of equal shares; None while the survey is watched, and for pooled scores. An
    impossible difference has at least the p-value of the nearest possible one (M37)."""
    if tallied.every_look or tallied.pooled:
        return None
    if isinstance(tallied.moments, ChannelMoments):
        return _unseen(tallied, i, j)
    return _sign(tallied, i, j) if tallied.exclusive else _by_law(tallied, i, j)


def _sign(tallied: Tallied, i: int, j: int) -> float:
    either, most = tallied.totals[i] + tallied.totals[j], round(tallied.n * float(tallied.moments.gap))
    apart = min(abs(_total(tallied, i, j)), most)
    return min(1.0, 2 * float(scipy.stats.binom.cdf((either - apart + 1) // 2, either, 0.5)))


def _by_law(tallied: Tallied, i: int, j: int) -> float:
    m, law = _at_most(tallied, i, j, SPENT_OF_TEST), _score(tallied)
    row = m / 2 * (law.up + law.up[::-1]) + (1 - m) * law.neither
    most = round(tallied.n * m * float(law.up @ (law.low + np.arange(len(law.up)))))
    total = TotalLaw(tallied.n, LatticeLaw(law.low, row, row))
    return min(1.0, 2 * total.at_least(min(abs(_total(tallied, i, j)), most), 0.0, "population") + SPENT_OF_TEST)


def proved(tallied: Tallied) -> bool:
    """Return whether the test rejects a true hypothesis at most as often as its level, for any answers."""
    return not isinstance(tallied.moments, ChannelMoments)


# The law of one report's score ----------------------------------------------------------------------------------------


class _Score(NamedTuple):
    """Chances of low, low+1, ..., -low if category i is the truth (`up`; reversed for j), and if neither is."""

    low: int
    up: Values
    neither: Values


def _score(tallied: Tallied) -> _Score:
    moments, pair = tallied.moments, tallied.pair
    assert isinstance(pair, PairMoments), "both shares are of the same reports, with scores of one law"
    if isinstance(moments, SumMoments):
        inside, outside = np.array(moments.inside), np.array(moments.outside)
        low = 1 - len(inside)
        return _Score(low, np.convolve(inside, outside[::-1]), np.convolve(outside, outside[::-1]))
    more, less = float(moments.a - pair.among), float(moments.b - pair.among)
    either = float(moments.b - pair.neither)
    return _Score(-1, np.array([less, 1 - more - less, more]), np.array([either, 1 - 2 * either, either]))


def _at_most(tallied: Tallied, i: int, j: int, error: float) -> float:
    """Return an upper limit of theta_i + theta_j."""
    return several.interval(tallied, (i, j), 1 - 2 * error, "population").high


def _total(tallied: Tallied, i: int, j: int) -> int:
    return tallied.totals[i] - tallied.totals[j]


def _contrast(tallied: Tallied, i: int, j: int) -> Values:
    weights = np.zeros(tallied.d)
    weights[i], weights[j] = 1.0, -1.0
    return weights


def _unseen(tallied: Tallied, i: int, j: int) -> float:
    """Return the least error at which M30's interval excludes 0."""
    phi, _ = tallied.outputs()
    scores, counts = phi[:, i] - phi[:, j], np.asarray(tallied.totals, dtype=np.float64)
    beyond = estimate(tallied, i, j) - intervals.clamp(estimate(tallied, i, j), -1.0)
    return max(_unseen_at(value, scores, counts) for value in {0.0, beyond})


def _unseen_at(value: float, scores: Values, counts: Values) -> float:
    seen = counts > 0
    above = unseen.chance_above(scores[seen], counts[seen], Unseen.at(scores.max()), value)
    below = unseen.chance_above(-scores[seen], counts[seen], Unseen.at(-scores.min()), -value)
    return min(1.0, 2 * min(above, below))
