"""A part of a figure for texts, lines and axes, in pixels. It loads matplotlib."""

from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from surveys.figures.palette import colour
from surveys.figures.svg import clean
from surveys.figures.themes import THEMES, Theme
from surveys.public.lab.curves.charts import Role
from surveys.public.lab.layout import BOTTOM, RIGHT


@dataclass(frozen=True)
class Panel:
    """A part of a figure, in pixels from its top left corner."""

    figure: Figure
    whole: tuple[int, int]
    at: tuple[int, int]
    box: tuple[int, int]
    theme: str  # one of THEMES
    size: str  # one of WIDTHS

    @property
    def colours(self) -> Theme:
        return THEMES[self.theme]

    def curve(self, role: Role) -> str:
        """Return the colour of a curve. Dashes and the legend's order help if colours do not."""
        return colour(f"curve-{role}", self.theme)

    @property
    def width(self) -> int:
        return self.box[0]

    @property
    def height(self) -> int:
        return self.box[1]

    def _x(self, x: float) -> float:
        return (self.at[0] + x) / self.whole[0]

    def _y(self, y: float) -> float:
        return 1 - (self.at[1] + y) / self.whole[1]

    def text(self, text: str, x: float, y: float, colour: str, ha: str = "left", size: float = 12) -> None:
        """Draw `text` with its baseline at y pixels from the top."""
        self.figure.text(self._x(x), self._y(y), clean(text), color=colour, ha=ha, va="baseline", fontsize=size)

    def line(self, x: tuple[float, ...], y: tuple[float, ...], colour: str, **style: Any) -> None:
        xs, ys = [self._x(u) for u in x], [self._y(v) for v in y]
        self.figure.add_artist(Line2D(xs, ys, color=colour, solid_capstyle="butt", **style))

    def axes(self, left: float, top: float) -> Axes:
        """Return axes between these margins and the usual ones on the right and at the bottom."""
        right, bottom = self.width - RIGHT[self.size], self.height - BOTTOM
        x, y = self._x(left), self._y(bottom)
        axes = self.figure.add_axes((x, y, self._x(right) - x, self._y(top) - y), facecolor="none")
        axes.set_axisbelow(True)
        axes.spines[:].set_visible(False)
        return axes
