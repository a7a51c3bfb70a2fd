"""Draw a grid: for each item and option the estimated share, its interval below it, and a shade. The result of a whole
grid has `items`, their texts, and `parts`, their results."""

import math
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from surveys.figures import numerals
from surveys.figures.display import Result, has_estimates, is_estimated
from surveys.figures.labels import display_width, wrap
from surveys.figures.layout import CHARACTER, LEGEND, LINE, WIDTHS, Cells
from surveys.figures.palette import blend
from surveys.figures.sentences import high, low

if TYPE_CHECKING:
    from surveys.figures.drawing import Canvas

OPTIONS_MOST = 7  # the most options side by side in a narrow plot
SIDE, HEIGHT, GAP = 12, 44, 3
HEAD_LINE, HEAD_CHARACTER = 14, 6.2
HEAD_LINES, TURNED_LINES, TURNED_COLUMNS = 4, 3, 16
DEEPEST = 0.85  # the darkest shade, as a fraction of the way to the theme's colour: text on it is readable


def fits(result: Result) -> bool:
    return "parts" in result and len(result["options"]) <= OPTIONS_MOST


def layout(result: Result, width: str) -> Cells:
    beside, whole = width == "wide", WIDTHS[width]
    columns = int(((whole * 0.34 - 24) if beside else (whole - 2 * SIDE)) / CHARACTER)
    labels = tuple(tuple(wrap(text, columns, 3)) for text in result["items"])
    left = 24 + math.ceil(CHARACTER * max(display_width(line) for own in labels for line in own)) if beside else SIDE
    cell = (whole - left - SIDE) / len(result["options"])
    heads, head, turned = _heads_of(result["options"], int(cell / HEAD_CHARACTER))
    top = LEGEND[width] + head + 10
    label_tops, tops = [], []
    for lines in labels:
        text = LINE * len(lines)
        row = max(HEIGHT, text) if beside else HEIGHT
        label_tops.append(top + (row - text) / 2 if beside else top + 6)
        tops.append(top + (row - HEIGHT) / 2 if beside else top + 10 + text)
        top = (top + row + GAP) if beside else tops[-1] + HEIGHT + GAP
    return Cells(
        whole, round(top) + 12, left, SIDE, cell, heads, head, turned, labels, tuple(label_tops), tuple(tops), beside
    )


def _heads_of(options: list[str], columns: int) -> tuple[tuple[tuple[str, ...], ...], float, bool]:
    """Return the lines of each option, the largest height, and whether they are vertical, so that no word breaks."""
    if all(display_width(word) <= columns for text in options for word in text.split()):
        heads = tuple(tuple(wrap(text, columns, HEAD_LINES)) for text in options)
        return heads, HEAD_LINE * max(map(len, heads)), False
    heads = tuple(tuple(wrap(text, TURNED_COLUMNS, TURNED_LINES)) for text in options)
    return heads, HEAD_CHARACTER * max(display_width(line) for own in heads for line in own), True


def draw(canvas: "Canvas", result: Result) -> None:
    plan, colours = canvas.plan, canvas.colours
    assert isinstance(plan, Cells)
    _legend(canvas, all(map(has_estimates, result["parts"])))
    _heads(canvas, plan)
    categories = [part["methods"][0]["categories"] for part in result["parts"]]
    largest = max(category["estimate"] for item in categories for category in item)
    at, ha = (plan.left - 14, "right") if plan.beside else (SIDE, "left")
    for row, item in enumerate(categories):
        for line, text in enumerate(plan.labels[row]):
            canvas.text(text, at, plan.label_tops[row] + 13 + LINE * line, colours.ink, ha=ha)
        for column, category in enumerate(item):
            share = min(max(category["estimate"] / max(largest, 1e-9), 0.0), 1.0) if is_estimated(category) else 0.0
            x = plan.left + column * plan.cell
            canvas.box(x, plan.tops[row], plan.cell - GAP, HEIGHT, blend(colours.card, colours.band, DEEPEST * share))
            middle = x + (plan.cell - GAP) / 2
            percent = numerals.percentage(numerals.share(category["estimate"], 0))
            between = "–".join(numerals.outward(100 * low(category), 100 * high(category), 0))
            if is_estimated(category):
                canvas.text(percent, middle, plan.tops[row] + 19, colours.ink, ha="center", size=14)
            canvas.text(between, middle, plan.tops[row] + 36, colours.ink, ha="center", size=11)


def _legend(canvas: "Canvas", estimated: bool) -> None:
    lines = [_("%(level)s interval, all at once")]
    if estimated:
        lines = [_("estimated share of each answer,"), _("below it the %(level)s interval, all at once")]
    texts = [text % {"level": canvas.level} for text in lines]
    if canvas.width == "wide":
        texts = [" ".join(texts)]
    for row, text in enumerate(texts):
        canvas.text(text, 16, 16 + 18 * row, canvas.colours.quiet, size=12)


def _heads(canvas: "Canvas", plan: Cells) -> None:
    base = canvas.top + plan.head
    for column, lines in enumerate(plan.heads):
        middle = plan.left + column * plan.cell + (plan.cell - GAP) / 2
        for row, text in enumerate(lines):
            if plan.turned:
                x = middle + 4 + HEAD_LINE * (row - (len(lines) - 1) / 2)
                canvas.text(text, x, base, canvas.colours.quiet, size=11, rotation=90)
            else:
                y = base - HEAD_LINE * (len(lines) - 1 - row)
                canvas.text(text, middle, y, canvas.colours.quiet, ha="center", size=11)
