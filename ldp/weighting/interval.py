"""The interval of a mean of scores of which only mean, variance and ends are known: the unseen respondent (M30) by two
moments.

M30 adds a respondent at an end, and takes a quantile of the mean of all scores with Dirichlet weights. The mean and the
variance of that weighted mean follow from the first two moments of the scores; the quantile is that of the beta law
which has them, between the least and the largest score. For 0/1 scores it is the law itself, so that the limits are
Clopper and Pearson's.
"""

import scipy

from ldp.inference import intervals
from ldp.inference.intervals import Interval
from ldp.weighting.scores import Law


def of(law: Law, n: int, confidence: float) -> Interval:
    """Uncut, that of the mean of n scores with this law."""
    tail = (1 - confidence) / 2
    mirrored = Law(-law.mean, law.variance, -law.largest, -law.least)
    return Interval(-_upper(mirrored, n, tail), _upper(law, n, tail))


def of_share(law: Law, estimate: float, n: int, confidence: float) -> Interval:
    """That of a share with this estimate, to which the scores add up but for a constant; cut by M37."""
    return of_sum(law, estimate, n, confidence, (0.0, 1.0))


def of_sum(law: Law, estimate: float, n: int, confidence: float, ends: tuple[float, float]) -> Interval:
    """That of a sum of shares, such as a mean, which lies between these ends."""
    low, high = of(law, n, confidence)
    shift = estimate - law.mean
    return intervals.clipped(Interval(low + shift, high + shift), estimate, *ends)


def _upper(law: Law, n: int, tail: float) -> float:
    width = law.largest - law.least
    mean = (n * law.mean + law.largest) / (n + 1)
    second = (n * (law.variance + law.mean**2) + law.largest**2) / (n + 1)
    variance, place = (second - mean**2) / (n + 2), (mean - law.least) / width if width else 1.0
    if not 0 < place < 1 or variance <= 0:
        return law.largest if place >= 1 else mean
    size = place * (1 - place) * width**2 / variance - 1
    return law.least + width * float(scipy.special.betaincinv(place * size, (1 - place) * size, 1 - tail))
