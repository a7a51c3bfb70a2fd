"""Draw an estimate with its interval at each release, side by side, in SVG without matplotlib. Releases are evenly
spaced, in order: two can be of one day, or months apart."""

import math
from datetime import date
from typing import NamedTuple

from surveys.figures import numerals
from surveys.figures.layout import SMALL
from surveys.figures.sheet import Sheet
from surveys.figures.themes import Theme

HEIGHT = 280
TOP, BOTTOM, RIGHT = 26, 52, 20
TICKS = 4
LABEL_APART = 76  # pixels per day


class Point(NamedTuple):
    """A release. Numbers are on the drawn scale: shares in percent."""

    number: int
    day: date
    estimate: float
    low: float
    high: float


def draw(points: list[Point], title: str, unit: str, colours: Theme, width: int) -> bytes:
    """Return the SVG of at least one point, the oldest first."""
    sheet = _Trend(points, unit, colours, width)
    sheet.title(title)
    sheet.axes()
    for place in range(len(points)):
        sheet.point(place)
    return sheet.svg()


def ticks(low: float, high: float) -> list[float]:
    """Return round numbers from at most `low` to at least `high`, about TICKS of them."""
    rough = max(high - low, 1e-9) / TICKS
    size = 10.0 ** math.floor(math.log10(rough))
    step = min(factor * size for factor in (1, 2, 5, 10) if factor * size >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * k, 12) for k in range(first, max(last, first + 1) + 1)]


class _Trend(Sheet):
    def __init__(self, points: list[Point], unit: str, colours: Theme, width: int) -> None:
        super().__init__(width, HEIGHT, colours)
        self.points, self.unit = points, unit
        low = min(min(point.low, point.estimate) for point in points)
        high = max(max(point.high, point.estimate) for point in points)
        self.ticks = ticks(low, high)
        longest = max(len(self._tick(value)) for value in self.ticks)
        self.left = 18 + int(SMALL * longest)

    def x(self, place: int) -> float:
        room = self.width - self.left - RIGHT
        return round(self.left + room * (place + 0.5) / len(self.points), 1)

    def y(self, value: float) -> float:
        bottom, top = self.ticks[0], self.ticks[-1]
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - bottom) / (top - bottom), 1)

    def axes(self) -> None:
        end = self.width - RIGHT
        for value in self.ticks:
            colour = self.colours.grid if value else self.colours.zero
            self.add("line", x1=self.left, x2=end, y1=self.y(value), y2=self.y(value), stroke=colour)
            self.text(self._tick(value), self.left - 8, self.y(value) + 4, "end")
        step = max(1, math.ceil(len(self.points) * LABEL_APART / max(end - self.left, 1)))
        last = len(self.points) - 1
        for place in range(last % step, last + 1, step):
            point = self.points[place]
            self.text(f"{point.number}", self.x(place), HEIGHT - BOTTOM + 20, "middle")
            self.text(f"{point.day:%Y-%m-%d}", self.x(place), HEIGHT - BOTTOM + 37, "middle")

    def point(self, place: int) -> None:
        """Draw a release's mark; the newest is highlighted."""
        point, x = self.points[place], self.x(place)
        newest = place == len(self.points) - 1
        colour = self.colours.accent if newest else self.colours.aside[0]
        low, high = self.y(point.low), self.y(point.high)
        self.add("line", x1=x, x2=x, y1=low, y2=high, stroke=colour, **{"stroke-width": "2"})
        half = min(5.0, round((self.width - self.left - RIGHT) / len(self.points) / 3, 1))
        for end in (low, high):
            self.add("line", x1=x - half, x2=x + half, y1=end, y2=end, stroke=colour, **{"stroke-width": "2"})
        dot = {"fill": colour, "stroke": self.colours.card, "stroke-width": "1.6"}
        self.add("circle", cx=x, cy=self.y(point.estimate), r=half, **dot)

    def _tick(self, value: float) -> str:
        return numerals.tick(value) + self.unit
