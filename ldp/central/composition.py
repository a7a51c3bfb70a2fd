"""A curator's guarantee summed over releases and people (docs/mathematics.md, "Adding up").

`alpha` is one release's guarantee. (alpha, delta) lets chances exceed e^alpha times the others by delta. The worst k
releases that keep alpha are k binary randomized responses about one bit (Kairouz, Oh and Viswanath 2015), because any
other pair of laws within e^alpha can be computed from that bit. So the law of these k bits is enough.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy

from ldp import search
from ldp.arrays import Integers, Values

ORDERS: tuple[float, ...] = tuple(1 + 10 ** (k / 16) for k in range(-32, 65))


def basic(alphas: Iterable[float]) -> float:
    """Return the alpha of all releases together, the sum."""
    return math.fsum(alphas)


def advanced(alpha: float, times: int, delta: float) -> float:
    """Return an alpha that k releases keep together up to delta, in closed form (Dwork, Rothblum and Vadhan 2010).

    One release's log ratio lies in [-alpha, alpha] and has mean at most alpha (e^alpha-1)/(e^alpha+1). Hoeffding's
    inequality bounds the sum. Basic composition is returned if it is less.
    """
    mean = alpha * math.tanh(alpha / 2)
    return min(times * alpha, times * mean + alpha * math.sqrt(2 * times * math.log(1 / delta)))


def composed_delta(total: float, alpha: float, times: int) -> float:
    """Return the delta that k releases keep together at alpha `total`, exactly.

    The ratio is e^{(k-2j) alpha} if j of the k bits are turned. delta sums the excess over e^total.
    """
    turned, chance = _turned(alpha, times)
    return float(chance @ -np.expm1(np.minimum(total - (times - 2 * turned) * alpha, 0.0)))


@lru_cache(maxsize=1)
def _turned(alpha: float, times: int) -> tuple[Integers, Values]:
    """Return numbers of turned bits and their chances, each of shape (times + 1,). A search reuses them."""
    turned = np.arange(times + 1)
    return turned, np.asarray(scipy.stats.binom.pmf(turned, times, scipy.special.expit(-alpha)))


def optimal(alpha: float, times: int, delta: float) -> float:
    """Return the least alpha that any k releases keep together up to delta, by bisection."""
    return least(lambda total: composed_delta(total, alpha, times), delta, times * alpha)


def least(delta_at: Callable[[float], float], delta: float, enough: float) -> float:
    """Return the least alpha, at most `enough`, that keeps `delta`. `delta_at` must fall with alpha."""
    if delta_at(0.0) <= delta:
        return 0.0
    return min(enough, search.least(lambda alpha: delta_at(alpha) <= delta, enough))


def pure_renyi(order: float, alpha: float) -> float:
    """Return the largest Renyi divergence of this order > 1 of two laws within e^alpha: that of randomized response."""
    p, q = scipy.special.log_expit(alpha), scipy.special.log_expit(-alpha)
    return float(np.logaddexp(order * p + (1 - order) * q, order * q + (1 - order) * p) / (order - 1))


def from_renyi(divergence: Callable[[float], float], delta: float, orders: Sequence[float] = ORDERS) -> float:
    """Return an alpha kept up to delta, from Renyi divergences (Canonne, Kamath and Steinke 2020).

    The best order r of D_r + ln((r-1)/r) - (ln delta + ln r)/(r-1) counts. Divergences of releases add up.
    """
    alphas = (
        divergence(r) + math.log1p(-1 / r) - (math.log(delta) + math.log(r)) / (r - 1) for r in orders
    )  # fmt: skip
    return max(0.0, min(alphas))


class ComposedAlphas(NamedTuple):
    """The alpha of all releases together by four rules. All but `basic` hold up to a delta."""

    basic: float
    advanced: float
    renyi: float
    optimal: float


def totals(alpha: float, times: int, delta: float) -> ComposedAlphas:
    """Return the alpha of k releases together if each keeps `alpha`."""
    by_renyi = from_renyi(lambda order: times * pure_renyi(order, alpha), delta)
    alphas = advanced(alpha, times, delta), min(times * alpha, by_renyi), optimal(alpha, times, delta)
    return ComposedAlphas(basic([alpha] * times), *alphas)


def group(alpha: float, people: int, delta: float = 0.0) -> tuple[float, float]:
    """Return the alpha and delta of a release between data sets that differ in up to `people` answers.

    Answers change one by one. The alphas add up, and each delta grows with the steps after it.
    """
    growth = float(people) if alpha == 0 else math.expm1(people * alpha) / math.expm1(alpha)
    return people * alpha, min(1.0, delta * growth)
