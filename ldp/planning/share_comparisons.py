"""The number of reports that shows a difference of shares, and the power of a number of reports (M33d).

A difference D is estimated with the variance V(D)/n. By normal approximation a two-sided test at level a shows it with

    Phi((|D| sqrt(n) - z_{1-a/2} sqrt(V(0)) - c/sqrt(n)) / sqrt(V(D))).

V is the default estimate's variance at these shares, with the difference put between them; without privacy it is that
of plain answers. c/n is an exact test's margin over the normal one, about one step of the estimate (Casagrande, Pike
and Smith 1978). The target is the population.

Shares of two surveys whose scores are not 0 or 1 have no such test. They differ if their published intervals, each with
half of the error chance, are disjoint (ldp/inference/reading/apart.py). So z_{1-a/4} times the sum of their standard
deviations replaces z_{1-a/2} sqrt(V(0)).
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy

from ldp.arrays import Values
from ldp.inference import estimates
from ldp.inference.estimates import channel_covariance, covariance
from ldp.inference.reading.pairs import SPENT_OF_TEST
from ldp.inference.tallied import Tallied
from ldp.search import N_MOST

Variance = Callable[[float], float]

_LEAST = 1e-9


class ComparisonDesign(NamedTuple):
    """n times the variance of the estimated difference at a true difference D, and without privacy. n counts all
    reports of a survey, only some of which may be about the difference. `at_limit` is V(0) at the upper limit of the
    two shares' sum in a pair's exact test (ldp/inference/reading/pairs.py). `deviations` is the sum of the standard
    deviations of two shares with an interval each, which replaces sqrt(V)."""

    variance: Variance
    without_privacy: Variance
    step: float
    at_limit: Callable[[int], float] | None = None
    deviations: Callable[[float], float] | None = None

    def beyond(self, difference: float, level: float, n: int) -> float:
        """Return the limit that sqrt(n) times the estimate must exceed to show the difference, without the step."""
        if self.deviations is not None:
            return _z(level / 2) * self.deviations(difference)
        return _z(level) * math.sqrt(self.variance(0.0) if self.at_limit is None else self.at_limit(n))

    def scaled_half_width(self, difference: float, level: float) -> float:
        """Return sqrt(n) times the half-width of the interval, without the step."""
        if self.deviations is not None:
            return _z(level / 2) * self.deviations(difference)
        return _z(level) * math.sqrt(self.variance(difference))

    @property
    def plain(self) -> "ComparisonDesign":
        """The design without privacy."""
        return ComparisonDesign(self.without_privacy, self.without_privacy, 1.0)

    @property
    def normal(self) -> "ComparisonDesign":
        """The textbook's design: the normal law alone, with the variance of equal shares even if they differ."""
        equal = self.variance(0.0)
        return ComparisonDesign(lambda difference: equal, self.without_privacy, 0.0)


def needed(design: ComparisonDesign, difference: float, level: float, wanted: float) -> int | None:
    """Return the least n that shows a difference other than 0 with this power; None if N_MOST are too few."""
    if power(design, difference, level, N_MOST) < wanted:
        return None
    return bisect_left(range(1, N_MOST), wanted, key=lambda n: power(design, difference, level, n)) + 1


def power(design: ComparisonDesign, difference: float, level: float, n: int) -> float:
    far = abs(difference) * math.sqrt(n) - design.beyond(difference, level, n) - design.step / math.sqrt(n)
    return float(scipy.special.ndtr(far / max(math.sqrt(design.variance(difference)), _LEAST)))


def half_width(design: ComparisonDesign, difference: float, level: float, n: int) -> float:
    """Return the half-width of the difference's uncut interval with the error chance `level`."""
    return design.scaled_half_width(difference, level) / math.sqrt(n) + design.step / n


def _z(level: float) -> float:
    return -float(scipy.special.ndtri(level / 2))


# Designs of comparisons -----------------------------------------------------------------------------------------------


