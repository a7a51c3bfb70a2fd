"""Offset-symmetric Gaussian tails (OSGT) and the Gaussian, in real numbers (M6; Sadeghi and Korki 2022).

The density is exp(-(|y|+m)^2/(2 s^2)) / (sqrt(2 pi s^2) 2 Qf(m/s)), Qf the normal tail; m = 0 is the Gaussian. An
answer moves the value by `sensitivity`, D. Surveys use integer tables, whose delta is a finite sum
(ldp/tables/noise.py). These formulas plan before there is a table, and tables are compared with them. `release` draws a
curator's count from a table.
"""

import math
from fractions import Fraction

import scipy

from ldp import search
from ldp.tables import noise
from ldp.words import Uniform

_RATIOS = (0.0, *(0.1 * 2 ** (k / 2) for k in range(17)))


def tail(x: float) -> float:
    """Return Qf(x), the chance that a standard normal variable exceeds x."""
    return math.erfc(x / math.sqrt(2)) / 2


def density(y: float, m: float, s: float) -> float:
    return math.exp(-((abs(y) + m) ** 2) / (2 * s**2)) / (math.sqrt(2 * math.pi) * s * 2 * tail(m / s))


def variance(m: float, s: float) -> float:
    return s**2 + m**2 - m * s * math.exp(-((m / s) ** 2) / 2) / (math.sqrt(2 * math.pi) * tail(m / s))


def error_bound(m: float, s: float, failure: float) -> float:
    """Return the size that the noise exceeds with chance `failure`: P(|Y| > y) = Qf((m+y)/s)/Qf(m/s)."""
    return -s * float(scipy.special.ndtri(failure * tail(m / s))) - m


def delta(alpha: float, m: float, s: float, sensitivity: float = 1.0) -> float:
    """Return the least delta at this alpha >= 0, in closed form.

    The log ratio of the densities at y and y - D falls in y, so it exceeds alpha below one y. For y <= 0, beyond the
    density's kink, this is the published formula. A smaller alpha has y between 0 and D/2, where the log ratio is
    (D-2y)(D+2m)/(2 s^2).
    """
    d = sensitivity
    y = d / 2 + m - s**2 * alpha / d
    if y > 0:
        y = d / 2 - s**2 * alpha / (d + 2 * m)
    beyond = 2 * tail(m / s)
    return _below(y, m, s, beyond) - math.exp(alpha) * _below(y - d, m, s, beyond)


def alpha(delta_: float, m: float, s: float, sensitivity: float = 1.0) -> float:
    """Return the least alpha that keeps this delta, by bisection."""
    return search.least(lambda kept: delta(kept, m, s, sensitivity) <= delta_)


def deviation(alpha: float, delta_: float, ratio: float, sensitivity: float = 1.0) -> float:
    """Return the least s for which noise with m = ratio s keeps (alpha, delta); stretched noise has a smaller delta."""
    return sensitivity * search.least(lambda s: delta(alpha, ratio * s, s) <= delta_)


def narrowest(alpha: float, delta_: float, sensitivity: float = 1.0) -> tuple[float, float]:
    """Return m and s of the least variance that keeps (alpha, delta), over ratios m/s from Gaussian (0) to nearly
    Laplace.

    A grid of ratios up to 25.6 is searched, then the neighbourhood of its best. At a small delta the best is the
    largest ratio, a few percent above Laplace noise, which needs no delta.
    """

    def cost(ratio: float) -> float:
        s = deviation(alpha, delta_, ratio)
        return variance(ratio * s, s)

    best = min(range(len(_RATIOS)), key=lambda i: cost(_RATIOS[i]))
    near = _RATIOS[max(best - 1, 0)], _RATIOS[min(best + 1, len(_RATIOS) - 1)]
    ratio = min(float(scipy.optimize.minimize_scalar(cost, bounds=near, method="bounded").x), _RATIOS[best], key=cost)
    s = deviation(alpha, delta_, ratio, sensitivity)
    return ratio * s, s


def _below(y: float, m: float, s: float, beyond: float) -> float:
    """Return the distribution function; `beyond` is 2 Qf(m/s)."""
    side = tail((m + abs(y)) / s) / beyond
    return side if y <= 0 else 1 - side


def renyi(order: float, m: float, s: float, sensitivity: float = 1.0, coordinates: int = 1) -> float:
    """Return the Renyi divergence of this order > 1 if each of k coordinates moves by D, in closed form.

    Per coordinate the integral of f(y)^r f(y-D)^(1-r) is exp(r (r-1) D^2/(2 s^2)) times three normal integrals, over y
    < 0, y > D and the part between. That part is a huge factor times a difference of chances near 1, so it is computed
    from the other tail, in logarithms.
    """
    r, d = order, sensitivity
    factor = r * (r - 1) * (4 * m * d + 4 * m**2) / (2 * s**2)
    near, far = ((r - 1) * d + m * (2 * r - 1)) / s, (r * d + m * (2 * r - 1)) / s
    between = math.exp(factor + scipy.special.log_ndtr(-near)) - math.exp(factor + scipy.special.log_ndtr(-far))
    pieces = tail((m - (r - 1) * d) / s) + tail((m + r * d) / s) + between
    return coordinates * (r * d**2 / (2 * s**2) + math.log(pieces / (2 * tail(m / s))) / (r - 1))


def release(total: int, alpha: Fraction, delta_: Fraction, uniform: Uniform) -> int:
    """Return a count with integer OSGT noise, drawn exactly from the table that keeps (alpha, delta) for two bins (M6).
    One count reveals no more than two, so the table's proof covers it."""
    thresholds = noise.table(alpha, delta_, offset=True)["noise"]
    u = uniform()
    return int(total + sum(c <= u for c in thresholds) - len(thresholds) // 2)
