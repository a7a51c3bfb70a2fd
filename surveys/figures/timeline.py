"""Draw the number of reports over days as a line, in SVG without matplotlib. A release states the number on its day.
Between two releases it is unknown, so the line rises in steps, never in a slope."""

import math
from datetime import date, timedelta

from django.utils.dateformat import format as formatted
from django.utils.formats import get_format

from surveys.figures import numerals
from surveys.figures.layout import SMALL
from surveys.figures.sheet import Sheet
from surveys.figures.themes import Theme

HEIGHT = 240
TOP, BOTTOM, RIGHT = 26, 34, 24
LABEL_APART = 108  # pixels per date
TICKS = 4

Point = tuple[date, int]


def draw(first: date, points: list[Point], target: int | None, title: str, colours: Theme, width: int) -> bytes:
    """Return the SVG. `points` are releases in order. `target` is the number of reports at which the survey ends, if
    any."""
    sheet = _Timeline(first, points, target, colours, width)
    sheet.title(title)
    sheet.axes()
    if target:
        sheet.target(target)
    sheet.line()
    return sheet.svg()


def ticks(highest: float) -> list[int]:
    """Return about TICKS round integers from 0 to at least `highest`."""
    rough = max(highest, 1) / TICKS
    size = 10 ** math.floor(math.log10(rough))
    step = max(1, math.ceil(min(factor * size for factor in (1, 2, 2.5, 5, 10) if factor * size >= rough)))
    return [step * k for k in range(math.ceil(max(highest, 1) / step) + 1)]


class _Timeline(Sheet):
    def __init__(self, first: date, points: list[Point], target: int | None, colours: Theme, width: int) -> None:
        super().__init__(width, HEIGHT, colours)
        self.points = points
        self.begun = min([first, *(day for day, _ in points)])
        last = max([first, *(day for day, _ in points)])
        self.days = max(1, (last - self.begun).days)
        self.ticks = ticks(max([target or 0, *(n for _, n in points)]))
        self.left = 16 + int(SMALL * len(numerals.count(self.ticks[-1])))

    def x(self, day: date) -> float:
        return round(self.left + (self.width - self.left - RIGHT) * (day - self.begun).days / self.days, 1)

    def y(self, n: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * n / self.ticks[-1], 1)

    def axes(self) -> None:
        end = self.width - RIGHT
        for n in self.ticks:
            colour = self.colours.grid if n else self.colours.zero
            self.add("line", x1=self.left, x2=end, y1=self.y(n), y2=self.y(n), stroke=colour)
            self.text(numerals.count(n), self.left - 8, self.y(n) + 4, "end")
        room = max(1, (end - self.left) // LABEL_APART)
        step = max(1, math.ceil(self.days / room))
        year = 0
        for day in (self.begun + timedelta(days=k) for k in range(0, self.days + 1, step)):
            anchor = "start" if not year else "end" if self.x(day) > end - LABEL_APART / 2 else "middle"
            self.text(_named(day, year), self.x(day), HEIGHT - 10, anchor)
            year = day.year

    def target(self, n: int) -> None:
        dashes = {"stroke-dasharray": "5 4"}
        y = self.y(n)
        self.add("line", x1=self.left, x2=self.width - RIGHT, y1=y, y2=y, stroke=self.colours.aside[0], **dashes)

    def line(self) -> None:
        """Draw the steps. Each release is a dot at the top of its step."""
        path, height = f"M{self.x(self.begun)} {self.y(0)}", 0
        for day, n in self.points:
            path += f"H{self.x(day)}V{self.y(n)}"
            height = n
        if height:
            style = {"fill": "none", "stroke-width": "2", "stroke-linejoin": "round"}
            self.add("path", d=path, stroke=self.colours.accent, **style)
        for day, n in self.points:
            fill = {"fill": self.colours.accent, "stroke": self.colours.card, "stroke-width": "1.6"}
            self.add("circle", cx=self.x(day), cy=self.y(n), r=5, **fill)


def _named(day: date, year: int) -> str:
    """Return a short date as the page's language writes it, without the year where that is known."""
    form = get_format("SHORT_DATE_FORMAT")
    return formatted(day, form.rstrip("Y ") if day.year == year else form)
