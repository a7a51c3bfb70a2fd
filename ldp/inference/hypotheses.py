"""Tests of statements about shares (M16): exact ones about one share, quadratic forms of M13 about several."""

import math
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from ldp.inference import intervals
from ldp.inference.covariance import covariance
from ldp.inference.estimates import Matrix, Target
from ldp.inference.intervals import Interval
from ldp.inference.projected import onto_simplex
from ldp.scores import PairMoments, ScoreMoments

Alternative = Literal["greater", "less", "two-sided"]


class ChiSquare(NamedTuple):
    """A statistic that is chi-square with these degrees of freedom under the hypothesis, for many reports."""

    statistic: float
    degrees: int
    p_value: float


class Contrast(NamedTuple):
    """A weighted sum of shares."""

    estimate: float
    standard_error: float
    interval: Interval
    p_value: float


def share_test(
    total: int, n: int, moments: ScoreMoments, share: float, alternative: Alternative, target: Target = "population"
) -> float:
    """The exact p-value, from a total of n 0/1 scores, of the hypothesis that a category's share is `share`.

    "greater" tests share <= `share` against more, by P(S >= total), "less" the other way round; in the population S is
    Binomial(n, pi) with a monotone likelihood ratio, so that no test at the same level has more power. "two-sided" is
    twice the smaller of both, and below 1 - confidence exactly where intervals.exact leaves `share` out: so of an
    impossible estimate it is no less than that of the nearest possible one (M37).
    """
    if not (moments.binary and 0 <= total <= n and 0 <= share <= 1):
        raise ValueError("an exact test takes a total of n scores that are 0 or 1 and a share from 0 to 1")
    each = {total, intervals.nearest(total, n, moments)}
    return max(_p_value(_tails(one, n, moments, share, target, alternative), alternative) for one in each)


def _p_value(tails: tuple[float, float], alternative: Alternative) -> float:
    at_most, at_least = tails
    if alternative == "two-sided":
        return min(2 * min(at_most, at_least), 1.0)
    return at_least if alternative == "greater" else at_most


def _tails(
    total: int, n: int, moments: ScoreMoments, share: float, target: Target, alternative: Alternative
) -> tuple[float, float]:
    """P(S <= total) and P(S >= total) at the share."""
    if target == "population":
        pi = _chance(moments, share)
        return float(scipy.stats.binom.cdf(total, n, pi)), float(scipy.stats.binom.sf(total - 1, n, pi))
    # The respondents' share is a multiple of 1/n: "at most share" allows floor(n share) people, "at least" ceil of it.
    most, least = math.floor(n * share + 1e-9), math.ceil(n * share - 1e-9)
    if alternative == "two-sided" and most != least:
        raise ValueError(f"no number of {n} respondents has this share")
    return intervals.tails(total, n, least, moments)[0], intervals.tails(total, n, most, moments)[1]


def power(
    n: int, moments: ScoreMoments, hypothesis: float, share: float, level: float, alternative: Alternative = "greater"
) -> float:
    """The chance that `share_test` of `hypothesis` has a p-value of at most `level` where the true share is `share`.

    Exact, for the population: the critical totals are found, not simulated.
    """
    pi, truth = _chance(moments, hypothesis), _chance(moments, share)
    tail = level / 2 if alternative == "two-sided" else level
    result = 0.0
    # The least critical total c has P(S >= c) <= tail under the hypothesis: isf is the least s with sf(s) <= tail. None
    # beyond what is expected at a share of 1 shows anything (M37).
    if alternative != "less" and (s := scipy.stats.binom.isf(tail, n, pi)) < intervals.nearest(n, n, moments):
        result += scipy.stats.binom.sf(s, n, truth)
    # The same from below, for the n - S reports that do not support the category.
    if alternative != "greater" and (s := scipy.stats.binom.isf(tail, n, 1 - pi)) < n - intervals.nearest(
        0, n, moments
    ):
        result += scipy.stats.binom.sf(s, n, 1 - truth)
    return float(result)


def goodness_of_fit(
    estimates: npt.ArrayLike, n: int, moments: ScoreMoments, pair: PairMoments, shares: npt.ArrayLike
) -> ChiSquare:
    """Whether all d shares of the population are these, by d-1 contrasts with their exact covariance at these shares.

    The sum of the estimates is left out: by M2 and M4 it is always 1, by M3 and M5 it is noise.
    """
    values, expected = np.asarray(estimates, dtype=np.float64), np.asarray(shares, dtype=np.float64)
    rows = helmert(len(values))
    return _quadratic(rows @ (values - expected), rows @ covariance(expected, n, moments, pair, "population") @ rows.T)


def contrasts(estimates: npt.ArrayLike, cov: Matrix, weights: npt.ArrayLike, values: npt.ArrayLike) -> ChiSquare:
    """Whether every row of `weights` (k, d) times the shares is its entry of `values` (k,), by Wald's statistic.

    `cov` (d, d) is that of the estimates, for the target that is meant; the rows must be independent.
    """
    rows = np.asarray(weights, dtype=np.float64)
    difference = rows @ np.asarray(estimates, dtype=np.float64) - np.asarray(values, dtype=np.float64)
    return _quadratic(difference, rows @ cov @ rows.T)


def contrast(
    estimates: npt.ArrayLike, cov: Matrix, weights: npt.ArrayLike, confidence: float, value: float = 0.0
) -> Contrast:
    """The weighted sum of shares, such as the difference of two, with its normal interval (not cut) and the two-sided
    p-value of `value`. Estimates of separate surveys or questions are independent: put their covariances in blocks."""
    row = np.asarray(weights, dtype=np.float64)
    estimate = float(row @ np.asarray(estimates, dtype=np.float64))
    error = math.sqrt(float(row @ cov @ row))
    half_width = intervals.z(confidence) * error
    p_value = float(2 * scipy.stats.norm.sf(abs(estimate - value) / error))
    return Contrast(estimate, error, Interval(estimate - half_width, estimate + half_width), p_value)


def estimated_covariance(
    estimates: npt.ArrayLike, n: int, moments: ScoreMoments, pair: PairMoments, target: Target
) -> Matrix:
    """M13 at the projected estimates, shape (d, d): never indefinite."""
    return covariance(onto_simplex(estimates), n, moments, pair, target)


def helmert(d: int) -> Matrix:
    """An orthonormal basis of the contrasts of d shares (rows with sum 0), shape (d-1, d)."""
    rows = np.tril(np.ones((d - 1, d)))
    k = np.arange(1, d)
    rows[k - 1, k] = -k
    return np.asarray(rows / np.sqrt(k * (k + 1))[:, None])


def _quadratic(difference: npt.NDArray[np.float64], cov: Matrix) -> ChiSquare:
    statistic = float(difference @ np.linalg.solve(cov, difference))
    return ChiSquare(statistic, len(difference), float(scipy.stats.chi2.sf(statistic, len(difference))))


def _chance(moments: ScoreMoments, share: float) -> float:
    return float(moments.b) + float(moments.gap) * share
