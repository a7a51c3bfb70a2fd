"""Laplace noise that n respondents make together (docs/mathematics.md, "Noise that respondents share").

No one knows the whole noise, and the total is as precise as a curator's. Laplace noise of scale s is the sum over n
people of G - G', Gamma(1/n, s) variables: shapes of Gamma laws of one scale add up, and Gamma(1, s) is exponential. One
person's part has variance 2 s^2/n and is nearly always close to 0. It cannot hide an answer, so only the sum may be
seen (secure aggregation). If some people add nothing, the noise falls short (`missing_delta`); if k of n are expected,
parts have the shape 1/k.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import scipy

_FAR = 60.0  # in scales; the chance e^-60 beyond is left out


class Moments(NamedTuple):
    variance: float
    absolute: float
    kurtosis: float


def moments(n: int, scale: float) -> Moments:
    """Return the moments of one person's part. Its mean is 0, its mean absolute value 2 s Gamma(1/n + 1/2)/(sqrt(pi)
    Gamma(1/n))."""
    absolute = (
        2 * scale * math.exp(scipy.special.gammaln(1 / n + 0.5) - scipy.special.gammaln(1 / n)) / math.sqrt(math.pi)
    )
    return Moments(2 * scale**2 / n, absolute, 3.0 + 3 * n)


def density(x: float, shape: float, scale: float) -> float:
    """Return the density of G - G' at x != 0, by the Bessel function K. Shape is 1/n for one person's part, k/n for k
    parts."""
    order, distance = shape - 0.5, abs(x) / scale
    log = order * math.log(distance / 2) - distance + math.log(scipy.special.kve(order, distance))
    return math.exp(log - scipy.special.gammaln(shape)) / (math.sqrt(math.pi) * scale)


def beyond(x: float, shape: float, scale: float) -> float:
    """Return P(|G - G'| > x) for x > 0. The integral is over log x, which removes the peak at 0."""
    return min(1.0, 2 * _between(x, _FAR * scale, shape, scale))


def _between(low: float, high: float, shape: float, scale: float) -> float:
    """Return the chance between two positive numbers, low and high."""
    if high <= low:
        return 0.0
    inner = [point for point in (0.05 * scale, scale) if low < point < high]
    return math.fsum(
        scipy.integrate.quad(
            lambda u: math.exp(u) * density(math.exp(u), shape, scale), math.log(a), math.log(b), limit=200
        )[0]
        for a, b in pairwise([low, *inner, high])
    )


def missing_delta(present: int, n: int, alpha: float) -> float:
    """Return the delta at alpha if noise for alpha was shared among n people and only `present` < n of them add their
    part.

    The sum has shape k/n < 1 and scale 1/alpha. Its ratio to the law moved by 1 is above e^alpha at all x < 0 and falls
    between 0 and 1, so it exceeds e^alpha below one y in (0, 1/2).
    """
    shape, scale = present / n, 1 / alpha

    def ratio(y: float) -> float:
        return math.log(density(y, shape, scale) / density(1 - y, shape, scale)) - alpha

    y = 0.0 if ratio(1e-300) <= 0 else float(scipy.optimize.brentq(ratio, 1e-300, 0.5, xtol=1e-300, rtol=1e-12))
    inside = 0.5 - beyond(y, shape, scale) / 2 if y > 0 else 0.0
    return 0.5 + inside - math.exp(alpha) * beyond(1 - y, shape, scale) / 2
