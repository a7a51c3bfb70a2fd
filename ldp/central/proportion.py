"""Inference for one proportion that a trusted curator released with noise (M25), to set beside local privacy.

`normal_interval` is for a proportion with Laplace noise of scale 1/(n alpha) (Vu and Slavkovic 2009). `p_value` is
the uniformly most powerful alpha-private test, for a count with Tulap noise (Awan and Slavkovic 2018): a geometric
difference that is spread evenly over unit cells, so that its quantiles are exact.
"""

import math

import numpy as np
import numpy.typing as npt
from scipy import stats

from ldp.inference import intervals
from ldp.inference.intervals import Interval


def normal_interval(released: float, n: int, alpha: float, confidence: float) -> Interval:
    """All shares within z standard errors of the released proportion, the standard error taken at the share itself.

    n (released - s)^2 <= z^2 (2/(n alpha^2) + s - s^2), cut to [0, 1].
    """
    return intervals.within(released, n, confidence, 2 / (n * alpha**2), 1.0, 1.0)


def tulap_cdf(x: npt.ArrayLike, alpha: float) -> npt.NDArray[np.float64]:
    """P(N <= x) of Tulap(0, b, 0), b = e^-alpha: N = G1 - G2 + U, P(G = k) = (1-b) b^k, U uniform on (-1/2, 1/2)."""
    b = math.exp(-alpha)
    distance = np.abs(np.asarray(x, dtype=np.float64))
    cell = np.floor(distance + 0.5)
    # The law is symmetric: the tail beyond a distance is that of the cells beyond, and a part of its own cell.
    beyond = b**cell / (1 + b) * (b + (cell - distance + 0.5) * (1 - b))
    return np.where(np.asarray(x) > 0, 1 - beyond, beyond)


def p_value(noisy_count: float, n: int, share: float, alpha: float) -> float:
    """The p-value of the hypothesis that the share is at most this one, from a count with Tulap(0, e^-alpha, 0) noise.

    The chance that a Binomial(n, share) with fresh noise is at least as large; it is uniform where the share is this
    one.
    """
    counts = np.arange(n + 1)
    return float(stats.binom.pmf(counts, n, share) @ tulap_cdf(counts - noisy_count, alpha))
