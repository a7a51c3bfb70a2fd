"""The unseen respondent's chances and limits (M30) for many tables of counts at once.

`unseen` has the mathematics and the argument. Here the unseen respondent has one score, which is one more value with
weight Exponential(1) = Gamma(1, 1). Every step handles all rows together. Limits are right to 1e-11 of the scores'
range.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from ldp.arrays import Indices, Values
from ldp.inference import intervals

Chance = Callable[[Values, Indices], Values]  # (points, rows) to the chance at each row's point

_T_MAX, _STRETCH, _FIRST_STEP, _LAST_STEP = 44.0, 4.0, 0.5, 1 / 1024
_STANDS_STILL, _ROUNDING, _NEGLIGIBLE = 1e-11, 1e-15, 1e-18
_NEAREST = 0.75
_NEWTON = 80
_TOLERANCE = 1e-11
# Numbers per chunk, so that a chunk's integrands take a few megabytes.
_NUMBERS = 1 << 21


def upper_limits(values: Values, counts: Values, tails: Values) -> Values:
    """Return the 1 - tail quantiles of the weighted means, (rows,). The unseen respondent has the row's largest value.
    `values` and `counts` are (rows, v), `tails` (rows,)."""
    top, bottom = values.max(axis=1), values.min(axis=1)
    n = counts.sum(axis=1) + 1
    mean = ((values * counts).sum(axis=1) + top) / n
    second = (((values - mean[:, None]) ** 2 * counts).sum(axis=1) + (top - mean) ** 2) / n
    guess, margin = mean - scipy.special.ndtri(tails) * np.sqrt(second / n), np.sqrt(second / n)

    def chance(m: Values, rows: Indices) -> Values:
        return chances_above(values[rows] - m[:, None], counts[rows], top[rows] - m)

    return falling_roots(chance, tails, (guess - margin, guess + margin), (bottom, top))


def chances_above(a: Values, c: Values, u: Values) -> Values:
    """Return P(sum of W_v a_v + E u > 0), (rows,), for weights W_v ~ Gamma(c_v, 1) and E ~ Exponential(1). `a` and `c`
    are (rows, v), `u` (rows,)."""
    size = max(1, _NUMBERS // (100 * (a.shape[1] + 1)))
    parts = [_chances(a[i : i + size], c[i : i + size], u[i : i + size]) for i in range(0, len(a), size)]
    return np.concatenate(parts) if parts else np.zeros(0)


def falling_roots(chance: Chance, tails: Values, bracket: tuple[Values, Values], ends: tuple[Values, Values]) -> Values:
    """Return the points, (rows,), at which chances that fall from one end to the other equal the tails; an end if they
    never do. A bracket without the root does no harm."""
    every = np.arange(len(tails))
    looks: dict[bytes, Values] = {}  # a bracket's ends are evaluated three times, for milliseconds each

    def excess(m: Values, rows: npt.NDArray[Any]) -> Values:
        index = rows.astype(np.intp)
        point = m.tobytes() + index.tobytes()
        if point not in looks:
            looks[point] = intervals.excess(chance(m, index), tails[index])
        return looks[point].copy()

    bottom, top = ends
    low, high = np.clip(bracket[0], bottom, top), np.clip(bracket[1], bottom, top)
    # If the bracket lacks the root, the ends are used.
    low = np.where(excess(low, every) > 0, low, bottom)
    high = np.where(excess(high, every) < 0, high, top)
    at_low, at_high = excess(low, every), excess(high, every)
    roots = np.where(at_low <= 0, low, high)
    open_ = (at_low > 0) & (at_high < 0)
    if open_.any():
        rows = every[open_]
        tolerances = {
            "xatol": _TOLERANCE * float((top - bottom)[open_].min()),
            "xrtol": 0.0,
            "fatol": 0.0,
            "frtol": 0.0,
        }
        from scipy.optimize import elementwise  # no attribute of scipy.optimize before it is imported

        solution = elementwise.find_root(
            excess, (low[open_], high[open_]), args=(rows.astype(float),), tolerances=tolerances, maxiter=200
        )
        roots[open_] = solution.x
    return roots


# The chance ----------------------------------------------------------------------------------------------------------


def _chances(a: Values, c: Values, u: Values) -> Values:
    """Return the chances by the integral if the mean is at most 0, otherwise by the mirror image's."""
    a = np.column_stack((np.where(c > 0, a, 0.0), u))
    c = np.column_stack((c, np.ones(len(c))))
    never, always = a.max(axis=1) <= 0, a.min(axis=1) >= 0
    chances = np.where(always & ~never, 1.0, 0.0)
    rest = np.nonzero(~never & ~always)[0]
    if rest.size:
        a, c = a[rest], c[rest]
        mirrored = (a * c).sum(axis=1) > 0
        beyond = _beyond(np.where(mirrored[:, None], -a, a), c)
        chances[rest] = np.where(mirrored, 1 - beyond, beyond)
    return chances


