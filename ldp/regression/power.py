"""How many reports would show an effect (M40): after a fit from its standard errors, before a survey opens from those
that are expected (ldp/planning/regressions.py).

An estimate of standard error s, which falls as 1/sqrt(n), shows an effect e at a level if it lies beyond the normal
quantile z: with the chance F(|e|/s - z) + F(-|e|/s - z).
"""

import math

import scipy

from ldp.search import LEVEL, POWER


def power(error: float, effect: float, level: float = LEVEL) -> float:
    """The chance that an interval at 1 - level leaves out 0."""
    z, ratio = -scipy.special.ndtri(level / 2), abs(effect) / error
    return float(scipy.special.ndtr(ratio - z) + scipy.special.ndtr(-ratio - z))


def smallest(error: float, chance: float = POWER, level: float = LEVEL) -> float:
    """The effect that is shown with this chance, but for the other tail."""
    return float(scipy.special.ndtri(chance) - scipy.special.ndtri(level / 2)) * error


def needed(n: int, error: float, effect: float, chance: float = POWER, level: float = LEVEL) -> int:
    """How many reports show the effect with this chance, where n have this standard error."""
    return math.ceil(n * (smallest(error, chance, level) / effect) ** 2)