def of_pair(tallied: Tallied, i: int, j: int, shares: Values, rarity: float = 1.0) -> ComparisonDesign:
    """Return the design for two shares of the same reports. `rarity` is the number of reports for each about them."""

    def at(difference: float) -> Values:
        return moved(shares, i, j, difference)

    def variance(difference: float) -> float:
        cov = _covariance(tallied, at(difference))
        return rarity * float(cov[i, i] + cov[j, j] - 2 * cov[i, j])

    def plain(difference: float) -> float:
        its = at(difference)
        return float(its[i] + its[j]) - difference**2

    @lru_cache(maxsize=128)
    def at_limit(n: int) -> float:
        cov = _covariance(tallied, at(0.0))
        reach = -float(scipy.special.ndtri(SPENT_OF_TEST)) * math.sqrt(
            rarity * (cov[i, i] + cov[j, j] + 2 * cov[i, j]) / n
        )
        cov = _covariance(tallied, _with_sum(shares, i, j, min(float(shares[i] + shares[j]) + reach, 1.0), 0.0))
        return rarity * float(cov[i, i] + cov[j, j] - 2 * cov[i, j])

    step = rarity * (_step(tallied, i) + _step(tallied, j)) / 2
    return ComparisonDesign(variance, plain, step, None if tallied.counted else at_limit)


def of_value(tallied: Tallied, j: int, value: float, rarity: float = 1.0) -> ComparisonDesign:
    """Return the design for a share against a value from 0 to 1."""
    return ComparisonDesign(
        lambda difference: rarity * _of_share(tallied, j, value + difference),
        lambda difference: _plain(value + difference),
        rarity * _step(tallied, j) / 2,
    )


def of_two(
    one: tuple[Tallied, int, float], other: tuple[Tallied, int, float], share: float, same_people: bool = False
) -> ComparisonDesign:
    """Return the design for two shares with equally many separate reports: totals, category and rarity of each. Half of
    the difference is on each side of `share`. `same_people`: the same people may answer, so that only noise is
    independent, and intervals are those of ldp/inference/reading/moved.py."""

    def variances(difference: float) -> list[float]:
        parts = zip((one, other), _around(share, difference), strict=True)
        return [rarity * _of_share(tallied, j, its) for (tallied, j, rarity), its in parts]

    def deviations(difference: float) -> float:
        if not same_people:
            return sum(map(math.sqrt, variances(difference)))
        parts = zip((one, other), _around(share, difference), strict=True)
        first, second = (math.sqrt(rarity * _plain(its)) for (_tallied, _j, rarity), its in parts)
        return math.sqrt(sum(variances(difference)) + 2 * first * second)

    step = sum(rarity * _step(tallied, j) for tallied, j, rarity in (one, other)) / 2
    tested = not same_people and all(each[0].moments.binary for each in (one, other))
    return ComparisonDesign(
        lambda difference: sum(variances(difference)),
        lambda difference: sum(map(_plain, _around(share, difference))),
        step,
        deviations=None if tested else deviations,
    )


def moved(shares: Values, i: int, j: int, difference: float) -> Values:
    """Return shares on the simplex with theta_i - theta_j = difference. The two keep their sum if it is large enough;
    otherwise it grows and other shares shrink."""
    return _with_sum(shares, i, j, max(float(shares[i] + shares[j]), abs(difference)), difference)


def _with_sum(shares: Values, i: int, j: int, both: float, difference: float) -> Values:
    law = np.array(shares, dtype=np.float64)
    others = 1 - float(law[i] + law[j])
    law *= (1 - both) / others if others > 0 else 0.0
    if len(law) == 2:
        both = 1.0
    law[i], law[j] = (both + difference) / 2, (both - difference) / 2
    return np.asarray(law / law.sum())


def _around(share: float, difference: float) -> tuple[float, float]:
    middle = min(max(share, abs(difference) / 2), 1 - abs(difference) / 2)
    return middle + difference / 2, middle - difference / 2


def _covariance(tallied: Tallied, shares: Values) -> Values:
    if tallied.pair is not None:
        return covariance(shares, 1, tallied.moments, tallied.pair, "population")
    phi, rows = tallied.outputs()
    return channel_covariance(shares, 1, rows, phi, "population")


def _of_share(tallied: Tallied, j: int, share: float) -> float:
    """Return n times the variance of one share. If the noise depends on the other answers, these are equally common."""
    if not tallied.counted or tallied.exclusive:
        return float(estimates.unit_variances(np.array(share), tallied.moments, "population"))
    shares = np.full(tallied.d, (1 - share) / (tallied.d - 1))
    shares[j] = share
    return float(_covariance(tallied, shares)[j, j])


def _plain(share: float) -> float:
    return share * (1 - share)


def _step(tallied: Tallied, j: int) -> float:
    """Return the largest change of n times the estimated share by one more report."""
    if tallied.counted and not tallied.exclusive:
        return float(np.abs(tallied.outputs()[0][:, j]).max())
    return 1 / float(tallied.moments.gap)
