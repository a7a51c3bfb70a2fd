"""Integer thresholds and the proof, without floating point, that they keep alpha (M1).

Every random decision compares a uniform integer U in 0..2^53-1 with a published threshold t, so an event has
probability exactly t/2^53. A channel that moves to each of d-1 other categories with probability t/2^53 has

    realized alpha = ln((2^53 - (d-1) t) / t),

and partial sums of the Taylor series are lower bounds of e^alpha, so

    2^53 - (d-1) t  <=  t * sum_{k<=TERMS} alpha^k / k!      (in fractions)

certifies realized <= promised. The same inequality with d = 2 and alpha/2 is the certificate of a bit flip.

A channel that with the chance t/2^53 draws among the reports that fit the answer, and else among all of them, where
every D-th fits, has the realized alpha ln(1 + t D / (2^53 - t)) (M44).
"""

import math
import re
from fractions import Fraction
from functools import lru_cache
from typing import Any

RESOLUTION = 1 << 53

# A mechanism's table in a definition: whole numbers by their names, or also lists of them.
Table = dict[str, int]
ListTable = dict[str, Any]

# 16^96/96! < 1e-33: for every alpha we accept, the partial sum is e^alpha to far more than 53 bits.
TERMS = 96

ALPHA_MIN = Fraction(1, 100)
ALPHA_MAX = Fraction(16)
ALPHA_WEAK = Fraction(4)  # above it a report can multiply the odds of an answer by more than fifty
DELTA_MIN = Fraction(1, 10**12)
DELTA_MAX = Fraction(1, 10**3)
_DECIMAL = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.[0-9]{1,6})?", re.ASCII)
_SMALL_DECIMAL = re.compile(r"0\.[0-9]{1,12}", re.ASCII)


class OutOfRange(ValueError):
    """A well-formed number outside the accepted range."""


def parse_alpha(text: str) -> Fraction:
    """Return the privacy parameter, 0.01 to 16, as an exact fraction. ValueError names the rule that a text breaks."""
    if not isinstance(text, str) or not _DECIMAL.fullmatch(text):
        raise ValueError('must be a decimal string with at most six digits after the point, such as "0.5"')
    alpha = Fraction(text)
    if not ALPHA_MIN <= alpha <= ALPHA_MAX:
        raise OutOfRange(f"must be from {float(ALPHA_MIN)} to {int(ALPHA_MAX)}")
    return alpha


def parse_delta(text: str) -> Fraction:
    """Return the delta of an (alpha, delta)-private mechanism (M6), as an exact fraction. ValueError names the rule."""
    if not isinstance(text, str) or not _SMALL_DECIMAL.fullmatch(text):
        raise ValueError('must be a decimal string with at most twelve digits after the point, such as "0.000001"')
    delta = Fraction(text)
    if not DELTA_MIN <= delta <= DELTA_MAX:
        raise OutOfRange("must be from 0.000000000001 to 0.001")
    return delta


@lru_cache(maxsize=1024)
def exp_below(x: Fraction) -> Fraction:
    """Return a lower bound of e^x for x >= 0: the Taylor series through x^TERMS, by Horner's rule in integers."""
    numerator, denominator = 1, 1
    for k in range(TERMS, 0, -1):
        step = denominator * x.denominator * k
        numerator, denominator = step + x.numerator * numerator, step
    return Fraction(numerator, denominator)


@lru_cache(maxsize=1024)
def exp_short(x: Fraction) -> Fraction:
    """Return the bound of exp_below, cut to 64 binary places for certificates that multiply it many times."""
    bound = exp_below(x)
    return Fraction((bound.numerator << 64) // bound.denominator, 1 << 64)


def threshold(alpha: Fraction, d: int) -> int:
    """Return the smallest certified t: each of d-1 other categories is reported with probability t/2^53."""
    return math.ceil(RESOLUTION / (exp_below(alpha) + d - 1))


def certified(t: int, alpha: Fraction, d: int) -> bool:
    """Return whether moving to each of d-1 other categories with probability t/2^53 keeps alpha (M1).

    d t <= 2^53 means that no other category is likelier than the true one, so the ratio is bounded both ways.
    """
    return t >= 1 and d * t <= RESOLUTION and RESOLUTION - (d - 1) * t <= t * exp_below(alpha)


def realized_alpha(t: int, d: int) -> float:
    return math.log((RESOLUTION - (d - 1) * t) / t)


# Keep or replace (M44) ------------------------------------------------------------------------------------------------


def keeping(alpha: Fraction, rarity: Fraction) -> int:
    """Return the largest certified t of a channel that keeps the answer with the chance t/2^53, where every `rarity`-th
    report fits an answer (M44)."""
    bound = exp_below(alpha) - 1
    return math.floor(RESOLUTION * bound / (bound + rarity))


def keeping_certified(t: int, rarity: Fraction, alpha: Fraction) -> bool:
    """Return whether that channel keeps alpha (M44)."""
    return 1 <= t < RESOLUTION and RESOLUTION - t + t * rarity <= (RESOLUTION - t) * exp_below(alpha)


def keeping_alpha(t: int, rarity: Fraction) -> float:
    return math.log1p(t * rarity / (RESOLUTION - t))
