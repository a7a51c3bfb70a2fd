"""Draw shares as dots with intervals, one row per option."""

from matplotlib.axes import Axes

from surveys.figures import numerals
from surveys.figures.display import Result, is_estimated
from surveys.figures.drawing import Canvas, band, extent, percent_axis, shares_legend, whisker
from surveys.figures.layout import AXIS, GAP, LEGEND, LINE, Rows
from surveys.figures.targets import targeted, whose_share

REACH = 10  # pixels of a narrow plot's grid above and below an interval


def draw(canvas: Canvas, result: Result) -> None:
    plan, colours, method = canvas.plan, canvas.colours, result["methods"][0]
    assert isinstance(plan, Rows)
    axes = canvas.axes(canvas.top, AXIS)
    axes.set_ylim(plan.height - AXIS, canvas.top)
    axes.set_xlim(*extent(method["categories"]))
    percent_axis(axes, "x", colours, 7 if plan.beside else 5)
    axes.axvline(0, color=colours.zero, linewidth=1.2, zorder=1)
    axes.set_xlabel(whose_share(result), color=colours.quiet, fontsize=12, labelpad=5)
    decimals = numerals.decimals_of(method)
    for index, category in enumerate(method["categories"]):
        shades, place = canvas.shades(result, index), plan.centres[index]
        band(axes, category, place, shades, upright=False)
        whisker(axes, canvas, category, place, shades[0], 100)
        row_label(canvas, plan, index)
        end = _across(axes, plan, 100 * max(category["estimate"], targeted(category)["simultaneous"][1]))
        value = numerals.percentage(numerals.share(category["estimate"], decimals))
        if is_estimated(category):
            canvas.text(value, end + GAP, plan.centres[index] + 5, colours.ink)
    shares_legend(canvas, result, (colours.accent, 1.6), (colours.band, 8))


def _across(axes: Axes, plan: Rows, value: float) -> float:
    """Return the place of an axis value, in pixels from the left."""
    low, high = axes.get_xlim()
    return plan.left + (value - low) / (high - low) * (plan.width - plan.left - plan.right)


def row_label(canvas: Canvas, plan: Rows, index: int) -> None:
    """Draw a row's label: left of its interval, or above it in a narrow plot."""
    lines, top = plan.labels[index], plan.label_tops[index]
    if not plan.beside:
        _clear(canvas, plan, index)
    x, ha = (plan.left - 14, "right") if plan.beside else (plan.left, "left")
    for row, line in enumerate(lines):
        canvas.text(line, x, top + 13 + LINE * row, canvas.colours.ink, ha=ha)


def _clear(canvas: Canvas, plan: Rows, index: int) -> None:
    """Interrupt the grid for the words between two intervals."""
    above = plan.centres[index - 1] + REACH if index else LEGEND["narrow"]
    below = plan.label_tops[index] + LINE * len(plan.labels[index])
    canvas.box(0, above, plan.width, below - above, canvas.colours.card)
