"""Tools for every picture of estimates: a canvas in pixels from the top, axes, and the marks of a category.

The module uses only matplotlib's object API, because pyplot keeps global state. The import takes half a second, so only
a request for a plot should import it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import gettext as _
from matplotlib.axes import Axes
from matplotlib.figure import FigureBase
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from surveys.figures import numerals
from surveys.figures.display import Category, Result, has_estimates, is_estimated
from surveys.figures.layout import LEGEND, SMALL, Plan, aside
from surveys.figures.scale import Scale
from surveys.figures.svg import clean
from surveys.figures.targets import targeted
from surveys.figures.themes import Theme

Key = tuple[str, str, float]  # text, colour, and line width in points; 0 for a dot

LEGEND_STOP = 108


@dataclass(frozen=True)
class Canvas:
    figure: FigureBase
    plan: Plan
    colours: Theme
    width: str  # one of WIDTHS
    level: str  # the confidence in percent
    scale: Scale

    @property
    def top(self) -> int:
        """Return the height where the legend ends."""
        return LEGEND[self.width]

    @property
    def room(self) -> int:
        return self.plan.width - self.plan.left - self.plan.right

    def text(
        self, text: str, x: float, y: float, colour: str, ha: str = "left", size: float = 13, rotation: float = 0
    ) -> None:
        """Draw `text` with its baseline at y pixels from the top, rotated about its start by `rotation` degrees."""
        across, up = x / self.plan.width, 1 - y / self.plan.height
        turned = self.figure.text(across, up, clean(text), color=colour, ha=ha, va="baseline", fontsize=size)
        turned.set(rotation=rotation, rotation_mode="anchor")

    def line(self, x: list[float], y: list[float], colour: str, **style: Any) -> None:
        xs, ys = [u / self.plan.width for u in x], [1 - v / self.plan.height for v in y]
        self.figure.add_artist(Line2D(xs, ys, color=colour, solid_capstyle="butt", **style))

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Draw a filled rectangle whose upper left corner is x, y, in pixels from the upper left."""
        corner = x / self.plan.width, 1 - (y + height) / self.plan.height
        size = width / self.plan.width, height / self.plan.height
        self.figure.add_artist(Rectangle(corner, *size, facecolor=colour, linewidth=0))

    def axes(self, top: float, bottom: float) -> Axes:
        plan, height = self.plan, self.plan.height - top - bottom
        box = plan.left / plan.width, bottom / plan.height, self.room / plan.width, height / plan.height
        axes = self.figure.add_axes(box, facecolor="none")
        axes.set_axisbelow(True)
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
        return axes

    def shades(self, result: Result, index: int) -> tuple[str, str, str]:
        """Return the colours of a category's whisker, band and bar."""
        colours = self.colours
        return colours.aside if index == aside(result) else (colours.accent, colours.band, colours.bar)


def percent_axis(axes: Axes, which: Literal["x", "y"], colours: Theme, ticks: int) -> None:
    number_axis(axes, which, colours, ticks, lambda value: numerals.percentage(numerals.local(f"{value:g}")))


def number_axis(axes: Axes, which: Literal["x", "y"], colours: Theme, ticks: int, text: Callable[[float], str]) -> None:
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: text(value)))
    axis.set_tick_params(length=0, labelcolor=colours.quiet, labelsize=12, pad=6)
    axes.grid(axis=which, color=colours.grid, linewidth=1)


def extent(categories: list[Category]) -> tuple[float, float]:
    """Return the range of the axis in percent: 0, every interval, every estimate even if impossible, and a margin."""
    values = [0.0]
    for category in categories:
        values += [100 * category["estimate"], *(100 * end for end in targeted(category)["simultaneous"])]
    return with_air(min(values), max(values))


def with_air(low: float, high: float) -> tuple[float, float]:
    air = 0.03 * (high - low) or 1.0
    return low - air, high + air


def whisker(
    axes: Axes, canvas: Canvas, category: Category, place: float, accent: str, times: float, upright: bool = False
) -> None:
    """Draw a line with ends for all categories together and the estimate, if there is one: a dot, hollow if it cannot
    be true. `times` turns them into numbers of the axis."""
    card = canvas.colours.card
    ends = {"marker": "_" if upright else "|", "markersize": 8, "markeredgewidth": 1.6}
    together = [times * end for end in targeted(category)["simultaneous"]]
    _put(axes, together, place, upright, color=accent, linewidth=1.6, zorder=5, **ends)
    face, edge = (accent, card) if canvas.scale.possible(category) else (card, accent)
    dot = {"marker": "o", "markeredgecolor": edge, "markersize": 10, "markeredgewidth": 1.6}
    if is_estimated(category):
        _put(axes, [times * category["estimate"]], place, upright, color=face, zorder=6, **dot)


def band(axes: Axes, category: Category, place: float, shades: Sequence[str], upright: bool) -> None:
    """Draw the interval of this category alone, behind the simultaneous one."""
    alone = [100 * end for end in targeted(category)["interval"]]
    _put(axes, alone, place, upright, color=shades[1], linewidth=8, solid_capstyle="butt", zorder=4)


def _put(axes: Axes, along: list[float], place: float, upright: bool, **style: Any) -> None:
    across = [place] * len(along)
    axes.plot(*((across, along) if upright else (along, across)), **style)


def legend(canvas: Canvas, keys: Sequence[Key], below: str = "") -> None:
    """Draw the legend of dot, line and band. In a narrow plot, the key `below` starts a second line."""
    narrow = canvas.width == "narrow"
    x, y = 16.0, 16
    for text, colour, weight in keys:
        if narrow and text == below:
            x, y = LEGEND_STOP, 34
        if weight:
            canvas.line([x, x + 22], [y - 4, y - 4], colour, linewidth=weight)
        else:
            canvas.line([x + 5], [y - 4], colour, marker="o", markersize=9, markeredgewidth=0)
        x += 29 if weight else 17
        canvas.text(text, x, y, canvas.colours.quiet, size=12)
        x = max(x + len(text) * SMALL + 16, LEGEND_STOP if narrow else 0)


def shares_legend(
    canvas: Canvas, result: Result, together: tuple[str, float], alone: tuple[str, float], dot: float = 0
) -> None:
    """The legend of shares: the colours and weights of both intervals, and the weight of the estimate's line."""
    level = {"level": canvas.level}
    all_at_once, one_alone = _("%(level)s interval, all at once") % level, _("%(level)s interval, one alone") % level
    estimate = [(_("estimate"), canvas.colours.accent, dot)] if has_estimates(result) else []
    keys = (*estimate, (all_at_once, *together), (one_alone, *alone))
    legend(canvas, keys, below=one_alone)
