"""Covariances of the estimated shares of one question (M13), for both targets.

A report scores all categories at once, so their estimates move together. All of it is in one number, the mean product
of the scores of two different categories j and k, which depends only on whether the truth is one of the two:

    n (a-b)^2 Cov(j, k) = E[s_j s_k] - E[s_j] E[s_k]                     population
                        = the same, given each truth, then averaged      respondents (only the randomization counts)
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ldp.inference.estimates import Matrix, Target, unit_variances
from ldp.scores import ScoreLaw


@dataclass(frozen=True)
class PairLaw:
    """E[s_j s_k] for j != k, exactly: where the truth is one of the two, and where it is neither."""

    among: Fraction
    neither: Fraction


def exclusive() -> PairLaw:
    """Randomized response (M2): a report supports one category, never two."""
    return PairLaw(Fraction(0), Fraction(0))


def independent(law: ScoreLaw) -> PairLaw:
    """Bits, or noisy bins, drawn independently (M3, M5, M6): the mean of a product is the product of the means."""
    return PairLaw(law.a * law.b, law.b**2)


def subset(law: ScoreLaw, m: int, d: int) -> PairLaw:
    """Subset selection (M4), m of d: the true category is in with p = law.a, the rest uniform without replacement."""
    p = law.a
    if d == 2:
        return exclusive()
    both = Fraction((m - 1), (d - 1) * (d - 2))
    return PairLaw(p * Fraction(m - 1, d - 1), p * both * (m - 2) + (1 - p) * both * m)


def covariance(shares: npt.ArrayLike, n: int, law: ScoreLaw, pair: PairLaw, target: Target) -> Matrix:
    """Cov of the estimates of M12, shape (d, d), where the true shares are these.

    `shares` lie on the simplex; for an estimated covariance project the estimates first (M14), else it need not be
    positive. It is singular where the scores of a report have a fixed sum (M2, M4).
    """
    share = np.asarray(shares, dtype=np.float64)
    a, b, gap = float(law.a), float(law.b), float(law.gap)
    among, neither = float(pair.among), float(pair.neither)
    either = share[:, None] + share[None, :]
    if target == "population":
        mean = b + gap * share
        cov = either * among + (1 - either) * neither - np.outer(mean, mean)
    else:
        cov = either * (among - a * b) + (1 - either) * (neither - b * b)
    cov /= gap**2
    np.fill_diagonal(cov, unit_variances(share, law, target))
    return np.asarray(cov / n)


def channel_covariance(shares: npt.ArrayLike, n: int, channel: npt.ArrayLike, scores: Matrix, target: Target) -> Matrix:
    """Cov of the estimates by unbiased scores phi[z, j] of any channel Q[x, z] (estimates.channel_scores), (d, d).

    E[phi(z) | x] is the unit vector of x, so its outer product averages to diag(shares).
    """
    share = np.asarray(shares, dtype=np.float64)
    outputs = share @ np.asarray(channel, dtype=np.float64)
    second = scores.T @ (outputs[:, None] * scores)
    return np.asarray((second - (np.outer(share, share) if target == "population" else np.diag(share))) / n)
