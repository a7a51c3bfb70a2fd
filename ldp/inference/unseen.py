"""The interval of the unseen respondent, for a mean of scores whose law depends on unknown answers (M30).

A report has one of finitely many known scores; score v came c_v times in n reports. Each observed v has an independent
weight W_v ~ Gamma(c_v, 1). One more respondent, unseen, answers the upper end: weight E ~ Exponential(1), and a score V
drawn from that end's law. The upper limit is the m with

    P(sum of W_v (v - m) + E (V - m) > 0) = tail,

the 1 - tail quantile of the weighted mean of all scores. The lower limit is the mirror image with the lower end. For
0/1 scores and V = 1 the weighted mean is Beta(S + 1, n - S), so this is Clopper and Pearson's interval. For V = the
largest possible score it is Gaffke's bound (2005; Learned-Miller and Thomas 2019).

The chance is computed without draws. Let T be the sum above. Then E e^{sT} = R(s) / product of (1 - (v-m)s)^{c_v} with
R(s) = E 1/(1 - (V-m)s). For E T <= 0 a Bromwich integral along the vertical line through the integrand's saddle point c
> 0 gives P(T > 0); otherwise the mirror image's does:

    P(T > 0) = (1/pi) integral over y > 0 of Re[ E e^{sT} / s ],  s = c + iy,  y = sinh(t)/sqrt(curvature),

by the trapezoid rule in t, with steps halved until the sum no longer changes.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import scipy

from ldp.arrays import Complexes, Values
from ldp.inference import intervals
from ldp.inference.intervals import Interval

# With one report, and an unseen one whose score may be m itself, the integrand falls only like 1/y^2: exp(-t) in t.
_T_MAX = 44.0
_FIRST_STEP = 0.5
_STANDS_STILL = 1e-12
_ROUNDING = 1e-15
_LAST_STEP = 1 / 1024
_NEGLIGIBLE = 1e-18
_NEAREST = 0.75


@dataclass(frozen=True)
class Unseen:
    """Scores and chances of the unseen respondent's report, (k,) each. All chances are positive."""

    scores: Values
    chances: Values

    @classmethod
    def at(cls, score: float) -> "Unseen":
        """Return an unseen respondent who certainly has this score."""
        return cls(np.array([float(score)]), np.ones(1))

    @classmethod
    def drawn(cls, scores: npt.ArrayLike, chances: npt.ArrayLike) -> "Unseen":
        kept = np.asarray(chances, dtype=np.float64) > 0
        return cls(np.asarray(scores, dtype=np.float64)[kept], np.asarray(chances, dtype=np.float64)[kept])

    def mirrored(self) -> "Unseen":
        return Unseen(-self.scores, self.chances)


def interval(scores: npt.ArrayLike, counts: npt.ArrayLike, low: Unseen, high: Unseen, confidence: float) -> Interval:
    """Return the equal-tailed interval for the mean score (M30), not cut. `counts`, (k,), says how often each of the
    `scores`, (k,), came, at least once in all. `low` and `high` are the unseen respondents of the two ends."""
    tail = (1 - confidence) / 2
    values, numbers = _observed(scores, counts)
    return Interval(
        -upper_limit(-values, numbers, low.mirrored(), tail),
        upper_limit(values, numbers, high, tail),
    )


def upper_limit(scores: npt.ArrayLike, counts: npt.ArrayLike, unseen: Unseen, tail: float) -> float:
    """Return the 1 - tail quantile of the weighted mean, 0 < tail < 1/2."""
    values, numbers = _observed(scores, counts)
    bottom, top = _range(values, unseen)
    if bottom == top:
        return top

    @cache  # the bracket's ends are evaluated again
    def excess(m: float) -> float:
        return float(intervals.excess(chance_above(values, numbers, unseen, m), tail))

    # The chance falls from 1 at the bottom to 0 at the top. It jumps if all observed scores are equal.
    guess, margin = _normal(values, numbers, unseen, tail)
    low, high = max(bottom, min(guess - margin, top - margin)), min(top, max(guess + margin, bottom + margin))
    while low > bottom and excess(low) <= 0:
        low, high, margin = max(bottom, low - margin), low, 2 * margin
    while high < top and excess(high) > 0:
        low, high, margin = high, min(top, high + margin), 2 * margin
    return float(scipy.optimize.brentq(excess, low, high, xtol=1e-14 * (top - bottom), rtol=4 * np.finfo(float).eps))


def _normal(values: Values, counts: Values, unseen: Unseen, tail: float) -> tuple[float, float]:
    """Return the limit by normal approximation, and half a standard deviation, for the first bracket."""
    n = counts.sum() + 1
    first = float(values @ counts + unseen.scores @ unseen.chances) / n
    second = float((values - first) ** 2 @ counts + (unseen.scores - first) ** 2 @ unseen.chances) / n
    deviation = math.sqrt(second / n)
    return first - float(scipy.special.ndtri(tail)) * deviation, deviation / 2


