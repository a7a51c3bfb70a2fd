"""A curator's Gaussian mechanism: the least noise that keeps (alpha, delta) (M6, M24; Balle and Wang 2018).

One person changes a number by at most D. Noise of standard deviation s keeps exactly

    delta = Phi(D/(2s) - alpha s/D) - e^alpha Phi(-D/(2s) - alpha s/D)

at every alpha >= 0. The log ratio of the two densities at y is D y/s^2 - D^2/(2 s^2), which is normal. For several
numbers D is the Euclidean distance, because turning the axes changes nothing.
"""

import math

import scipy

from ldp import search


def delta(alpha: float, s: float, sensitivity: float = 1.0) -> float:
    """Return the least delta at this alpha. The second term uses logarithms, because e^alpha alone could overflow."""
    half, pull = sensitivity / (2 * s), alpha * s / sensitivity
    return float(scipy.special.ndtr(half - pull) - math.exp(alpha + scipy.special.log_ndtr(-half - pull)))


def deviation(alpha: float, delta_: float, sensitivity: float = 1.0) -> float:
    """Return the least standard deviation that keeps (alpha, delta), by bisection. delta falls as the noise grows."""
    return sensitivity * search.least(lambda s: delta(alpha, s) <= delta_)


def error_bound(s: float, failure: float, numbers: int = 1) -> float:
    """Return the error that no number exceeds with chance 1 - failure, exactly: the noises are independent."""
    each = -math.expm1(math.log1p(-failure) / numbers)
    return -s * float(scipy.special.ndtri(each / 2))


def renyi(order: float, s: float, sensitivity: float = 1.0) -> float:
    """Return the Renyi divergence of order r for real noise, r D^2/(2 s^2). Integer noise has at most as much."""
    return order * sensitivity**2 / (2 * s**2)
