"""Draw answers over the waves of a survey: a field for each, with estimate and interval in every wave, on one scale.
Sizes are known without drawing. Drawing imports matplotlib."""

from collections.abc import Sequence
from typing import NamedTuple

from surveys.figures.labels import wrap
from surveys.figures.layout import CHARACTER, SMALL, WIDTHS
from surveys.figures.themes import THEMES, Theme

SIDE, GAP, LINE = 16, 20, 17
HEAD_LINE, FOOT_LINE = 22, 16
FIELD, AXIS = 110, 26  # heights of the marks and of the waves' numbers
TICKS = 52  # pixels for numbers beside a field
LABEL_LINES = 3


class Mark(NamedTuple):
    """A wave, by its place from 1 among all waves. Numbers are on the drawn scale: shares in percent."""

    wave: int
    estimate: float
    low: float
    high: float


class WavesField(NamedTuple):
    name: str
    marks: tuple[Mark, ...]


class WavesSheet(NamedTuple):
    """`foot` names the waves and explains the intervals. `unit` follows the scale's numbers."""

    title: str
    fields: tuple[WavesField, ...]
    waves: int
    unit: str
    foot: tuple[str, ...]


class WavesLayout(NamedTuple):
    """Places and sizes, in pixels from the top left."""

    width: int
    height: int
    columns: int
    head: list[str]
    labels: list[list[str]]
    foot: list[str]

    @property
    def top(self) -> int:
        return HEAD_LINE * len(self.head) + SIDE

    @property
    def label(self) -> int:
        return LINE * max(map(len, self.labels))

    @property
    def row(self) -> int:
        return self.label + FIELD + AXIS + GAP

    @property
    def across(self) -> float:
        """Return the width of a field with the numbers of its scale."""
        return (self.width - 2 * SIDE - GAP * (self.columns - 1)) / self.columns

    def corner(self, place: int) -> tuple[float, float]:
        row, column = divmod(place, self.columns)
        return SIDE + column * (self.across + GAP), self.top + row * self.row


def plan(sheet: WavesSheet, width: str) -> WavesLayout:
    """Return the layout. `width` is one of WIDTHS: a narrow picture has one column."""
    pixels = WIDTHS[width]
    columns = 2 if width == "wide" and len(sheet.fields) > 1 else 1
    layout = WavesLayout(pixels, 0, columns, _wrapped(sheet.title, pixels - 2 * SIDE, 1.2 * CHARACTER), [], [])
    labels = [_wrapped(field.name, layout.across, CHARACTER) for field in sheet.fields]
    foot = [line for text in sheet.foot for line in _wrapped(text, pixels - 2 * SIDE, SMALL)]
    layout = layout._replace(labels=labels, foot=foot)
    rows = -(-len(labels) // columns)
    return layout._replace(height=layout.top + rows * layout.row + FOOT_LINE * len(foot) + SIDE // 2)


def _wrapped(text: str, pixels: float, character: float) -> list[str]:
    return wrap(text, int(pixels / character), LABEL_LINES)


def draw(sheet: WavesSheet, theme: str, width: str, format: str) -> bytes:
    """Return the picture as "svg", "png" or "pdf"."""
    from matplotlib.figure import Figure

    from surveys.figures.picture import picture

    own, colours = plan(sheet, width), THEMES[theme]

    def paint(figure: Figure) -> None:
        _paint(figure, sheet, own, colours)

    return picture(own.width, own.height, colours.card, sheet.title, paint, format)


def _paint(figure: object, sheet: WavesSheet, own: WavesLayout, colours: Theme) -> None:
    from matplotlib.figure import Figure

    from surveys.figures.svg import clean

    assert isinstance(figure, Figure)

    def lines(texts: Sequence[str], left: float, top: float, line: int, style: tuple[str, float]) -> None:
        for text in texts:
            top += line
            figure.text(left / own.width, 1 - (top - 4) / own.height, clean(text), color=style[0], fontsize=style[1])

    lines(own.head, SIDE, SIDE / 2, HEAD_LINE, (colours.ink, 16))
    for place, (field, label) in enumerate(zip(sheet.fields, own.labels, strict=True)):
        left, top = own.corner(place)
        lines(label, left, top, LINE, (colours.ink, 13))
        box = (left + TICKS, top + own.label + 6, own.across - TICKS, FIELD)
        _field(figure, box, sheet, field, colours)
    lines(own.foot, SIDE, own.height - SIDE / 2 - FOOT_LINE * len(own.foot), FOOT_LINE, (colours.quiet, 11))


def _field(
    figure: object, box: tuple[float, float, float, float], sheet: WavesSheet, field: WavesField, colours: Theme
) -> None:
    """Draw the waves' marks and a line through the estimates. The newest mark is highlighted."""
    from matplotlib.figure import Figure

    from surveys.figures import numerals
    from surveys.figures.drawing import number_axis, with_air

    assert isinstance(figure, Figure)
    (wide, high), (left, top, width, height) = figure.get_size_inches() * 72, box
    axes = figure.add_axes((left / wide, 1 - (top + height) / high, width / wide, height / high), facecolor="none")
    axes.spines[:].set_visible(False)
    axes.set_axisbelow(True)
    axes.set(xlim=(0.5, sheet.waves + 0.5), xticks=range(1, sheet.waves + 1))
    axes.set_ylim(*with_air(*_ends(sheet)))
    number_axis(axes, "y", colours, 4, lambda value: numerals.tick(value) + sheet.unit)
    axes.set_xticklabels([numerals.integer(wave) for wave in range(1, sheet.waves + 1)])
    axes.xaxis.set_tick_params(length=0, labelcolor=colours.quiet, labelsize=12, pad=6)
    places, estimates = [mark.wave for mark in field.marks], [mark.estimate for mark in field.marks]
    axes.plot(places, estimates, color=colours.aside[0], linewidth=1)
    for mark in field.marks:
        colour = colours.accent if mark is field.marks[-1] else colours.aside[0]
        ends = {"color": colour, "linewidth": 1.8, "marker": "_", "markersize": 12, "markeredgewidth": 1.8}
        axes.plot([mark.wave] * 2, [mark.low, mark.high], **ends)  # type: ignore[arg-type]
        dot = {"marker": "o", "markeredgecolor": colours.card, "markersize": 6.5, "clip_on": False}
        axes.plot([mark.wave], [mark.estimate], color=colour, **dot)  # type: ignore[arg-type]


def _ends(sheet: WavesSheet) -> tuple[float, float]:
    """Return the smallest and the largest drawn number."""
    marks = [mark for field in sheet.fields for mark in field.marks]
    return min(min(mark[1:]) for mark in marks), max(max(mark[1:]) for mark in marks)
