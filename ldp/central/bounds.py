"""Lower bounds on the absolute error of one share, for a curator and without privacy, and errors of histograms (M23).

Le Cam's two points: an estimate wrong by less than t/2 separates the shares 1/2 - t/2 and 1/2 + t/2. A test of the two
has error chances that add up to at least 1 - TV, so at one of them the expected error is at least t/4 (1 - TV). A
curator who keeps alpha errs more: couple the two samples so that each answer differs with chance t. Each differing
answer lowers a test's chance of an output by a factor of at most e^{-alpha}. So the error chances add up to at least E
e^{-alpha H} = (1 - t (1 - e^-alpha))^n, H ~ Binomial(n, t).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import scipy

from ldp import bounds as local
from ldp.central import laplace

_POINTS = 400


def undecided(distance: float, n: int) -> float:
    """Return 1 - TV of n answers at shares 1/2 - t/2 and 1/2 + t/2, exactly.

    The count decides which share is likelier. The two chances of a count on the wrong side of n/2, the middle split,
    add up by symmetry to P(K > n/2) + P(K >= n/2) at the lower share, and P(K >= k) = I_p(k, n-k+1).
    """
    share = 0.5 - distance / 2
    return float(sum(scipy.special.betainc(k, n - k + 1, share) for k in (n // 2 + 1, (n + 1) // 2) if k > 0))


def private_undecided(distance: float, n: int, alpha: float) -> float:
    """Return a lower bound of `undecided` for a curator who keeps alpha."""
    return (1 - distance * -math.expm1(-alpha)) ** n


def two_points(distance: float, n: int, alpha: float | None = None) -> float:
    """Return the lower bound of the worst expected error from two shares at this distance. alpha None: no privacy."""
    private = 0.0 if alpha is None else private_undecided(distance, n, alpha)
    return distance / 4 * max(private, undecided(distance, n))


def le_cam(n: int) -> float:
    """Return the largest bound t/4 (1 - TV) over all distances t, without privacy.

    The best distance is near 1.5/sqrt(n). Every point of the grid around it gives a valid bound.
    """
    distances = (min(1.0, 6 * (k + 1) / _POINTS / math.sqrt(n)) for k in range(_POINTS))
    return max(two_points(distance, n) for distance in distances)


def private_le_cam(n: int, alpha: float) -> float:
    """Return a lower bound of the worst expected absolute error of any curator who keeps alpha.

    The private part t/4 (1 - t a)^n, a = 1 - e^-alpha, is largest at t = 1/((n+1) a), cut to 1.
    """
    distance = min(1.0, 1 / ((n + 1) * -math.expm1(-alpha)))
    return max(distance / 4 * private_undecided(distance, n, alpha), le_cam(n))


# Histograms (M19, M21) ------------------------------------------------------------------------------------------------


class Errors(NamedTuple):
    """The error of d shares under three models of trust, by the same measure."""

    without_privacy: float
    curator: float
    local: float


def squared_errors(n: int, alpha: float, d: int, shares: Sequence[float] | None = None) -> Errors:
    """Return E||estimate - theta||_2^2 of d shares, equal by default. The curator adds Laplace noise to d counts; an
    answer changes two of them by 1. The local error is the sharp constant R*/n (M19); its noise part is the same at all
    shares."""
    shares = [1 / d] * d if shares is None else shares
    sampling = (1 - sum(share**2 for share in shares)) / n
    noise = d * laplace.noise_variance(2, alpha) / n**2
    at_equal = (1 - 1 / d) / n
    return Errors(sampling, sampling + noise, local.sharp_constant(alpha, d) / n - at_equal + sampling)


def absolute_errors(n: int, alpha: float, d: int) -> Errors:
    """Return E||estimate - theta||_1 at equal shares for normal errors: sqrt(2/pi) standard errors on average."""
    return Errors(*(math.sqrt(2 / math.pi * d * total) for total in squared_errors(n, alpha, d)))


class Rates(NamedTuple):
    """Powers of n, alpha and d without constants. The local rate has a lower and an upper end, for alpha <= 1 (M21)."""

    without_privacy: float
    curator: float
    local: local.Rate


def squared_rates(n: int, alpha: float, d: int) -> Rates:
    """Return the rates of E||.||_2^2. A curator's noise on d counts adds d/(n alpha)^2."""
    return Rates(1 / n, min(1.0, 1 / n + d / (n * alpha) ** 2), local.squared_error_rate(alpha, n, d))


def absolute_rates(n: int, alpha: float, d: int) -> Rates:
    """Return the rates of E||.||_1. A curator's noise on d counts adds d/(n alpha)."""
    sampling = math.sqrt(d / n)
    return Rates(min(1.0, sampling), min(1.0, sampling + d / (n * alpha)), local.absolute_error_rate(alpha, n, d))
