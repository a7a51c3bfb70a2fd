"""The points at which curves are computed. They are few, so that a figure is cheap."""

import math
from collections.abc import Callable, Iterable

from surveys.public.lab.curves.charts import Role, Series


def powers(low: float, high: float, points: int) -> tuple[float, ...]:
    """Return points that are evenly spaced on a logarithmic scale, with both ends."""
    return tuple(low * (high / low) ** (k / (points - 1)) for k in range(points))


def integers(low: int, high: int, points: int) -> tuple[int, ...]:
    """Return different integers that are almost even on a logarithmic scale."""
    return tuple(sorted({round(x) for x in powers(low, high, points)}))


def even(low: float, high: float, points: int) -> tuple[float, ...]:
    return tuple(low + (high - low) * k / (points - 1) for k in range(points))


def around(value: float, low: float, high: float, times: float) -> tuple[float, float]:
    """Return a range on a logarithmic scale that contains the value, within limits."""
    return max(low, value / times), min(high, value * times)


def curve(
    label: str, role: Role, of: Callable[[float], float], xs: Iterable[float], least: float = 0.0, dashed: bool = False
) -> Series:
    """Return the points of a function, without those at or below `least` (for a logarithmic axis)."""
    points = [(float(x), float(of(x))) for x in xs]
    kept = [(x, y) for x, y in points if math.isfinite(y) and y > least]
    return Series(label, role, tuple(x for x, _ in kept), tuple(y for _, y in kept), dashed=dashed)


def column(label: str, role: Role, xs: Iterable[float], ys: Iterable[float], dashed: bool = False) -> Series:
    """Return points with known values."""
    return Series(label, role, tuple(map(float, xs)), tuple(map(float, ys)), dashed=dashed)
