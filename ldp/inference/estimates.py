"""Unbiased shares and their standard errors, from score totals (M12) and from counts of a channel's outputs."""

import numpy as np
import numpy.typing as npt

from ldp.arrays import Values
from ldp.scores import ChannelMoments, PairMoments, PooledMoments, PooledPairs, ScoreMoments, Target

TARGETS: tuple[Target, ...] = ("population", "respondents")


def shares(totals: npt.ArrayLike, n: int, moments: ScoreMoments) -> Values:
    """Return the unbiased estimates (S_j/n - b)/(a - b) (M12), (d,). They may be negative or above one."""
    return (np.asarray(totals, dtype=np.float64) / n - float(moments.b)) / float(moments.gap)


def standard_errors(estimates: Values, n: int, moments: ScoreMoments, target: Target) -> Values:
    """Return estimated standard errors, (d,): the variance of M12 at the estimates cut to [0, 1].

    For "population" sampling and randomization count, for "respondents" only the randomization.
    """
    return np.sqrt(unit_variances(np.clip(estimates, 0.0, 1.0), moments, target) / n)


def unit_variances(share: Values, moments: ScoreMoments, target: Target) -> Values:
    """Return n times the variances of the estimates at these true shares in [0, 1] (M12), same shape."""
    noise = (share * float(moments.v_a) + (1 - share) * float(moments.v_b)) / float(moments.gap) ** 2
    return noise + moments.sampling(target) * share * (1 - share)


def channel_rows(moments: ChannelMoments) -> Values:
    """Return the chance of each output, a row for each answer."""
    return np.array(moments.weights, dtype=np.float64) / sum(moments.weights[0])


# Covariances of the estimated shares of one question (M13), for both targets ------------------------------------------
#
# A report scores all categories at once, so their estimates move together. The covariance follows from the mean product
# of the scores of two categories j and k, which depends only on whether the truth is one of them:
#
#     n (a-b)^2 Cov(j, k) = E[s_j s_k] - E[s_j] E[s_k]                     population
#                         = the same, given each truth, then averaged      respondents (only the randomization counts)


def covariance(
    shares: npt.ArrayLike, n: int, moments: ScoreMoments, pair: PairMoments | PooledPairs, target: Target
) -> Values:
    """Return the covariance of the estimates of M12 at these true shares (M13), shape (d, d).

    `shares` lie on the simplex. Project estimates first (M14); otherwise the matrix may not be positive. It is singular
    if the scores of a report have a fixed sum (M2, M4).
    """
    share = np.asarray(shares, dtype=np.float64)
    if isinstance(pair, PooledPairs):
        assert isinstance(moments, PooledMoments)
        return _pooled_covariance(share, n, moments, pair, target)
    a, b, gap = float(moments.a), float(moments.b), float(moments.gap)
    among, neither = float(pair.among), float(pair.neither)
    either = share[:, None] + share[None, :]
    if target == "population":
        mean = b + gap * share
        cov = either * among + (1 - either) * neither - np.outer(mean, mean)
    else:
        cov = either * (among - a * b) + (1 - either) * (neither - b * b)
    cov /= gap**2
    np.fill_diagonal(cov, unit_variances(share, moments, target))
    return np.asarray(cov / n)


def _pooled_covariance(share: Values, n: int, moments: PooledMoments, pairs: PooledPairs, target: Target) -> Values:
    """Return the covariance: each form's randomization, plus the sampling of people or, for respondents, of forms."""
    parts = [(part, pair) for part, pair in zip(moments.parts, pairs.parts, strict=True) if part.n]
    weights = [part.n / moments.n * part.score * float(part.moments.gap / moments.gap) for part, _ in parts]
    noise = sum(
        weight**2 * covariance(share, part.n, part.moments, pair, "respondents")
        for weight, (part, pair) in zip(weights, parts, strict=True)
    )
    answers = np.diag(share) - np.outer(share, share)
    return np.asarray((noise * moments.n + moments.sampling(target) * answers) / n)


def channel_covariance(shares: npt.ArrayLike, n: int, channel: npt.ArrayLike, scores: Values, target: Target) -> Values:
    """Return the covariance of estimates by unbiased scores phi[z, j] of any channel Q[x, z], (d, d).

    E[phi(z) | x] is the unit vector of x, so its outer product averages to diag(shares).
    """
    share = np.asarray(shares, dtype=np.float64)
    outputs = share @ np.asarray(channel, dtype=np.float64)
    second = scores.T @ (outputs[:, None] * scores)
    return np.asarray((second - (np.outer(share, share) if target == "population" else np.diag(share))) / n)


# Presentable shares, at least 0 and with sum 1 (M14) -----------------------------------------------------------------
#
# They are biased and stay beside the unbiased estimates, which averages, differences and intervals need.


def onto_simplex(estimates: npt.ArrayLike) -> Values:
    """Return the shares with the least Euclidean distance from the estimates, (d,).

    They are max(estimate - c, 0), with the c that makes the sum 1 (Held, Wolfe and Crowder 1974).
    """
    v = np.asarray(estimates, dtype=np.float64)
    falling = np.sort(v)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(v) + 1)
    kept = np.nonzero(falling > excess)[0][-1]
    return np.asarray(np.maximum(v - excess[kept], 0.0))
