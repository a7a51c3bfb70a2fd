"""Exact draws for a curator, in integers and fractions from uniform integers (docs/mathematics.md, "Exact draws").

Chances are never floating-point numbers, whose low digits could betray an answer (Mironov 2012). A chance e^-x comes
from counting coin tosses of rational chances (Canonne, Kamath and Steinke 2020). The number of integers drawn, and so
the time, depends on the result: these draws are for a curator, never for a respondent's device. `uniform` returns
integers in 0..2^53-1 (ldp.words) and is every function's last argument.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from ldp import exact
from ldp.words import Uniform

_BITS = exact.RESOLUTION.bit_length() - 1


def below(total: int, uniform: Uniform) -> int:
    """Return an integer uniform on 0..total-1, of any size: as many bits as total - 1 has, drawn again if too large."""
    bits = (total - 1).bit_length()
    while True:
        drawn = 0
        for _ in range(-(-bits // _BITS)):
            drawn = drawn << _BITS | uniform()
        drawn &= (1 << bits) - 1
        if drawn < total:
            return drawn


def happens(chance: Fraction, uniform: Uniform) -> bool:
    """Return True with exactly this chance, a fraction in [0, 1]."""
    return below(chance.denominator, uniform) < chance.numerator


def decays(x: Fraction, uniform: Uniform) -> bool:
    """Return True with chance e^-x, x >= 0.

    For x <= 1, toss coins of chance x/1, x/2, x/3, ... until one fails. The first k all succeed with chance x^k/k!, so
    the number of successes is even with chance 1 - x + x^2/2! - ... = e^-x. A larger x is split into ones and a rest.
    """
    whole = math.floor(x)
    return all(_decays_once(Fraction(1), uniform) for _ in range(whole)) and _decays_once(x - whole, uniform)


def _decays_once(x: Fraction, uniform: Uniform) -> bool:
    k = 1
    while happens(x / k, uniform):
        k += 1
    return k % 2 == 1


def geometric(rate: Fraction, uniform: Uniform) -> int:
    """Return k = 0, 1, 2, ... with chance proportional to e^{-rate k}.

    Let rate = s/t. An integer j with chance proportional to e^{-j/t} is a rest below t, accepted with chance
    e^{-rest/t}, plus t times the number of successes of chance 1/e. k is the whole part of j/s.
    """
    t = rate.denominator
    rest = below(t, uniform)
    while not decays(Fraction(rest, t), uniform):
        rest = below(t, uniform)
    times = 0
    while decays(Fraction(1), uniform):
        times += 1
    return (rest + t * times) // rate.numerator


def laplace(rate: Fraction, uniform: Uniform) -> int:
    """Return an integer k with chance proportional to e^{-rate |k|}: a sign and a distance, drawn again for negative
    zero."""
    while True:
        negative, distance = bool(below(2, uniform)), geometric(rate, uniform)
        if not negative:
            return distance
        if distance:
            return -distance


def gaussian(variance: Fraction, uniform: Uniform) -> int:
    """Return an integer k with chance proportional to e^{-k^2/(2 variance)}.

    A Laplace proposal of rate 1/t, t about the standard deviation, is accepted with chance exp(-(|k| - variance/t)^2/(2
    variance)). The product has no term linear in |k|.
    """
    t = math.isqrt(math.floor(variance)) + 1
    while True:
        k = laplace(Fraction(1, t), uniform)
        if decays((abs(k) - variance / t) ** 2 / (2 * variance), uniform):
            return k


def tulap(alpha: Fraction, uniform: Uniform) -> Fraction:
    """Return Tulap(0, e^-alpha, 0) noise on a grid of 2^-53: a Laplace integer, spread over its unit cell.

    Only the integer protects. The place in the cell is independent of the integer, and a reader could add one. So the
    grid costs no privacy.
    """
    return laplace(alpha, uniform) + Fraction(2 * uniform() + 1, 2 * exact.RESOLUTION) - Fraction(1, 2)


def weighted(weights: Sequence[int], uniform: Uniform) -> int:
    """Return an index with chance exactly weight/total, for integer weights of any size."""
    running = list(accumulate(weights))
    return bisect_right(running, below(running[-1], uniform))


def decaying(rate: Fraction, length: int, bits: int = 128) -> list[int]:
    """Return integer weights w_0 = 2^bits >= w_1 >= ..., near 2^bits e^{-rate k}. Each is at least e^{-rate} times the
    weight before it.

    Each weight is rounded up from the weight before, with an upper bound of e^-rate. So the inequality holds in whole
    numbers: moving k by one changes a weight by a factor of at most e^rate. Far weights stay at about 1/rate, which
    loses about 2^-bits.
    """
    bound = exact.exp_short(rate)
    weights = [1 << bits]
    for _ in range(length - 1):
        weights.append(-(-weights[-1] * bound.denominator // bound.numerator))
    return weights
