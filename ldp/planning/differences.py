"""How many reports a difference needs to be shown, and how much power so many have (M33d).

A difference D is estimated with the variance V(D)/n. A two-sided test at level a shows it with the chance

    Phi((|D| sqrt(n) - z_{1-a/2} sqrt(V(0)) - c/sqrt(n)) / sqrt(V(D))),

by normal approximation. V is that of the default estimate at the shares that are given, with the difference put between
them; without privacy it is that of plain answers. c/n is what an exact test asks for beyond the normal one, about one
step of the estimate (Casagrande, Pike and Smith 1978). The target is the population.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import special

from ldp.inference import estimates
from ldp.inference.covariance import channel_covariance, covariance
from ldp.inference.estimates import Matrix, Shares
from ldp.inference.reading.tallied import Tallied
from ldp.planning.outlook import N_MOST

Variance = Callable[[float], float]

_LEAST = 1e-9


class Design(NamedTuple):
    """n times the variance of the estimated difference where the true one is D, and of plain answers. n counts all
    reports of a survey, of which only some may be about it."""

    variance: Variance
    without_privacy: Variance
    step: float

    @property
    def plain(self) -> "Design":
        """The same without privacy."""
        return Design(self.without_privacy, self.without_privacy, 1.0)


def needed(design: Design, difference: float, level: float, power: float) -> int | None:
    """The least n at which the difference, not 0, is shown with this power; None where N_MOST are too few. The
    condition is a quadratic one in sqrt(n)."""
    z, reach, far = -float(special.ndtri(level / 2)), float(special.ndtri(power)), abs(difference)
    b = z * math.sqrt(design.variance(0.0)) + reach * math.sqrt(design.variance(difference))
    n = ((b + math.sqrt(b**2 + 4 * far * design.step)) / (2 * far)) ** 2
    return math.ceil(n) if n <= N_MOST else None


def power(design: Design, difference: float, level: float, n: int) -> float:
    z = -float(special.ndtri(level / 2))
    far = abs(difference) * math.sqrt(n) - z * math.sqrt(design.variance(0.0)) - design.step / math.sqrt(n)
    return float(special.ndtr(far / max(math.sqrt(design.variance(difference)), _LEAST)))


def half_width(design: Design, difference: float, level: float, n: int) -> float:
    """Of the difference's interval with the level as its chance of error, cut nowhere."""
    return -float(special.ndtri(level / 2)) * math.sqrt(design.variance(difference) / n) + design.step / n


# What is compared -----------------------------------------------------------------------------------------------------


def of_pair(tallied: Tallied, i: int, j: int, shares: Shares, rarity: float = 1.0) -> Design:
    """Two shares of the same reports. `rarity`: reports in all for one that is about them."""

    def at(difference: float) -> Shares:
        return moved(shares, i, j, difference)

    def variance(difference: float) -> float:
        cov = _covariance(tallied, at(difference))
        return rarity * float(cov[i, i] + cov[j, j] - 2 * cov[i, j])

    def plain(difference: float) -> float:
        its = at(difference)
        return float(its[i] + its[j]) - difference**2

    return Design(variance, plain, rarity * (_step(tallied, i) + _step(tallied, j)) / 2)


def of_value(tallied: Tallied, j: int, value: float, rarity: float = 1.0) -> Design:
    """A share against a value from 0 to 1."""
    return Design(
        lambda difference: rarity * _of_share(tallied, j, value + difference),
        lambda difference: _plain(value + difference),
        rarity * _step(tallied, j) / 2,
    )


def of_two(one: tuple[Tallied, int, float], other: tuple[Tallied, int, float], share: float) -> Design:
    """Shares in reports of their own, of each so many as the other has: totals, category and rarity of both. Half of
    the difference lies on each side of `share`."""

    def variance(difference: float) -> float:
        parts = zip((one, other), _around(share, difference), strict=True)
        return sum(rarity * _of_share(tallied, j, its) for (tallied, j, rarity), its in parts)

    step = sum(rarity * _step(tallied, j) for tallied, j, rarity in (one, other)) / 2
    return Design(variance, lambda difference: sum(map(_plain, _around(share, difference))), step)


def moved(shares: Shares, i: int, j: int, difference: float) -> Shares:
    """Shares on the simplex with theta_i - theta_j = difference: the two keep their sum where it is large enough, else
    the others make room."""
    found = np.array(shares, dtype=np.float64)
    both = max(float(found[i] + found[j]), abs(difference))
    others = 1 - float(found[i] + found[j])
    found *= (1 - both) / others if others > 0 else 0.0
    if len(found) == 2:
        both = 1.0
    found[i], found[j] = (both + difference) / 2, (both - difference) / 2
    return np.asarray(found / found.sum())


def _around(share: float, difference: float) -> tuple[float, float]:
    middle = min(max(share, abs(difference) / 2), 1 - abs(difference) / 2)
    return middle + difference / 2, middle - difference / 2


def _covariance(tallied: Tallied, shares: Shares) -> Matrix:
    if tallied.pair is not None:
        return covariance(shares, 1, tallied.moments, tallied.pair, "population")
    phi, rows = tallied.outputs()
    return channel_covariance(shares, 1, rows, phi, "population")


def _of_share(tallied: Tallied, j: int, share: float) -> float:
    """n times the variance of one share; where the noise depends on the other answers they are taken to be equal."""
    if not tallied.counted or tallied.exclusive:
        return float(estimates.unit_variances(np.array(share), tallied.moments, "population"))
    shares = np.full(tallied.d, (1 - share) / (tallied.d - 1))
    shares[j] = share
    return float(_covariance(tallied, shares)[j, j])


def _plain(share: float) -> float:
    return share * (1 - share)


def _step(tallied: Tallied, j: int) -> float:
    """How much one report more can do to n times the estimate of a share."""
    if tallied.counted and not tallied.exclusive:
        return float(np.abs(tallied.outputs()[0][:, j]).max())
    return 1 / float(tallied.moments.gap)
