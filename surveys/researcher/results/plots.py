"""Draw a question's estimates. The bytes depend only on the arguments and the language. The module loads matplotlib,
which takes half a second. So only a request for a plot should import it."""

from django.utils.translation import get_language_bidi
from matplotlib.figure import Figure, FigureBase

from surveys.figures import bins, cells, number_line, numerals, rows
from surveys.figures.display import Result
from surveys.figures.drawing import Canvas
from surveys.figures.labels import from_right, led, wrap
from surveys.figures.layout import CHARACTER, SMALL, Bins, Cells, NumberLine, Rows
from surveys.figures.picture import picture
from surveys.figures.svg import clean
from surveys.figures.themes import THEMES
from surveys.survey import kinds

MARGIN, TITLE_LINE, FOOT_LINE, TITLE_LINES = 16, 22, 16, 4
PAINTED = {Rows: rows.draw, NumberLine: number_line.draw, Bins: bins.draw, Cells: cells.draw}  # by the plan


def draw(result: Result, confidence: float, theme: str, width: str) -> bytes:
    """Return the plot of a question, as the page shows it.

    The plot shows the first method and the selected target (selection.py), by default the population. `theme` is one of
    THEMES, `width` one of WIDTHS. Each category has its estimate, its simultaneous interval, and behind it the shorter
    interval for it alone. A mean has one interval.
    """
    plan = kinds.of(result).layout(result, width)
    paper = THEMES[theme].card
    return picture(
        plan.width, plan.height, paper, result["text"], lambda figure: _paint(figure, result, confidence, theme, width)
    )


def alone(result: Result, confidence: float, theme: str, width: str, foot: str, format: str) -> bytes:
    """Return a plot for use outside the page: the question above it, its source below. `form` is one of TYPES."""
    plan, colours = kinds.of(result).layout(result, width), THEMES[theme]
    head = wrap(result["text"], int((plan.width - 2 * MARGIN) / (1.2 * CHARACTER)), TITLE_LINES)
    below = wrap(led(foot, get_language_bidi()), int((plan.width - 2 * MARGIN) / SMALL), TITLE_LINES)
    top, bottom = TITLE_LINE * len(head) + MARGIN, FOOT_LINE * len(below) + MARGIN
    height = top + plan.height + bottom

    def paint(figure: Figure) -> None:
        _lines(figure, head, MARGIN + 10, TITLE_LINE, colours.ink, 16)
        _lines(figure, below, height - bottom + 12, FOOT_LINE, colours.quiet, 11)
        parts = figure.add_gridspec(3, 1, height_ratios=[top, plan.height, bottom], hspace=0)
        middle = figure.add_subfigure(parts[1, 0], facecolor="none")
        _paint(middle, result, confidence, theme, width)

    return picture(plan.width, height, colours.card, result["text"], paint, format)


def _lines(figure: Figure, lines: list[str], first: float, step: float, colour: str, size: float) -> None:
    """Draw lines one below the other, aligned to the side where their script begins. The first baseline is `first`
    pixels from the top, the next ones `step` pixels apart."""
    width, height = 72 * figure.get_figwidth(), 72 * figure.get_figheight()
    x, side = (1 - MARGIN / width, "right") if from_right(lines[0]) else (MARGIN / width, "left")
    for row, line in enumerate(lines):
        y = 1 - (first + step * row) / height
        figure.text(x, y, clean(line), color=colour, fontsize=size, ha=side, va="baseline")


def _paint(figure: FigureBase, result: Result, confidence: float, theme: str, width: str) -> None:
    kind = kinds.of(result)
    plan, level = kind.layout(result, width), numerals.level(confidence)
    PAINTED[type(plan)](Canvas(figure, plan, THEMES[theme], width, level, kind.scale(result)), result)
