"""Exact tests of a statement about one share (M16)."""

import math
from typing import Literal, NamedTuple

import numpy as np
import scipy

from ldp.arrays import Values
from ldp.inference import intervals
from ldp.scores import ScoreMoments, Target

Alternative = Literal["greater", "less", "two-sided"]

# A chi-square test needs this expected number of reports in each cell, the usual rule (Cochran 1954).
EXPECTED_MIN = 5.0


class ChiSquare(NamedTuple):
    """A statistic that is chi-square with these degrees of freedom under the hypothesis, for many reports."""

    statistic: float
    degrees: int
    p_value: float


def share_test(
    total: int, n: int, moments: ScoreMoments, share: float, alternative: Alternative, target: Target = "population"
) -> float:
    """Return the exact p-value of a hypothesis about a category's share, from a total of n 0/1 scores (M16).

    "greater" tests at most `share` against more, by P(S >= total); "less" is the reverse. In the population S is
    Binomial(n, pi), whose monotone likelihood ratio makes the test most powerful. "two-sided" tests exactly `share`, by
    twice the smaller p-value; it is below 1 - confidence exactly if intervals.exact leaves `share` out. An impossible
    estimate has at least the p-value of the nearest possible one (M37). ValueError unless scores are 0 or 1.
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
    """Return P(S <= total) and P(S >= total) at the share."""
    if target == "population":
        pi = _chance(moments, share)
        return float(scipy.stats.binom.cdf(total, n, pi)), float(scipy.stats.binom.sf(total - 1, n, pi))
    # The respondents' share is a multiple of 1/n: "at most" allows floor(n share) people, "at least" the ceiling.
    most, least = math.floor(n * share + 1e-9), math.ceil(n * share - 1e-9)
    if alternative == "two-sided" and most != least:
        raise ValueError(f"no number of {n} respondents has this share")
    return intervals.tails(total, n, least, moments)[0], intervals.tails(total, n, most, moments)[1]


def helmert(d: int) -> Values:
    """Return an orthonormal basis of the contrasts of d shares (rows with sum 0), shape (d-1, d)."""
    rows = np.tril(np.ones((d - 1, d)))
    k = np.arange(1, d)
    rows[k - 1, k] = -k
    return np.asarray(rows / np.sqrt(k * (k + 1))[:, None])


def _chance(moments: ScoreMoments, share: float) -> float:
    return float(moments.b) + float(moments.gap) * share
