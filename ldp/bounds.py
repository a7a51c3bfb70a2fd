"""How well any locally private survey can do, and how close a mechanism comes (M19, M21)."""

import math

from ldp.scores import ScoreLaw


def sharp_constant(alpha: float, d: int) -> float:
    """R*(d, alpha): n times the least worst-case total squared error over d categories, as n grows.

    No alpha-private non-interactive channel and no estimator does better (Ye and Barg 2018, 2019).
    """
    return min(_subset_risk(alpha, d, m) for m in range(1, d))


def _subset_risk(alpha: float, d: int, m: int) -> float:
    # p - q of subset selection (M4), both over the common denominator m e^alpha + d - m.
    total = m * math.exp(alpha) + d - m
    p = m * math.exp(alpha) / total
    q = p * (m - 1) / (d - 1) + (1 - p) * m / (d - 1)
    return m * (d - m) / (d * (p - q) ** 2)


def uniform_risk(law: ScoreLaw, d: int) -> float:
    """n times the total squared error of the unbiased estimate at equal shares 1/d, target population (M12)."""
    share = 1 / d
    noise = share * float(law.v_a) + (1 - share) * float(law.v_b)
    return d * (noise / float(law.gap) ** 2 + share * (1 - share))


def efficiency(law: ScoreLaw, alpha: float, d: int) -> float:
    """R* over the mechanism's own risk, both at equal shares: 1 is the best possible."""
    return sharp_constant(alpha, d) / uniform_risk(law, d)


def effective_n(law: ScoreLaw, n: int, d: int) -> float:
    """How many answers without privacy give the same total squared error at equal shares."""
    return n * (1 - 1 / d) / uniform_risk(law, d)