def _beyond(a: Values, c: Values) -> Values:
    saddle, scale = _contours(a, c)
    far = -(c * np.log1p(-a * saddle[:, None])).sum(axis=1)
    slopes = a / (1 - a * saddle[:, None])

    def integrand(t: Values, rows: Indices) -> Values:
        y = scale[rows, None] * np.sinh(t)
        near = y[:, :, None] * slopes[rows, None, :]
        modulus = far[rows, None] - 0.5 * np.einsum("rtv,rv->rt", np.log1p(near**2), c[rows])
        angle = np.einsum("rtv,rv->rt", np.arctan(near), c[rows])
        values = np.exp(modulus + 1j * angle) / (saddle[rows, None] + 1j * y)
        return np.asarray(values.real * scale[rows, None] * np.cosh(t))

    every, step, end = np.arange(len(a)), _FIRST_STEP, 0.0
    total, size, largest = np.zeros((3, len(a)))
    while end < _T_MAX:  # until the end is negligible; it falls fast from some point on, except for very few reports
        values = integrand(np.arange(end, end + _STRETCH, step), every)
        if not end:
            values[:, 0] /= 2
        sizes = np.abs(values)
        total, size, end = total + values.sum(axis=1), size + sizes.sum(axis=1) * step, end + _STRETCH
        largest = np.maximum(largest, sizes.max(axis=1))
        if (sizes[:, -1] <= _NEGLIGIBLE * largest).all() and (sizes[:, -2] <= _NEGLIGIBLE * largest).all():
            break
    result, rows = np.zeros(len(a)), every
    while rows.size:
        more = total[rows] + integrand(np.arange(step / 2, end, step), rows).sum(axis=1)
        before, after, step = total[rows] * step, more * step / 2, step / 2
        total[rows], result[rows] = more, after
        still = np.abs(after - before) <= _STANDS_STILL * np.abs(after) + _ROUNDING * size[rows]
        rows = rows[~still] if step > _LAST_STEP else rows[:0]
    return np.maximum(result / np.pi, 0.0)


def _contours(a: Values, c: Values) -> tuple[Values, Values]:
    """Return the results of unseen._contour for all rows at once."""
    end = 1 / a.max(axis=1)
    low, high = np.zeros(len(a)), _NEAREST * end
    slope, curvature = _derivatives(high, a, c)
    s = np.where(slope < 0, high, high / 2)
    settled = slope < 0
    for _ in range(_NEWTON):
        if settled.all():
            break
        slope, curve = _derivatives(s, a, c)
        curvature = np.where(settled, curvature, curve)
        step = slope / curve
        near = np.abs(step) * np.sqrt(curve) < 1e-2
        low, high = np.where(slope < 0, s, low), np.where(slope < 0, high, s)
        following = s - step
        following = np.where((low < following) & (following < high), following, (low + high) / 2)
        moving = ~settled & ~near
        settled = settled | near
        s = np.where(moving, following, s)
    return s, np.minimum(1 / np.sqrt(curvature), end - s)


def _derivatives(s: Values, a: Values, c: Values) -> tuple[Values, Values]:
    seen = a / (1 - a * s[:, None])
    return (seen * c).sum(axis=1) - 1 / s, (seen**2 * c).sum(axis=1) + 1 / s**2


# Quotients of two means of scores, and their intervals (M31; compare Fieller 1954) ------------------------------------
#
# A report has scores u ("over") and v ("under"). The quotient s of their means makes the mean of u - s v zero. Its
# interval has every s at which M30's interval for that mean contains 0.


def quotients(over: Values, under: Values, came: Values, tail: float) -> tuple[Values, Values, Values]:
    """Return both limits of s and its estimate, uncut, (rows,) each, from scores and counts of pairs, (rows, v). The
    mean of `under` must be known to be positive. A weighted mean of it is then negative with a chance far below the
    tail, and the chances of both tests are monotone in s."""
    n, tails = came.sum(axis=1), np.full(len(came), tail)
    below = (under * came).sum(axis=1) / n
    s = (over * came).sum(axis=1) / n / below
    ends = np.minimum(s, 0) - 1, np.maximum(s, 1) + 1
    error = np.sqrt(((over - s[:, None] * under) ** 2 * came).sum(axis=1)) / n / below
    reach = -float(scipy.special.ndtri(tail)) * error

    def too_low(s: Values, rows: Indices) -> Values:
        scores = s[:, None] * under[rows] - over[rows]
        return chances_above(scores, came[rows], scores.max(axis=1))

    def too_high(s: Values, rows: Indices) -> Values:
        scores = over[rows] - s[:, None] * under[rows]
        return chances_above(scores, came[rows], scores.max(axis=1))

    high = falling_roots(too_high, tails, (s + reach / 2, s + 2 * reach), ends)
    low = -falling_roots(lambda s, rows: too_low(-s, rows), tails, (reach / 2 - s, 2 * reach - s), (-ends[1], -ends[0]))
    return low, high, s
