"""The Gaussian mechanism of a curator: the least noise that keeps (alpha, delta) (M6, M24; Balle and Wang 2018).

Noise of standard deviation s on a number that one person changes by D keeps

    delta = Phi(D/(2s) - alpha s/D) - e^alpha Phi(-D/(2s) - alpha s/D)

and no less, at every alpha >= 0: the log ratio of the two densities at y is D y/s^2 - D^2/(2 s^2), itself normal. For
several numbers D is the Euclidean distance, since turning the axes changes nothing.
"""

import math

import scipy

from ldp import search


def delta(alpha: float, s: float, sensitivity: float = 1.0) -> float:
    """Return the least delta at this alpha. The second term goes through logarithms, where e^alpha alone would
    overflow."""
    half, pull = sensitivity / (2 * s), alpha * s / sensitivity
    return float(scipy.special.ndtr(half - pull) - math.exp(alpha + scipy.special.log_ndtr(-half - pull)))


def deviation(alpha: float, delta_: float, sensitivity: float = 1.0) -> float:
    """Return the least standard deviation that keeps (alpha, delta), by bisection: delta falls as the noise grows."""
    return sensitivity * search.least(lambda s: delta(alpha, s) <= delta_)


def error_bound(s: float, failure: float, numbers: int = 1) -> float:
    """Return the error that none of the numbers exceeds with chance 1 - failure; exact, as their noises are
    independent."""
    each = -math.expm1(math.log1p(-failure) / numbers)
    return -s * float(scipy.special.ndtri(each / 2))


def renyi(order: float, s: float, sensitivity: float = 1.0) -> float:
    """Return the Renyi divergence of this order r for real noise, r D^2/(2 s^2); integer noise has at most that."""
    return order * sensitivity**2 / (2 * s**2)
