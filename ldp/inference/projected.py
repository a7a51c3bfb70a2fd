"""Presentable shares, at least 0 and with sum 1 (M14): projected, and of maximum likelihood. Both are biased.

They stand beside the unbiased estimate, never in its place: averages, differences and intervals need the unbiased one.
"""

import numpy as np
import numpy.typing as npt

from ldp.inference.estimates import Matrix, Shares
from ldp.scores import ScoreMoments


def onto_simplex(estimates: npt.ArrayLike) -> Shares:
    """The shares nearest to the estimates in the Euclidean distance, shape (d,).

    They are max(estimate - c, 0) with the one c that makes the sum 1 (Held, Wolfe and Crowder 1974).
    """
    v = np.asarray(estimates, dtype=np.float64)
    falling = np.sort(v)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(v) + 1)
    kept = np.nonzero(falling > excess)[0][-1]
    return np.asarray(np.maximum(v - excess[kept], 0.0))


def randomized_response_likelihood(totals: npt.ArrayLike, moments: ScoreMoments) -> Shares:
    """The maximum-likelihood shares of randomized response (M2) on the simplex, shape (d,), without iteration.

    Category j is reported with pi_j = q + (p-q) theta_j. Where theta_j > 0 the likelihood is stationary, so that pi_j
    is proportional to the count; elsewhere pi_j = q. The positive ones are those of the largest counts: with k of them
    the factor c makes c (sum of their counts) + (d-k) q = 1, and k is the largest that keeps each above q.
    """
    counts, q = np.asarray(totals, dtype=np.float64), float(moments.b)
    falling = np.sort(counts)[::-1]
    k = np.arange(1, len(counts) + 1)
    factor = (1 - (len(counts) - k) * q) / np.cumsum(falling)
    kept = np.nonzero(factor * falling > q)[0][-1]
    return np.asarray(np.maximum(factor[kept] * counts - q, 0.0) / float(moments.gap))


def support_likelihood(scores: npt.ArrayLike, odds: float) -> Matrix:
    """The likelihood of reports by truth up to a factor per report, shape (d, reports), for `maximum_likelihood`.

    A report of M2, M3 or M4 is `odds` = e^(realized alpha) times likelier for a truth that it supports than for one
    that it does not. `scores` is 0/1 with shape (reports, d).
    """
    return np.asarray(np.where(np.asarray(scores).T == 1, float(odds), 1.0))


def maximum_likelihood(
    counts: npt.ArrayLike, channel: npt.ArrayLike, tolerance: float = 0.01, rounds: int = 200_000
) -> Shares:
    """The maximum-likelihood shares on the simplex by EM (Dempster, Laird and Rubin 1977), shape (d,).

    `counts` says how often each of k reports came, `channel` (d, k) how likely it is by truth; a column may be
    multiplied by any positive number. The log-likelihood is concave with gradient n g, so it is within n (max g - 1)
    of its maximum: EM ends when that is at most `tolerance` and raises ArithmeticError after so many rounds.

    EM alone creeps towards shares of 0. Two steps show the direction, and a leap along it (squared extrapolation,
    Varadhan and Roland 2008), kept inside the simplex, is taken where the likelihood does not fall.
    """
    numbers, q = np.asarray(counts, dtype=np.float64), np.asarray(channel, dtype=np.float64)
    n = numbers.sum()

    def gradient(share: Shares) -> Shares:
        return np.asarray(q @ (numbers / (share @ q)) / n)

    def log_likelihood(share: Shares) -> float:
        return float(numbers @ np.log(share @ q))

    share = np.full(len(q), 1 / len(q))
    for _ in range(rounds):
        slope = gradient(share)
        if n * (slope.max() - 1) <= tolerance:
            return share
        once = share * slope
        twice = once * gradient(once)
        leap = _extrapolated(share, once, twice)
        share = leap if log_likelihood(leap) >= log_likelihood(twice) else twice
    raise ArithmeticError(f"the likelihood was not within {tolerance} of its maximum after {rounds} rounds")


def _extrapolated(share: Shares, once: Shares, twice: Shares) -> Shares:
    step, bend = once - share, twice - 2 * once + share
    length = np.linalg.norm(step) / max(float(np.linalg.norm(bend)), 1e-300)
    leap = np.maximum(share + 2 * length * step + length**2 * bend, share / 10)
    return np.asarray(leap / leap.sum())  # rounding must not lift the sum, and with it the likelihood
