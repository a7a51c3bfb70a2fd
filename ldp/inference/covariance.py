"""Covariances of the estimated shares of one question (M13), for both targets.

A report scores all categories at once, so their estimates move together. All of it is in one number, the mean product
of the scores of two different categories j and k, which depends only on whether the truth is one of the two:

    n (a-b)^2 Cov(j, k) = E[s_j s_k] - E[s_j] E[s_k]                     population
                        = the same, given each truth, then averaged      respondents (only the randomization counts)
"""

import numpy as np
import numpy.typing as npt

from ldp.arrays import Values
from ldp.inference.estimates import Target, unit_variances
from ldp.scores import PairMoments, ScoreMoments


def covariance(shares: npt.ArrayLike, n: int, moments: ScoreMoments, pair: PairMoments, target: Target) -> Values:
    """Cov of the estimates of M12, shape (d, d), where the true shares are these.

    `shares` lie on the simplex; for an estimated covariance project the estimates first (M14), else it need not be
    positive. It is singular where the scores of a report have a fixed sum (M2, M4).
    """
    share = np.asarray(shares, dtype=np.float64)
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


def channel_covariance(shares: npt.ArrayLike, n: int, channel: npt.ArrayLike, scores: Values, target: Target) -> Values:
    """Cov of the estimates by unbiased scores phi[z, j] of any channel Q[x, z], (d, d).

    E[phi(z) | x] is the unit vector of x, so its outer product averages to diag(shares).
    """
    share = np.asarray(shares, dtype=np.float64)
    outputs = share @ np.asarray(channel, dtype=np.float64)
    second = scores.T @ (outputs[:, None] * scores)
    return np.asarray((second - (np.outer(share, share) if target == "population" else np.diag(share))) / n)
