"""Shares as a histogram: a bar and an interval per bin or step of a scale, and "Prefer not to say" apart."""

from django.utils.translation import gettext as _
from matplotlib.axes import Axes

from surveys.figures.display import Category, Result, is_estimated
from surveys.figures.drawing import Canvas, band, extent, percent_axis, shares_legend, whisker
from surveys.figures.labels import display_width, wrap
from surveys.figures.layout import NAME_LINE, SMALL, Bins
from surveys.figures.targets import targeted, whose_share

HEAD = 26


def draw(canvas: Canvas, result: Result) -> None:
    plan, colours, categories = canvas.plan, canvas.colours, result["methods"][0]["categories"]
    assert isinstance(plan, Bins)
    axes = canvas.axes(canvas.top + HEAD, plan.foot)
    axes.set_xlim(0, canvas.room / plan.slot)
    axes.set_ylim(*extent(categories))
    percent_axis(axes, "y", colours, 6)
    axes.axhline(0, color=colours.zero, linewidth=1.2, zorder=3)
    canvas.text(whose_share(result), 8, canvas.top + 14, colours.quiet, size=12)
    _bars(axes, canvas, plan, result)
    _labels(canvas, plan, result)
    if plan.dense:
        shares_legend(canvas, result, (colours.bar, 11), (colours.band, 11), 1.8)
    else:
        shares_legend(canvas, result, (colours.accent, 1.6), (colours.band, 8))


def _bars(axes: Axes, canvas: Canvas, plan: Bins, result: Result) -> None:
    categories, number = result["methods"][0]["categories"], plan.number
    if plan.dense:
        _stairs(axes, canvas, categories[:number])
    for index, category in enumerate(categories):
        if not plan.dense or index == number:
            shades, place = canvas.shades(result, index), plan.centres[index]
            room = max(1.0, 26 / plan.slot) if index == number else 1.0
            if is_estimated(category):
                axes.bar(place, 100 * category["estimate"], room - 1.5 / plan.slot, color=shades[2], zorder=2)
            band(axes, category, place, shades, upright=True)
            whisker(axes, canvas, category, place, shades[0], 100, upright=True)


def _stairs(axes: Axes, canvas: Canvas, categories: list[Category]) -> None:
    """Draw both intervals and the estimates of many bins as steps."""
    numbers = [targeted(category) for category in categories]
    together, alone = [each["simultaneous"] for each in numbers], [each["interval"] for each in numbers]
    for ends, colour in ((together, canvas.colours.bar), (alone, canvas.colours.band)):
        low, high = ([100 * end for end in side] for side in zip(*ends, strict=True))
        axes.stairs(high, baseline=low, fill=True, color=colour, zorder=2)
    if not all(map(is_estimated, categories)):
        return
    estimates = [100 * category["estimate"] for category in categories]
    axes.stairs(estimates, baseline=None, color=canvas.colours.accent, linewidth=1.8, zorder=4)


def _labels(canvas: Canvas, plan: Bins, result: Result) -> None:
    base, quiet, number = plan.height - plan.foot, canvas.colours.quiet, plan.number
    for place, lines in plan.ticks:
        x = plan.left + place * plan.slot
        if plan.turned:
            canvas.text(lines[0], x + 4, base + 8, quiet, ha="right", size=12, rotation=90)
        else:
            for row, line in enumerate(lines):
                canvas.text(line, x, base + 20 + NAME_LINE * row, quiet, ha="center", size=12)
    unit = result.get("unit") or ""  # a scale of options has no unit
    if not plan.to_scale:
        unit = (_("%(unit)s (not to scale: the bins differ in width)") % {"unit": unit}).lstrip()
    half = SMALL * display_width(unit) / 2
    middle = min(plan.left + number * plan.slot / 2, plan.width - half)  # in a narrow picture, within its edges
    canvas.text(unit, max(middle, half), plan.height - 12, quiet, ha="center", size=12)
    if result["prefer_not_to_say"]:
        x = plan.left + plan.centres[-1] * plan.slot
        for row, line in enumerate(wrap(result["options"][-1], 10, 3)):
            canvas.text(line, x, base + 20 + NAME_LINE * row, quiet, ha="center", size=12)
