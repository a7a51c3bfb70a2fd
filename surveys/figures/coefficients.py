"""Draw estimates with intervals in rows, one below the other, beside a line at 0. Sizes are known without drawing.
Drawing imports matplotlib."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from surveys.figures.labels import wrap
from surveys.figures.layout import SMALL, WIDTHS
from surveys.figures.themes import THEMES

ROW, LINE = 30, 17
TOP, BOTTOM, SIDE = 14, 44, 16
LABEL_LINES = 4


class CoefficientLine(NamedTuple):
    """A row of a table and of its picture: numbers to draw, and their texts. An end without a limit is infinite. `more`
    are the texts of additional columns."""

    name: str
    estimate: float
    low: float
    high: float
    estimate_text: str
    interval_text: str
    more: tuple[str, ...] = ()


def size(lines: Sequence[CoefficientLine], width: str) -> tuple[int, int]:
    """Return width and height in pixels. `width` is one of WIDTHS."""
    return WIDTHS[width], TOP + BOTTOM + sum(ROW + LINE * len(_label(line, WIDTHS[width])) for line in lines)


def _label(line: CoefficientLine, width: int) -> list[str]:
    return wrap(line.name, int((width - 2 * SIDE) / SMALL), LABEL_LINES)


def draw(lines: Sequence[CoefficientLine], title: str, axis: str, look: tuple[str, str], format: str = "svg") -> bytes:
    """Return the picture as "svg", "png" or "pdf". `axis` names the numbers; `look` is a theme and one of WIDTHS."""
    from matplotlib.figure import Figure

    from surveys.figures.picture import picture

    theme, kind = look
    width, height = size(lines, kind)
    colours = THEMES[theme]

    def paint(figure: Figure) -> None:
        _paint(figure, lines, axis, theme, (width, height))

    return picture(width, height, colours.card, title, paint, format)


def _paint(figure: object, lines: Sequence[CoefficientLine], axis: str, theme: str, pixels: tuple[int, int]) -> None:
    from matplotlib.figure import Figure

    from surveys.figures import numerals
    from surveys.figures.drawing import number_axis, with_air
    from surveys.figures.svg import clean

    assert isinstance(figure, Figure)
    colours, (width, height) = THEMES[theme], pixels
    room = height - TOP - BOTTOM
    axes = figure.add_axes((SIDE / width, BOTTOM / height, 1 - 2 * SIDE / width, room / height), facecolor="none")
    axes.set(yticks=[], ylim=(room, 0), axisbelow=True)
    axes.spines[:].set_visible(False)
    ends = [0.0, *(end for line in lines for end in (line.low, line.estimate, line.high) if math.isfinite(end))]
    least, most = with_air(min(ends), max(ends))
    axes.set_xlim(least, most)
    number_axis(axes, "x", colours, width // 75, numerals.tick)
    axes.set_xlabel(clean(axis), color=colours.quiet, fontsize=12)
    down = 0
    for line in lines:
        for text in _label(line, width):
            down += LINE
            figure.text(SIDE / width, 1 - (TOP + down - 3) / height, clean(text), color=colours.ink, fontsize=12)
        axes.plot([0, 0], [down + 2, down + ROW - 6], color=colours.zero, linewidth=1.4)  # the line skips labels
        y = down + ROW / 2 - 2
        style = {"color": colours.accent, "linewidth": 1.8, "markersize": 9, "markeredgewidth": 1.6, "clip_on": False}
        for end, edge, arrow in ((line.low, least, "<"), (line.high, most, ">")):
            at, marker = (end, "|") if math.isfinite(end) else (edge, arrow)
            axes.plot([line.estimate, at], [y, y], marker=marker, markevery=[1], **style)  # type: ignore[arg-type]
        dot = {"marker": "o", "markeredgecolor": colours.card, "markersize": 9, "markeredgewidth": 1.6}
        axes.plot([line.estimate], [y], color=colours.accent, **dot)  # type: ignore[arg-type]
        down += ROW
