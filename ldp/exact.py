"""Integer thresholds, and the proof without floating point that they keep alpha (M1).

A random decision compares a uniform integer U in 0..2^53-1 with a published threshold t, so its probability is exactly
t/2^53. A channel that moves to each of d-1 other categories with probability t/2^53 has

   realized alpha = ln((2^53 - (d-1) t) / t).

Partial sums of the Taylor series are lower bounds of e^alpha, so

   2^53 - (d-1) t  <=  t * sum_{k<=TERMS} alpha^k / k!      (in fractions)

certifies realized <= promised. With d = 2 and alpha/2 the inequality certifies a bit flip.

M44 draws a report that fits the answer with probability t/2^53, otherwise any report. If one report in D fits the
answer, the realized alpha is ln(1 + t D / (2^53 - t)).
"""

import math
import re
from fractions import Fraction
from functools import lru_cache
from typing import Any

RESOLUTION = 1 << 53

# A mechanism's table in a definition: names with whole numbers. A ListTable may also have lists of them.
Table = dict[str, int]
ListTable = dict[str, Any]

# 16^96/96! < 1e-33, so up to ALPHA_MAX the partial sum agrees with e^alpha to far more than 53 bits.
TERMS = 96

ALPHA_MIN = Fraction(1, 100)
ALPHA_MAX = Fraction(16)
ALPHA_WEAK = Fraction(4)  # a larger alpha lets a report multiply the odds of an answer by more than fifty
DELTA_MIN = Fraction(1, 10**12)
DELTA_MAX = Fraction(1, 10**3)
_DECIMAL = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.[0-9]{1,6})?", re.ASCII)
_SMALL_DECIMAL = re.compile(r"0\.[0-9]{1,12}", re.ASCII)


class OutOfRange(ValueError):
    """A well-formed number outside the accepted range."""


def parse_alpha(text: str) -> Fraction:
    """Return alpha, 0.01 to 16, as an exact fraction. ValueError names the broken rule."""
    if not isinstance(text, str) or not _DECIMAL.fullmatch(text):
        raise ValueError('must be a decimal string with at most six digits after the point, such as "0.5"')
    alpha = Fraction(text)
    if not ALPHA_MIN <= alpha <= ALPHA_MAX:
        raise OutOfRange(f"must be from {float(ALPHA_MIN)} to {int(ALPHA_MAX)}")
    return alpha


def parse_delta(text: str) -> Fraction:
    """Return delta (M6), 1e-12 to 1e-3, as an exact fraction. ValueError names the broken rule."""
    if not isinstance(text, str) or not _SMALL_DECIMAL.fullmatch(text):
        raise ValueError('must be a decimal string with at most twelve digits after the point, such as "0.000001"')
    delta = Fraction(text)
    if not DELTA_MIN <= delta <= DELTA_MAX:
        raise OutOfRange("must be from 0.000000000001 to 0.001")
    return delta


@lru_cache(maxsize=1024)
def exp_below(x: Fraction) -> Fraction:
    """Return a lower bound of e^x, x >= 0: the Taylor series through x^TERMS by Horner's rule in integers."""
    numerator, denominator = 1, 1
    for k in range(TERMS, 0, -1):
        step = denominator * x.denominator * k
        numerator, denominator = step + x.numerator * numerator, step
    return Fraction(numerator, denominator)


@lru_cache(maxsize=1024)
def exp_short(x: Fraction) -> Fraction:
    """Return exp_below(x), cut down to 64 binary places. Certificates multiply it many times."""
    bound = exp_below(x)
    return Fraction((bound.numerator << 64) // bound.denominator, 1 << 64)


def threshold(alpha: Fraction, d: int) -> int:
    """Return the least certified t, 2^53 times the probability of each of the d-1 other categories (M1)."""
    return math.ceil(RESOLUTION / (exp_below(alpha) + d - 1))


def certified(t: int, alpha: Fraction, d: int) -> bool:
    """Return whether moving to each of d-1 other categories with probability t/2^53 keeps alpha (M1).

    d t <= 2^53 makes the true category the likeliest, so the ratio is bounded in both directions.
    """
    return t >= 1 and d * t <= RESOLUTION and RESOLUTION - (d - 1) * t <= t * exp_below(alpha)


def realized_alpha(t: int, d: int) -> float:
    return math.log((RESOLUTION - (d - 1) * t) / t)


# Keep or replace (M44) ------------------------------------------------------------------------------------------------


def keeping(alpha: Fraction, rarity: Fraction) -> int:
    """Return the largest certified t (M44) for a channel that keeps the answer with probability t/2^53, if one report
    in `rarity` fits an answer."""
    bound = exp_below(alpha) - 1
    return math.floor(RESOLUTION * bound / (bound + rarity))


def keeping_certified(t: int, rarity: Fraction, alpha: Fraction) -> bool:
    """Return whether keeping the answer with probability t/2^53 keeps alpha (M44); `rarity` as in `keeping`."""
    return 1 <= t < RESOLUTION and RESOLUTION - t + t * rarity <= (RESOLUTION - t) * exp_below(alpha)


def keeping_alpha(t: int, rarity: Fraction) -> float:
    return math.log1p(t * rarity / (RESOLUTION - t))
