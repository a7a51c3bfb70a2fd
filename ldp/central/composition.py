"""How guarantees add up: several releases, several people, and whatever is computed from a release (M11 for a curator).

`alpha` is the guarantee of one release; (alpha, delta) allows chances to exceed e^alpha times the others by delta. The
worst k releases that keep alpha are k binary randomized responses about one bit (Kairouz, Oh and Viswanath 2015): every
other pair of laws within e^alpha is what somebody computes from such a bit. So their law is all that is needed.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy

from ldp.arrays import Integers, Values

_STEPS = 60
ORDERS: tuple[float, ...] = tuple(1 + 10 ** (k / 16) for k in range(-32, 65))


def basic(alphas: Iterable[float]) -> float:
    """The alpha of all releases together is the sum."""
    return math.fsum(alphas)


def advanced(alpha: float, times: int, delta: float) -> float:
    """The alpha that k releases keep together up to delta (Dwork, Rothblum and Vadhan 2010), a bound in closed form.

    The log ratio of one release lies in [-alpha, alpha] with mean at most alpha (e^alpha-1)/(e^alpha+1); Hoeffding's
    inequality bounds the sum. Basic composition where that is less.
    """
    mean = alpha * math.tanh(alpha / 2)
    return min(times * alpha, times * mean + alpha * math.sqrt(2 * times * math.log(1 / delta)))


def composed_delta(total: float, alpha: float, times: int) -> float:
    """The delta that k releases keep together at alpha `total`, exactly.

    With j of the k bits turned the ratio is e^{(k-2j) alpha}; delta is the sum of what exceeds e^total.
    """
    turned, chance = _turned(alpha, times)
    return float(chance @ -np.expm1(np.minimum(total - (times - 2 * turned) * alpha, 0.0)))


@lru_cache(maxsize=1)
def _turned(alpha: float, times: int) -> tuple[Integers, Values]:
    """Numbers of bits turned, and their chances: the same at every step of a search."""
    turned = np.arange(times + 1)
    return turned, np.asarray(scipy.stats.binom.pmf(turned, times, scipy.special.expit(-alpha)))


def optimal(alpha: float, times: int, delta: float) -> float:
    """The least alpha that k releases keep together up to delta, by bisection: nothing less holds for all of them."""
    return least(lambda total: composed_delta(total, alpha, times), delta, times * alpha)


def least(delta_at: Callable[[float], float], delta: float, enough: float) -> float:
    """The least alpha up to `enough` at which a delta that falls in alpha is kept."""
    low, high = 0.0, float(enough)
    if delta_at(low) <= delta:
        return low
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break  # there is no number between
        low, high = (low, middle) if delta_at(middle) <= delta else (middle, high)
    return high


def pure_renyi(order: float, alpha: float) -> float:
    """The largest Renyi divergence of an order > 1 between two laws within e^alpha: that of randomized response."""
    p, q = scipy.special.log_expit(alpha), scipy.special.log_expit(-alpha)
    return float(np.logaddexp(order * p + (1 - order) * q, order * q + (1 - order) * p) / (order - 1))


def from_renyi(divergence: Callable[[float], float], delta: float, orders: Sequence[float] = ORDERS) -> float:
    """An alpha kept up to delta, from the Renyi divergences of all orders (Canonne, Kamath and Steinke 2020).

    At order r: D_r + ln((r-1)/r) - (ln delta + ln r)/(r-1); the best of the orders. Divergences of releases add.
    """
    alphas = (
        divergence(r) + math.log1p(-1 / r) - (math.log(delta) + math.log(r)) / (r - 1) for r in orders
    )  # fmt: skip
    return max(0.0, min(alphas))


class ComposedAlphas(NamedTuple):
    """The alpha of all releases together, by each way of counting; all but the first up to a delta."""

    basic: float
    advanced: float
    renyi: float
    optimal: float


def totals(alpha: float, times: int, delta: float) -> ComposedAlphas:
    """What k releases that keep alpha each keep together."""
    by_renyi = from_renyi(lambda order: times * pure_renyi(order, alpha), delta)
    alphas = advanced(alpha, times, delta), min(times * alpha, by_renyi), optimal(alpha, times, delta)
    return ComposedAlphas(basic([alpha] * times), *alphas)


def group(alpha: float, people: int, delta: float = 0.0) -> tuple[float, float]:
    """What a release keeps between data sets in which up to `people` answers differ.

    One step after the other: alpha adds up, and each delta grows with the steps that follow.
    """
    growth = float(people) if alpha == 0 else math.expm1(people * alpha) / math.expm1(alpha)
    return people * alpha, min(1.0, delta * growth)
