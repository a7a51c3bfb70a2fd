"""Lower bounds on the error of any locally private survey, and a mechanism's efficiency (M19 to M21)."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ldp.scores import ChannelMoments, ScoreMoments


def sharp_constant(alpha: float, d: int) -> float:
    """Return R*(d, alpha) (M19): the limit of n times the least worst-case total squared error of d shares.

    The bound holds for every alpha-private non-interactive channel and every estimator (Ye and Barg 2018, 2019).
    """
    return min(_subset_risk(alpha, d, m) for m in range(1, d))


def sharp_constant_of(alphas: Sequence[tuple[float, float]], d: int) -> float:
    """Return R* for reports of several alphas, as pairs (fraction of reports, alpha). Their information adds up."""
    if len(alphas) == 1:
        return sharp_constant(alphas[0][1], d)
    return 1 / sum(part / sharp_constant(alpha, d) for part, alpha in alphas)


def _subset_risk(alpha: float, d: int, m: int) -> float:
    # The closed form of p - q (M4). Subtracting q from p would lose digits at small alpha.
    total = m * math.exp(alpha) + d - m
    gap = m * (d - m) * math.expm1(alpha) / ((d - 1) * total)
    return m * (d - m) / (d * gap**2)


def risk(moments: ScoreMoments, shares: Sequence[float]) -> float:
    """Return n times the total squared error of the unbiased estimate at these shares, target population (M12).

    Randomization adds (v_a + (d-1) v_b)/(a-b)^2 at any shares, because they add up to 1. Sampling adds 1 - sum of
    squares, most at equal shares. Noise that depends on the answer (M7) is averaged over the answers.
    """
    sampling = 1 - sum(share**2 for share in shares)
    if isinstance(moments, ChannelMoments):
        return (
            float(sum(share * float(sum(row)) for share, row in zip(shares, moments.variances, strict=True))) + sampling
        )
    noise = float(moments.v_a) + (len(shares) - 1) * float(moments.v_b)
    return noise / float(moments.gap) ** 2 + moments.sampling("population") * sampling


def uniform_risk(moments: ScoreMoments, d: int) -> float:
    """Return the risk at equal shares 1/d, which is the largest over all shares."""
    return risk(moments, [1 / d] * d)


def widest(moments: ScoreMoments) -> float:
    """Return n times the largest variance of one share: [s v_a + (1-s) v_b]/(a-b)^2 + s (1-s) at the worst s (M12).
    Pooled scores (M45) multiply s (1-s) by `moments.sampling`."""
    v_a, v_b, square = float(moments.v_a), float(moments.v_b), float(moments.gap) ** 2
    if isinstance(moments, ChannelMoments):
        v_a = float(max(row[j] for j, row in enumerate(moments.variances)))
        v_b = float(max(v for x, row in enumerate(moments.variances) for j, v in enumerate(row) if x != j))
    sampling = moments.sampling("population")
    slope = (v_a - v_b) / square + sampling
    share = min(max(slope / (2 * sampling), 0.0), 1.0)
    return v_b / square + slope * share - sampling * share**2


def efficiency(moments: ScoreMoments, alpha: float, d: int) -> float:
    """Return R* over the mechanism's risk, both at equal shares (M19). 1 is the best possible."""
    return sharp_constant(alpha, d) / uniform_risk(moments, d)


def effective_n(moments: ScoreMoments, n: int, d: int, shares: Sequence[float] | None = None) -> float:
    """Return the number of answers without privacy that would have the same total squared error (M21).

    `shares` are equal by default. The number is 0 if one share is 1: one answer without privacy then has no error.
    """
    shares = [1 / d] * d if shares is None else shares
    return n * (1 - sum(share**2 for share in shares)) / risk(moments, shares)


# One share (d = 2), for every n (M20) -------------------------------------------------------------------------------


def gap_squared(alpha: float) -> float:
    """Return (p - q)^2 of binary randomized response, ((e^alpha - 1)/(e^alpha + 1))^2.

    Every alpha-private channel on two inputs is a degradation of this one, so none has more information.
    """
    return math.tanh(alpha / 2) ** 2


def van_trees(alpha: float, n: int) -> float:
    """Return a lower bound (M20) on the worst-case squared error of one share, for any estimator and alpha-private
    channel.

    A cos^2 prior of width h <= 1 about 1/2 has information 4 pi^2/h^2, and a report at most 4 g/(1 - g h^2), where g =
    (p - q)^2. The bound 1/(4 n g/(1 - g h^2) + 4 pi^2/h^2) is largest at h^2 = pi/(g (sqrt(n) + pi)), cut to 1. Without
    the cut it is 1/(4 g (sqrt(n) + pi)^2): the risk 1/(4 n g) of randomized response divided by (1 + pi/sqrt(n))^2.
    """
    g = gap_squared(alpha)
    width_squared = min(math.pi / (g * (math.sqrt(n) + math.pi)), 1.0)
    # At g = h = 1 a report's information would be unbounded. This never occurs: at g = 1 the width is below 1.
    return 1 / (4 * n * g / (1 - g * width_squared) + 4 * math.pi**2 / width_squared)


def le_cam(alpha: float, n: int) -> float:
    """Return Le Cam's lower bound (M20) on the worst-case squared error of one share. It beats van Trees at small n
    alpha^2.

    Reports about shares at distance t have KL(M1||M2) + KL(M2||M1) <= c t^2, c = min(4, e^{2 alpha})(e^alpha - 1)^2
    (Duchi, Jordan and Wainwright). By Pinsker's inequality the error is at least t^2/8 (1 - t sqrt(n c)/2). This is
    largest at t = 4/(3 sqrt(n c)), cut to 1.
    """
    information = math.sqrt(n * min(4.0, math.exp(2 * alpha))) * math.expm1(alpha)
    distance = min(4 / (3 * information), 1.0)
    return distance**2 / 8 * (1 - distance * information / 2)


def share_bound(alpha: float, n: int) -> float:
    """Return the larger of the two lower bounds of M20."""
    return max(van_trees(alpha, n), le_cam(alpha, n))


# Rates for orientation (M21) ----------------------------------------------------------------------------------------


class Rate(NamedTuple):
    """Lower and upper rate of the minimax error for alpha <= 1, without constants (M21)."""

    low: float
    high: float


def squared_error_rate(alpha: float, n: int, d: int) -> Rate:
    """Return the rate of E||estimate - theta||_2^2."""
    strength = n * alpha**2
    high = min(1.0, d / strength)
    return Rate(min(high, 1 / math.sqrt(strength)), high)


def absolute_error_rate(alpha: float, n: int, d: int) -> Rate:
    """Return the rate of E||estimate - theta||_1."""
    root = math.sqrt(n) * alpha
    return Rate(min(1.0, 1 / root), min(1.0, d / root))
