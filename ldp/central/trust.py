"""A share without privacy, with a curator and with local privacy (docs/mathematics.md, "Three rows").

Each row has the interval at the expected release (the nearest count), and the chance that an interval contains the
share, without simulation. An answer changes two of d shares, so a curator who publishes all of them has alpha/2 for
each.
"""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ldp.central import laplace, proportion, tulap
from ldp.central.bounds import Errors
from ldp.inference import intervals
from ldp.inference.intervals import Interval
from ldp.mechanisms import randomized_response
from ldp.scores import ScoreMoments, indicator


class TrustInterval(NamedTuple):
    """A row of the comparison. `coverage` is the chance that the method's interval contains the share."""

    trust: str
    method: str
    interval: Interval
    coverage: float


def rows(n: int, alpha: float, d: int, share: float, confidence: float) -> list[TrustInterval]:
    """Return the rows for one of d shares, 0 < share < 1: no privacy, a curator by three methods, the local survey."""
    each = alpha_of_each(alpha, d)
    return [
        _counted("none", n, share, confidence, indicator(Fraction(1), Fraction(0))),
        TrustInterval("curator", "most powerful", tulap.interval(n * share, n, each, confidence), confidence),
        _curator("fiducial", n, each, share, confidence),
        _curator("normal", n, each, share, confidence),
        _counted("local", n, share, confidence, local_law(alpha, d)),
    ]


def alpha_of_each(alpha: float, d: int) -> float:
    """Return a curator's alpha for each of d published shares."""
    return alpha if d == 2 else alpha / 2


def standard_errors(n: int, alpha: float, d: int, share: float) -> Errors:
    """Return the standard errors of one share: without privacy, with Laplace noise on its count, and locally (M12)."""
    sampling = share * (1 - share)
    moments = local_law(alpha, d)
    noise = (share * float(moments.v_a) + (1 - share) * float(moments.v_b)) / float(moments.gap) ** 2
    variances = sampling / n, laplace.variance(sampling, n, alpha_of_each(alpha, d)), (sampling + noise) / n
    return Errors(*map(math.sqrt, variances))


def local_law(alpha: float, d: int) -> ScoreMoments:
    """Return the moments of randomized response with the sizes of least error (M44), from its integer table."""
    exact = Fraction(str(alpha))
    return randomized_response.moments(randomized_response.table(exact, d), d)["support"]


def _counted(trust: str, n: int, share: float, confidence: float, moments: ScoreMoments) -> TrustInterval:
    """Return the exact interval of a count of supports, Binomial(n, q + (p-q) share), and its coverage."""
    chance = float(moments.b) + float(moments.gap) * share
    counts, chances = intervals.window(n, chance)
    ends = [intervals.exact(int(count), n, moments, confidence, "population") for count in counts]
    inside = np.array([low <= share <= high for low, high in ends])
    at_expected = intervals.exact(round(n * chance), n, moments, confidence, "population")
    return TrustInterval(trust, "exact", at_expected, float(chances @ inside))


def _curator(method: proportion.IntervalMethod, n: int, alpha: float, share: float, confidence: float) -> TrustInterval:
    interval = {"fiducial": proportion.fiducial_interval, "normal": proportion.normal_interval}[method]
    coverage = proportion.coverage(method, n, alpha, share, confidence)
    return TrustInterval("curator", method, interval(share, n, alpha, confidence), coverage)
