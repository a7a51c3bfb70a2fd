"""The least error of a whole survey under one alpha, for Q yes/no questions (M36b).

Any column of an alpha-private channel on {-1, 1}^Q is proportional to 1 + (e^alpha - 1) f with 0 <= f <= 1. With gamma
the mean of f and W the sum of the squares of E x_j f, the Fisher information about all Q shares at one half is, added
up, at most 4 n B with

    B = max over f of (e^alpha - 1)^2 W / (1 + (e^alpha - 1) gamma)^2,

so that the mean variance of a share is at least Q/(4 n B); by van Trees' inequality that is the worst case of every
estimator for large n. A joint form of t questions is f = a subcube, where gamma = 2^-t and W = t 4^-t.

With g = min(gamma, 1 - gamma), W is at most each of: gamma (1 - gamma), by Parseval; 2 g^2 ln(1/g), the level-1
inequality; and Q g^2, since |E x_j f| <= g for every j. `bound` is B with the least of the three in the place of W.
"""

import math
from functools import lru_cache

import numpy as np

from ldp.arrays import Values

_POINTS, _ROUNDS = 2001, 4


def joint_information(alpha: float, t: int) -> float:
    """B where f is a subcube: t times the square of the chance that the answers of a joint form of t stay."""
    return float(t * (math.expm1(alpha) / (math.expm1(alpha) + 2**t)) ** 2)


def best_joint(alpha: float, questions: int) -> int:
    """How many yes/no questions a joint form has best, where all forms are alike."""
    return max(range(1, questions + 1), key=lambda t: joint_information(alpha, t))


@lru_cache(maxsize=1024)
def bound(alpha: float, questions: int) -> float:
    """What B cannot exceed. The search for the largest value narrows about the best of many points; W is symmetric
    about 1/2 and the denominator grows, so gamma is at most 1/2."""
    low, high = -2 * alpha - 40, math.log(0.5)
    for _ in range(_ROUNDS):
        points = np.linspace(low, high, _POINTS)
        values = _information(alpha, questions, points)
        best = int(values.argmax())
        low, high = points[max(best - 1, 0)], points[min(best + 1, _POINTS - 1)]
    return float(values.max())


def _information(alpha: float, questions: int, log_gamma: Values) -> Values:
    gamma, factor = np.exp(log_gamma), math.expm1(alpha)
    least = np.minimum(-2 * log_gamma, questions) * gamma**2
    weight = np.minimum(least, gamma * (1 - gamma))
    return np.asarray(factor**2 * weight / (1 + factor * gamma) ** 2)


def least_variance(alpha: float, questions: int) -> float:
    """n times the mean variance of a share of one half, which no channel under this alpha falls below."""
    return questions / (4 * bound(alpha, questions))


def efficiency(alpha: float, variances: list[float]) -> float:
    """The efficiency of a survey of yes/no questions whose reports keep alpha: the bound over its own mean variance,
    where `variances` are n times those of its shares at one half, n the number of all reports. At most 1; no bound is
    known where questions of other kinds share the alpha."""
    return least_variance(alpha, len(variances)) * len(variances) / math.fsum(variances)
