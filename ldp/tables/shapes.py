"""The search for the narrowest noise that keeps (alpha, delta) (M6), in floating point. Its result is only a proposal.

Noise on the integers with weights exp(-(curve k^2/2 + slope |k|)) is the offset-symmetric Gaussian of Sadeghi and Korki
(2022), exp(-(|k|+m)^2/(2 s^2)), with curve = 1/s^2 and slope = m/s^2. slope = 0 is the Gaussian, curve = 0 the discrete
Laplace law. More curve or slope is narrower and keeps less. So bisection finds the best slope for each curve, and the
best curve is searched between 0 and the Gaussian's.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

REACH_MAX = 512
# The tails that are cut off have this part of delta, so that tables are short.
CUT = 1e-3
_GOLDEN = (math.sqrt(5) - 1) / 2
_COARSE, _FINE, _HALVINGS = 12, 14, 44


@dataclass(frozen=True)
class Shape:
    curve: float
    slope: float

    def wider(self, part: float) -> "Shape":
        return replace(self, curve=self.curve * (1 - part), slope=self.slope * (1 - part))


def narrowest(alpha: float, delta: float, offset: bool) -> Shape:
    """Return the shape of least variance, Gaussian unless `offset`. ValueError if none is narrow enough for a table."""
    gaussian = Shape(_largest(lambda curve: _keeps(Shape(curve, 0.0), alpha, delta), 4 * alpha + 4), 0.0)
    best = gaussian
    if offset:
        best = _least(partial(_with_slope, alpha, delta, gaussian.curve), delta)
    if not weights(best, delta):
        raise ValueError(
            f"needs noise beyond ±{REACH_MAX} at this alpha and delta; it is for larger ones, such as 1 and 0.000001"
        )
    return best


def weights(shape: Shape, delta: float) -> list[float]:
    """Return the weights of 0..J for the least J with at most the part CUT of delta beyond; empty if J is too large."""
    half: list[float] = []
    for k in range(4 * REACH_MAX):
        half.append(math.exp(-(shape.curve * k * k / 2 + shape.slope * k)))
        if half[-1] < 1e-20:
            break
    total = half[0] + 2 * math.fsum(half[1:])
    beyond = 0.0
    while half and 2 * (beyond + half[-1]) <= CUT * delta * total:
        beyond += half.pop()
    return half if 0 < len(half) - 1 <= REACH_MAX else half[:2] * (len(half) <= 2)


def variance(half: list[float]) -> float:
    total = half[0] + 2 * math.fsum(half[1:])
    return 2 * math.fsum(k * k * w for k, w in enumerate(half)) / total


def delta_of(half: list[float], alpha: float) -> float:
    """Return ldp.tables.noise.delta_of in floating point. The ratios of these shapes are already in order."""
    total = half[0] + 2 * math.fsum(half[1:])
    row = [w / total for w in (*half[:0:-1], *half)]
    pairs = list(pairwise([0.0, *row, 0.0]))
    bound = math.exp(alpha)
    result = with_one = with_none = 0.0
    partner = 0
    for u, v in pairs:
        while partner < len(pairs) and u * pairs[partner][1] > bound * v * pairs[partner][0]:
            with_one += pairs[partner][0]
            with_none += pairs[partner][1]
            partner += 1
        result += u * with_none - bound * v * with_one
    return result


def _keeps(shape: Shape, alpha: float, delta: float) -> bool:
    """Return whether the shape keeps (alpha, delta). A shape too wide for a table counts as keeping, so the search goes
    on to narrower ones."""
    half = weights(shape, delta)
    return not half or delta_of(half, alpha) <= delta


def _largest(keeps: Callable[[float], bool], high: float) -> float:
    """Return the largest number, up to `high`, that meets a condition. Only numbers below some number may meet it."""
    low = 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if keeps(middle) else (low, middle)
    return low


def _with_slope(alpha: float, delta: float, gaussian: float, part: float) -> Shape:
    curve = gaussian * part**2
    return Shape(curve, _largest(lambda slope: _keeps(Shape(curve, slope), alpha, delta), 2 * alpha))


def _least(shape_of: Callable[[float], Shape], delta: float) -> Shape:
    """Return the shape of least variance over parts 0..1: the best of a coarse grid, refined by golden section."""

    def cost(part: float) -> float:
        half = weights(shape_of(part), delta)
        return variance(half) if half else math.inf

    best = min(range(_COARSE + 1), key=lambda i: cost(i / _COARSE))
    low, high = max(best - 1, 0) / _COARSE, min(best + 1, _COARSE) / _COARSE
    for _ in range(_FINE):
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        low, high = (low, right) if cost(left) <= cost(right) else (left, high)
    return shape_of(min(low, (low + high) / 2, high, best / _COARSE, key=cost))
