"""Draw a mean with its interval on the whole range of answers, to show its position and its precision at a glance."""

from django.utils.translation import gettext as _
from matplotlib.axes import Axes

from surveys.figures import numerals
from surveys.figures.display import Result, has_estimates
from surveys.figures.drawing import Canvas, legend, number_axis, whisker, with_air
from surveys.figures.labels import display_width
from surveys.figures.layout import AXIS, SMALL, Rows, mean_and_places
from surveys.figures.rows import row_label
from surveys.figures.svg import clean
from surveys.figures.targets import whose_mean


def draw(canvas: Canvas, result: Result) -> None:
    plan, colours, category = canvas.plan, canvas.colours, result["methods"][0]["categories"][0]
    assert isinstance(plan, Rows)
    axes = canvas.axes(canvas.top, AXIS)
    axes.set_ylim(plan.height - AXIS, canvas.top)
    _axis(axes, canvas, result, category["estimate"])
    ends = [canvas.scale.low, canvas.scale.high]
    axes.plot(ends, [plan.centres[0]] * 2, color=colours.bar, linewidth=8, solid_capstyle="butt", zorder=2)
    canvas.text(
        _title(canvas, result), plan.left + canvas.room / 2, plan.height - 10, colours.quiet, ha="center", size=12
    )
    whisker(axes, canvas, category, plan.centres[0], canvas.shades(result, 0)[0], 1)
    row_label(canvas, plan, 0)
    edge, baseline = (8, plan.centres[0] + 5) if plan.beside else (16, plan.label_tops[0] + 13)
    if has_estimates(result):
        canvas.text(numerals.number(*mean_and_places(result)), plan.width - edge, baseline, colours.ink, ha="right")
    interval, accent = _("%(level)s interval") % {"level": canvas.level}, colours.accent
    estimate = [(_("estimate"), accent, 0)] if has_estimates(result) else []
    legend(canvas, (*estimate, (interval, accent, 1.6), (_("scale"), colours.bar, 8)))


def _axis(axes: Axes, canvas: Canvas, result: Result, estimate: float) -> None:
    scale, colours = canvas.scale, canvas.colours
    axes.set_xlim(*with_air(min(scale.low, estimate), max(scale.high, estimate)))
    label = max(len(result["low"]), len(result["high"])) + 1
    ticks = max(2, min(7, int(canvas.room / (SMALL * label + 24))))
    number_axis(axes, "x", colours, ticks, numerals.tick)


def _title(canvas: Canvas, result: Result) -> str:
    unit = clean(canvas.scale.unit)
    title = _("%(mean)s, in %(unit)s") % {"mean": whose_mean(result), "unit": unit} if unit else whose_mean(result)
    return title if display_width(title) * SMALL < canvas.plan.width - 16 else unit
