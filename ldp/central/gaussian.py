"""The Gaussian mechanism of a curator: the least noise that keeps (alpha, delta) (M6, M24; Balle and Wang 2018).

Noise of standard deviation s on a number that one person changes by D keeps

    delta = Phi(D/(2s) - alpha s/D) - e^alpha Phi(-D/(2s) - alpha s/D)

and no less, at every alpha >= 0: the log ratio of the two densities at y is D y/s^2 - D^2/(2 s^2), itself normal. For
several numbers D is the Euclidean distance, since turning the axes changes nothing.
"""

import math

import scipy

_STEPS = 200


def delta(alpha: float, s: float, sensitivity: float = 1.0) -> float:
    """The least delta at this alpha. The second term goes through logarithms, where e^alpha alone would overflow."""
    half, pull = sensitivity / (2 * s), alpha * s / sensitivity
    return float(scipy.special.ndtr(half - pull) - math.exp(alpha + scipy.special.log_ndtr(-half - pull)))


def deviation(alpha: float, delta_: float, sensitivity: float = 1.0) -> float:
    """The least standard deviation that keeps (alpha, delta), by bisection: delta falls as the noise grows."""
    low, high = 0.0, 1.0
    while delta(alpha, high) > delta_:
        high *= 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if middle > 0 and delta(alpha, middle) <= delta_ else (middle, high)
    return sensitivity * high


def error_bound(s: float, failure: float, numbers: int = 1) -> float:
    """With chance 1 - failure none of the numbers is off by more than this; exact, as their noises are independent."""
    each = -math.expm1(math.log1p(-failure) / numbers)
    return -s * float(scipy.special.ndtri(each / 2))


def renyi(order: float, s: float, sensitivity: float = 1.0) -> float:
    """The Renyi divergence of an order: r D^2/(2 s^2), for real noise and at most that for integer noise."""
    return order * sensitivity**2 / (2 * s**2)
