"""The change theta_2 - theta_1 of a population's share between two surveys that the same people may have answered
(M38b).

An estimate errs by sampling and by randomization. People who answered both surveys make the sampling errors depend on
each other in any way. The noise of the two is always independent. With the standard deviations sd of sampling and nu of
noise, the difference's is at most sqrt((sd_1 + sd_2)^2 + nu_1^2 + nu_2^2). If published limits are at distances r and s
from their estimates, that of the difference is at most at the distance

    sqrt(r^2 + s^2 + 2 rho_1 rho_2 r s),

where rho^2 is the largest part of a variance that is sampling, over the shares within the interval. A limit cut at the
end of the possible range is certain, so its distance is not that of an error, and the bound is r + s.
"""

import math
from typing import NamedTuple

from ldp.inference.intervals import Interval
from ldp.inference.tallied import Tallied
from ldp.scores import ChannelMoments


class PublishedShare(NamedTuple):
    """A share, or a mean in its unit. `sampled` is rho; `ends` are the possible range."""

    estimate: float
    interval: Interval
    sampled: float = 1.0
    ends: tuple[float, float] = (0.0, 1.0)


def interval(before: PublishedShare, after: PublishedShare) -> Interval:
    """Return the interval of the change, from intervals of equal confidence."""
    return Interval(_lower(after, before), -_lower(before, after))


def _lower(one: PublishedShare, other: PublishedShare) -> float:
    """Return the lower limit of the first share minus the second."""
    (low, _), (_, high) = one.interval, other.interval
    if low <= one.ends[0] or high >= other.ends[1]:
        return low - high
    down, up = one.estimate - low, high - other.estimate
    return one.estimate - other.estimate - math.sqrt(down**2 + up**2 + 2 * one.sampled * other.sampled * down * up)


def sampled(tallied: Tallied, j: int, span: Interval) -> float:
    """Return the largest rho of category j for shares in this interval; 1 if the interval holds at every look."""
    if tallied.every_look:
        return 1.0
    middle = min(max(span.low, 0.5), span.high)
    # Pooled scores have another factor of the sampling part (M45).
    sampling = tallied.moments.sampling("population") * middle * (1 - middle)
    return math.sqrt(sampling / (sampling + _noise(tallied, j, span))) if sampling else 0.0


def _noise(tallied: Tallied, j: int, span: Interval) -> float:
    """Return n times the least variance of the noise within the interval."""
    moments = tallied.moments
    if isinstance(moments, ChannelMoments):
        return min(float(row[j]) for row in moments.variances)
    v_a, v_b = float(moments.v_a), float(moments.v_b)
    return min(share * v_a + (1 - share) * v_b for share in span) / float(moments.gap) ** 2
