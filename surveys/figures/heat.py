"""Draw a table of shares: a larger share has a deeper colour, and each cell shows its number. The SVG is written
without matplotlib: rectangles and words need no axes."""

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from typing import NamedTuple

from surveys.figures.labels import display_width, wrap
from surveys.figures.palette import blend
from surveys.figures.svg import FONTS, SVG, apart, clean
from surveys.figures.themes import THEMES

CELL, ROW, HEAD, MARGIN, LINE = 96, 54, 8, 12, 16
COLUMNS, LABEL_COLUMNS, LINES = 13, 24, 3
LETTER = 7.4  # pixels per column of a row's label


class HeatCell(NamedTuple):
    """The colour's `depth` is from 0 to 1. `mark` is 1 or -1 for a highlighted cell. An empty cell has no number."""

    number: str
    below: str
    depth: float
    mark: int


class Heat(NamedTuple):
    """`by_rows` and `by_columns` are the questions whose answers are the rows and the columns."""

    title: str
    by_rows: str
    by_columns: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[HeatCell]]


MARKS = {1: "\N{BLACK UP-POINTING TRIANGLE}", -1: "\N{BLACK DOWN-POINTING TRIANGLE}", 0: ""}


def size(heat: Heat) -> tuple[int, int]:
    """Return width and height in pixels."""
    return _left(heat) + CELL * len(heat.columns) + MARGIN, _top(heat) + ROW * len(heat.rows) + MARGIN


def draw(heat: Heat, theme: str) -> bytes:
    colours, (width, height), left, top = THEMES[theme], size(heat), _left(heat), _top(heat)
    root = ElementTree.Element("svg", xmlns=SVG, role="img", width=f"{width}", height=f"{height}")
    root.attrib |= {"viewBox": f"0 0 {width} {height}", "font-family": FONTS}
    ElementTree.SubElement(root, "title").text = clean(heat.title)
    _box(root, 0, 0, width, height, colours.card)
    for i, line in enumerate(_over(heat)):
        _text(root, line, left + 4, MARGIN + LINE * (i + 0.75), colours.ink, 13, "start", "600")
    title = wrap(heat.by_rows, LABEL_COLUMNS, LINES)
    for i, line in enumerate(title):
        y = top - HEAD - LINE * (len(title) - 1 - i)
        _text(root, line, left - 10, y, colours.ink, 13, "end", "600")
    for k, label in enumerate(heat.columns):
        lines = wrap(label, COLUMNS, LINES)
        for i, line in enumerate(lines):
            y = top - HEAD - LINE * (len(lines) - 1 - i)
            _text(root, line, left + CELL * (k + 0.5), y, colours.quiet, 12)
    for j, label in enumerate(heat.rows):
        lines, middle = wrap(label, LABEL_COLUMNS, LINES), top + ROW * (j + 0.5)
        for i, line in enumerate(lines):
            place = middle + 4 + LINE * (i - (len(lines) - 1) / 2)
            _text(root, line, left - 10, place, colours.ink, 13, "end")
        for k, cell in enumerate(heat.cells[j]):
            _cell(root, cell, left + CELL * k, top + ROW * j, theme)
    svg: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return svg


def _over(heat: Heat) -> list[str]:
    """Return the lines with the columns' question, above the columns."""
    return wrap(heat.by_columns, int(CELL * len(heat.columns) / LETTER), LINES)


def _top(heat: Heat) -> int:
    labels = max(len(wrap(label, COLUMNS, LINES)) for label in heat.columns)
    lines = max(len(_over(heat)) + labels, len(wrap(heat.by_rows, LABEL_COLUMNS, LINES)))
    return 2 * HEAD + MARGIN + LINE * lines


def _left(heat: Heat) -> int:
    lines = [line for label in (heat.by_rows, *heat.rows) for line in wrap(label, LABEL_COLUMNS, LINES)]
    return MARGIN + 10 + math.ceil(1.1 * LETTER * max(map(display_width, lines)))


def _cell(root: ElementTree.Element, cell: HeatCell, x: float, y: float, theme: str) -> None:
    colours = THEMES[theme]
    fill = blend(colours.card, colours.band, cell.depth) if cell.number else colours.card
    _box(root, x + 1, y + 1, CELL - 2, ROW - 2, fill, colours.ink if cell.mark else colours.grid, 2 if cell.mark else 1)
    if not cell.number:
        _text(root, "–", x + CELL / 2, y + ROW / 2 + 4, colours.quiet, 13)
        return
    _text(root, f"{cell.number} {MARKS[cell.mark]}".rstrip(), x + CELL / 2, y + 22, colours.ink, 15, weight="600")
    _text(root, cell.below, x + CELL / 2, y + 41, colours.ink, 12)


def _box(
    root: ElementTree.Element,
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    line: str = "",
    weight: int = 0,
) -> None:
    places = {"x": x, "y": y, "width": width, "height": height}
    box = ElementTree.SubElement(root, "rect", {name: f"{value:g}" for name, value in places.items()}, fill=fill)
    if weight:
        box.attrib |= {"stroke": line, "stroke-width": f"{weight}"}


def _text(
    root: ElementTree.Element,
    text: str,
    x: float,
    y: float,
    colour: str,
    size: int,
    anchor: str = "middle",
    weight: str = "400",
) -> None:
    about = {"x": f"{x:g}", "y": f"{y:g}", "fill": colour, "font-size": f"{size}", "text-anchor": anchor}
    ElementTree.SubElement(root, "text", about | {"font-weight": weight}).text = apart(clean(text))