def _observed(scores: npt.ArrayLike, counts: npt.ArrayLike) -> tuple[Values, Values]:
    values, numbers = np.asarray(scores, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    return values[numbers > 0], numbers[numbers > 0]


def _range(values: Values, unseen: Unseen) -> tuple[float, float]:
    both = np.concatenate((values, unseen.scores))
    return float(both.min()), float(both.max())


# The chance ----------------------------------------------------------------------------------------------------------


def chance_above(scores: npt.ArrayLike, counts: npt.ArrayLike, unseen: Unseen, m: float) -> float:
    """Return P(weighted mean > m). It or its complement has a relative error of about 1e-11. `counts` are positive."""
    a, c = np.asarray(scores, dtype=np.float64) - m, np.asarray(counts, dtype=np.float64)
    u, p = unseen.scores - m, unseen.chances
    if max(a.max(), u.max()) <= 0:
        return 0.0
    if min(a.min(), u.min()) >= 0:
        return 1.0
    if a @ c + u @ p <= 0:
        return _beyond(a, c, u, p)
    return 1 - _beyond(-a, c, -u, p)


def _beyond(a: Values, c: Values, u: Values, p: Values) -> float:
    """Return P(T > 0) for E T <= 0, by the integral."""
    saddle, scale = _contour(a, c, u, p)
    poles, far = 1 - a * saddle, float(-np.log1p(-a * saddle) @ c)

    def integrand(t: Values) -> Values:
        y = scale * np.sinh(t)
        near = np.multiply.outer(y, a) / poles
        return np.asarray((_transform(near, far, c) * _rest(saddle + 1j * y, u, p)).real * (scale * np.cosh(t)))

    step, t = _FIRST_STEP, np.arange(0.0, _T_MAX, _FIRST_STEP)
    values = integrand(t)
    values[0] /= 2
    alive = np.nonzero(np.abs(values) > _NEGLIGIBLE * np.abs(values).max())[0]
    if not alive.size:
        return 0.0
    end = t[alive[-1]] + step
    total, size = float(values.sum()), float(np.abs(values).sum()) * step
    while True:
        more = total + float(integrand(np.arange(step / 2, end, step)).sum())
        before, after, step = total * step, more * step / 2, step / 2
        if abs(after - before) <= _STANDS_STILL * abs(after) + _ROUNDING * size or step <= _LAST_STEP:
            return after / math.pi
        total = more


def _transform(near: Values, far: float, c: Values) -> Complexes:
    """Return E e^{s sum of W_v a_v}. At s = c0 + iy, log(1 - a s) is log(1 - a c0), whose weighted sum is -far, plus
    log(1 - i near). So its modulus and angle keep all digits."""
    modulus = far - 0.5 * (np.log1p(near**2) @ c)
    angle = np.arctan(near) @ c
    return np.asarray(np.exp(modulus + 1j * angle))


def _rest(s: Complexes, u: Values, p: Values) -> Complexes:
    """Return R(s)/s."""
    if len(u) == 1:  # as below, without a sum of one term
        return np.asarray(p[0] / (1 - s * u[0]) / s)
    return np.asarray((p / (1 - np.multiply.outer(s, u))).sum(axis=1) / s)


def _contour(a: Values, c: Values, u: Values, p: Values) -> tuple[float, float]:
    """Return a point near the saddle of log(E e^{sT}/s), where it is least on the positive axis within the strip, and
    y's scale.

    The function is convex and infinite at both ends. The integral is the same through any point of the strip, so a
    safeguarded Newton search stops early. The point keeps away from the strip's end, because a pole there makes the
    integrand a needle, however small its chance. E e^{sT} < 1 between 0 and the saddle, so the digits of 1/P(T > 0) are
    the most that this costs.
    """
    end = 1 / max(a.max(), u.max())
    low, high = 0.0, _NEAREST * end
    slope, curvature = _derivatives(high, a, c, u, p)
    s = high if slope < 0 else high / 2
    while slope >= 0 or s < high:
        slope, curvature = _derivatives(s, a, c, u, p)
        step = slope / curvature
        if abs(step) * math.sqrt(curvature) < 1e-2:
            break
        low, high = (s, high) if slope < 0 else (low, s)
        s = s - step if low < s - step < high else (low + high) / 2
    return s, min(1 / math.sqrt(curvature), end - s)


def _derivatives(s: float, a: Values, c: Values, u: Values, p: Values) -> tuple[float, float]:
    seen = a / (1 - a * s)
    if len(u) == 1:  # its weight is 1
        first = float(u[0] / (1 - u[0] * s))
        second = 2 * (first * first)
    else:
        unseen, weight = u / (1 - u * s), p / (1 - u * s)
        weight = weight / weight.sum()
        first, second = float(weight @ unseen), 2 * float(weight @ unseen**2)
    return float(seen @ c) + first - 1 / s, float(seen**2 @ c) + second - first**2 + 1 / s**2
