"""The Gaussian mechanism of a curator: the least noise that keeps (alpha, delta) (M6, M24; Balle and Wang 2018).

Noise of standard deviation s on a number that one person changes by D keeps

    delta = Phi(D/(2s) - alpha s/D) - e^alpha Phi(-D/(2s) - alpha s/D)

and no less, at every alpha >= 0: the log ratio of the two densities at y is D y/s^2 - D^2/(2 s^2), itself normal. For
several numbers D is the Euclidean distance, since turning the axes changes nothing.
"""

import math
from fractions import Fraction

import scipy

from ldp.central import draws
from ldp.words import Uniform

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


def classical_deviation(alpha: float, delta_: float, sensitivity: float = 1.0) -> float:
    """The textbook's D sqrt(2 ln(1.25/delta))/alpha: sufficient for alpha <= 1 only, and always more than needed."""
    return sensitivity * math.sqrt(2 * math.log(1.25 / delta_)) / alpha


def error_bound(s: float, failure: float, numbers: int = 1) -> float:
    """With chance 1 - failure none of the numbers is off by more than this; exact, as their noises are independent."""
    each = -math.expm1(math.log1p(-failure) / numbers)
    return -s * float(scipy.special.ndtri(each / 2))


def renyi(order: float, s: float, sensitivity: float = 1.0) -> float:
    """The Renyi divergence of an order: r D^2/(2 s^2), for real noise and at most that for integer noise."""
    return order * sensitivity**2 / (2 * s**2)


def integer_delta(alpha: float, variance: Fraction, sensitivity: int = 1) -> float:
    """The least delta of integer noise with P(k) proportional to e^{-k^2/(2 variance)}, as a sum over k.

    The ratio of the chances of k and k - D falls in k, so reports at most D/2 - alpha variance/D tell too much.
    """
    s = math.sqrt(variance)
    reach = math.ceil(40 * s) + sensitivity
    weights = {k: math.exp(-(k**2) / (2 * s**2)) for k in range(-reach - sensitivity, reach + 1)}
    total = math.fsum(weights.values())
    last = math.floor(sensitivity / 2 - alpha * s**2 / sensitivity)
    return math.fsum(weights[k] - math.exp(alpha) * weights[k - sensitivity] for k in range(-reach, last + 1)) / total


def integer_variance(alpha: float, delta_: float, sensitivity: int = 1) -> Fraction:
    """A variance, in steps of 1/64, at which integer noise keeps (alpha, delta) and one step below does not.

    Found by bisection, near that of real noise, a little above or below it.
    """
    high = math.ceil(128 * deviation(alpha, delta_, sensitivity) ** 2) + 64
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        kept = integer_delta(alpha, Fraction(middle, 64), sensitivity) <= delta_
        low, high = (low, middle) if kept else (middle, high)
    return Fraction(high, 64)


def release(total: int, variance: Fraction, uniform: Uniform) -> int:
    """A total with integer Gaussian noise, drawn exactly."""
    return total + draws.gaussian(variance, uniform)
