"""Two shares that are counted in reports of their own: of two surveys, or of two options that different reports are
about (M33c). theta_1 - theta_2 in the population.

Where no report tells of both, the estimates are independent and their variances add. The interval puts the limits of
both together as variances are (MOVER: Howe 1974; Newcombe 1998; Zou and Donner 2008),

    estimate - sqrt((theta_1 - low_1)^2 + (high_2 - theta_2)^2)   to   estimate + sqrt((high_1 - theta_1)^2 + ...),

with the limits of the published intervals before these are cut to 0 and 1: cut ones are too short where an estimate
lies near an end (at alpha 1, n = 20 and shares of .97 and .01 they cover .77). Checked, not proved. Where reports may
tell of both, intervals hold at every look, or the scores are sums of noise, whose limits are cut, each of two published
intervals gets half of the chance of error and all differences between them are kept. Proved.

Where both scores are 0 or 1 by the same channel, the shares are equal if and only if the chances are, so that Fisher's
test of the table of two by two is exact.
"""

import math

from scipy import special, stats

from ldp.inference import unseen
from ldp.inference.intervals import Interval
from ldp.inference.reading.tallied import Tallied
from ldp.inference.unseen import Unseen
from ldp.scores import ChannelMoments, SumMoments

Share = tuple[Tallied, int]


def estimate(one: Share, other: Share) -> float:
    (first, i), (second, j) = one, other
    return float(first.shares[i] - second.shares[j])


def adding(one: Share, other: Share, independent: bool) -> bool:
    """Whether variances add."""
    return independent and not (one[0].every_look or other[0].every_look)


def interval(one: Share, other: Share, confidence: float, independent: bool = True) -> Interval:
    """Cut to [-1, 1]."""
    sums = any(isinstance(tallied.moments, SumMoments) for tallied, _ in (one, other))
    if sums or not adding(one, other, independent):
        first, second = (_published(share, (1 + confidence) / 2) for share in (one, other))
        return Interval(first.low - second.high, first.high - second.low)
    (first, s), (second, t) = ((_uncut(*share, confidence), float(share[0].shares[share[1]])) for share in (one, other))
    below = math.hypot(s - first.low, second.high - t)
    above = math.hypot(first.high - s, t - second.low)
    return Interval(*(min(max(end, -1.0), 1.0) for end in (s - t - below, s - t + above)))


def p_value(one: Share, other: Share, independent: bool = True) -> float | None:
    """Two-sided, of the hypothesis that both shares are equal; None where no exact one is known."""
    (first, i), (second, j) = one, other
    moments = first.moments
    if not adding(one, other, independent) or moments != second.moments or isinstance(moments, ChannelMoments):
        return None
    if not moments.binary:
        return None
    x, y = first.totals[i], second.totals[j]
    law = first.n + second.n, x + y, first.n
    return min(1.0, 2 * float(min(stats.hypergeom.cdf(x, *law), stats.hypergeom.sf(x - 1, *law))))


def _published(share: Share, confidence: float) -> Interval:
    tallied, j = share
    return tallied.interval(j, confidence, "population")


def _uncut(tallied: Tallied, j: int, confidence: float) -> Interval:
    """The published interval before it is cut: Clopper and Pearson's, or the unseen respondent's."""
    moments, n, tail = tallied.moments, tallied.n, (1 - confidence) / 2
    if isinstance(moments, ChannelMoments):
        scores = tallied.outputs()[0][:, j]
        ends = Unseen.at(scores.min()), Unseen.at(scores.max())
        return unseen.interval(scores, tallied.totals, *ends, confidence)
    total, p, q = tallied.totals[j], float(moments.a), float(moments.b)
    low = special.betaincinv(total, n - total + 1, tail) if total > 0 else 0.0
    high = special.betaincinv(total + 1, n - total, 1 - tail) if total < n else 1.0
    return Interval((low - q) / (p - q), (high - q) / (p - q))
