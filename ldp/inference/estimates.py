"""Unbiased shares and their standard errors from score totals (M12), and from the counts of a channel's outputs."""

import numpy as np
import numpy.typing as npt

from ldp.arrays import Values
from ldp.scores import ChannelMoments, PairMoments, PooledMoments, PooledPairs, ScoreMoments, Target

TARGETS: tuple[Target, ...] = ("population", "respondents")


def shares(totals: npt.ArrayLike, n: int, moments: ScoreMoments) -> Values:
    """Return the unbiased estimates (S_j/n - b)/(a - b) (M12), shape (d,). They may be negative or above one."""
    return (np.asarray(totals, dtype=np.float64) / n - float(moments.b)) / float(moments.gap)


def standard_errors(estimates: Values, n: int, moments: ScoreMoments, target: Target) -> Values:
    """Return estimated standard errors, shape (d,): the variance of M12 at the estimates cut to [0, 1].

    For the target "population" sampling and randomization count, for "respondents" the randomization alone.
    """
    return np.sqrt(unit_variances(np.clip(estimates, 0.0, 1.0), moments, target) / n)


def unit_variances(share: Values, moments: ScoreMoments, target: Target) -> Values:
    """Return n times the variances of the estimates where the true shares in [0, 1] are these (M12), same shape."""
    noise = (share * float(moments.v_a) + (1 - share) * float(moments.v_b)) / float(moments.gap) ** 2
    return noise + moments.sampling(target) * share * (1 - share)


def channel_rows(moments: ChannelMoments) -> Values:
    """Return the chance of each output, a row for each answer."""
    return np.array(moments.weights, dtype=np.float64) / sum(moments.weights[0])


# Covariances of the estimated shares of one question (M13), for both targets ------------------------------------------
#
# A report scores all categories at once, so their estimates move together, by the mean product of the scores of two
# different categories j and k. It depends only on whether the truth is one of the two:
#
#     n (a-b)^2 Cov(j, k) = E[s_j s_k] - E[s_j] E[s_k]                     population
#                         = the same, given each truth, then averaged      respondents (only the randomization counts)


def covariance(
    shares: npt.ArrayLike, n: int, moments: ScoreMoments, pair: PairMoments | PooledPairs, target: Target
) -> Values:
    """Return the covariance of the estimates of M12, shape (d, d), where the true shares are these (M13).

    `shares` lie on the simplex; for an estimated covariance project the estimates first (M14), else the matrix need not
    be positive. It is singular where the scores of a report have a fixed sum (M2, M4).
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
    """Return the covariance from each form's randomization, plus sampling: of the people or, for the respondents, of
    forms."""
    parts = [(part, pair) for part, pair in zip(moments.parts, pairs.parts, strict=True) if part.n]
    weights = [part.n / moments.n * part.score * float(part.moments.gap / moments.gap) for part, _ in parts]
    noise = sum(
        weight**2 * covariance(share, part.n, part.moments, pair, "respondents")
        for weight, (part, pair) in zip(weights, parts, strict=True)
    )
    answers = np.diag(share) - np.outer(share, share)
    return np.asarray((noise * moments.n + moments.sampling(target) * answers) / n)


def channel_covariance(shares: npt.ArrayLike, n: int, channel: npt.ArrayLike, scores: Values, target: Target) -> Values:
    """Return the covariance of the estimates by unbiased scores phi[z, j] of any channel Q[x, z], (d, d).

    E[phi(z) | x] is the unit vector of x, so its outer product averages to diag(shares).
    """
    share = np.asarray(shares, dtype=np.float64)
    outputs = share @ np.asarray(channel, dtype=np.float64)
    second = scores.T @ (outputs[:, None] * scores)
    return np.asarray((second - (np.outer(share, share) if target == "population" else np.diag(share))) / n)


# Presentable shares, at least 0 and with sum 1 (M14): projected, and biased -------------------------------------------
#
# They are shown beside the unbiased estimates and never replace them: averages, differences and intervals need these.


def onto_simplex(estimates: npt.ArrayLike) -> Values:
    """Return the shares nearest to the estimates in the Euclidean distance, shape (d,).

    They are max(estimate - c, 0) with the one c that makes the sum 1 (Held, Wolfe and Crowder 1974).
    """
    v = np.asarray(estimates, dtype=np.float64)
    falling = np.sort(v)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(v) + 1)
    kept = np.nonzero(falling > excess)[0][-1]
    return np.asarray(np.maximum(v - excess[kept], 0.0))
