"""Draw a chart of the lab as SVG. It loads matplotlib: only a request for a picture should import this module."""

import math
from collections.abc import Sequence
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from surveys.figures import numerals
from surveys.figures.labels import display_width
from surveys.figures.layout import SMALL
from surveys.figures.picture import picture
from surveys.figures.themes import THEMES
from surveys.public.lab.curves.charts import Axis, Chart, IntervalSpans, Lines, Series
from surveys.public.lab.layout import LEFT, RIGHT, ROW, sizes
from surveys.public.lab.panel import Panel

KEY, BETWEEN, LEADING = 26, 18, 20  # the legend's sample, the space after a text, and the line height
HEADING = 30  # the heading of one of several panels
DASHES = (0, (5, 3))
MANY = 10.0  # the ratio of a logarithmic axis's ends from which only powers of ten have labels


def draw(chart: Chart, title: str, theme: str, width: str) -> bytes:
    """Return the chart as SVG. `theme` is one of THEMES, `width` of WIDTHS."""
    return draw_panels([("", chart)], title, theme, width)


def draw_panels(panels: Sequence[tuple[str, Chart]], title: str, theme: str = "light", width: str = "wide") -> bytes:
    """Return several charts with their headings, two side by side. A single chart needs no heading."""
    sizes_of = [sizes(chart, width) for _, chart in panels]
    across, down = sizes_of[0][0], max(height for _, height in sizes_of) + (HEADING if panels[0][0] else 0)
    columns = min(2, len(panels))
    whole = columns * across, -(-len(panels) // columns) * down
    colours = THEMES[theme]

    def paint(figure: Figure) -> None:
        for k, (heading, chart) in enumerate(panels):
            left, top = k % columns * across, k // columns * down
            if heading:
                panel = Panel(figure, whole, (left, top), (across, HEADING), theme, width)
                panel.text(heading, 16, 24, colours.ink, size=15)
                top += HEADING
            box = across, sizes_of[k][1]
            panel = Panel(figure, whole, (left, top), box, theme, width)
            if isinstance(chart, Lines):
                _lines(panel, chart)
            else:
                _spans(panel, chart)

    return picture(*whole, colours.card, title, paint)


# Lines ----------------------------------------------------------------------------------------------------------------


def _lines(panel: Panel, chart: Lines) -> None:
    top = _legend(panel, chart) + 44
    left = LEFT[panel.size]
    panel.text(chart.y.label, 16, top - 16, panel.colours.ink)
    axes = panel.axes(left, top)
    for series in chart.series:
        _plot(axes, panel, series)
    if chart.mark is not None:
        axes.axvline(chart.mark, color=panel.colours.zero, linewidth=1.2, zorder=1)
    xs = [x for series in chart.series for x in series.x]
    ys = [y for series in chart.series for y in series.y if math.isfinite(y)]
    room = panel.width - left - RIGHT[panel.size]
    _scale(axes, "x", chart.x, xs, panel, 7 if room > 350 else 4)
    _scale(axes, "y", chart.y, ys, panel, 6)
    panel.text(chart.x.label, left + room / 2, panel.height - 12, panel.colours.quiet, ha="center")


def _plot(axes: Axes, panel: Panel, series: Series) -> None:
    colour = panel.curve(series.role)
    style: dict[str, Any] = {"color": colour, "zorder": 3, "label": series.label}
    if series.style == "dots":
        axes.plot(series.x, series.y, linestyle="none", marker="o", markersize=5, markeredgewidth=0, **style)
        return
    drawn: dict[str, Any] = {"linewidth": 2.0, "linestyle": DASHES if series.dashed else "-"}
    if series.style == "steps":
        axes.step(series.x, series.y, where="mid", **drawn, **style)
    else:
        axes.plot(series.x, series.y, **drawn, **style)


def _scale(axes: Axes, which: Literal["x", "y"], axis: Axis, values: list[float], panel: Panel, ticks: int) -> None:
    low = axis.low if axis.low is not None else min(values)
    high = axis.high if axis.high is not None else max(values)
    if axis.log:
        air = (high / low) ** 0.03 if high > low else 2.0
        low, high = (low, high) if which == "x" and high > low else (low / air, high * air)
    elif axis.low is None or axis.high is None:
        air = 0.04 * (high - low) or abs(high) or 1.0
        low, high = (low if axis.low is not None else low - air), (high if axis.high is not None else high + air)
    its = axes.xaxis if which == "x" else axes.yaxis
    if axis.log:
        (axes.set_xscale if which == "x" else axes.set_yscale)("log")
        its.set_major_locator(FixedLocator(log_ticks(low, high, ticks)))
        its.set_minor_locator(NullLocator())
    else:
        its.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 2.5, 5, 10]))
    (axes.set_xlim if which == "x" else axes.set_ylim)(low, high)
    its.set_major_formatter(FuncFormatter(lambda value, _: tick(value, axis.unit)))
    its.set_tick_params(length=0, labelcolor=panel.colours.quiet, labelsize=12, pad=6)
    axes.grid(axis=which, color=panel.colours.grid, linewidth=1)


def log_ticks(low: float, high: float, most: int) -> list[float]:
    """Return powers of ten, as many as fit; also twice and five times them if they are few."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    step = max(1, -(-(last - first) // most))
    steps = (1, 2, 5) if high / low < 30 * MANY else (1,)
    ticks = [digit * 10.0**k for k in range(first, last + 1, step) for digit in steps]
    inside = [value for value in ticks if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]
    return inside if len(inside) <= most + 2 else [v for v in inside if f"{v:e}"[0] == "1"]


def tick(value: float, unit: str) -> str:
    """Return a number for an axis. Very large and small ones are powers of ten."""
    shown = 100 * value if unit == "%" else value
    if shown and not 1e-4 <= abs(shown) < 1e6:
        exponent = math.floor(math.log10(abs(shown)) + 1e-9)
        digit = round(shown / 10.0**exponent)
        power = "10" + str(exponent).replace("-", "⁻").translate(numerals.SUPERSCRIPT)
        return power if digit == 1 else f"{digit}·{power}"
    return numerals.percentage(numerals.tick(shown)) if unit == "%" else numerals.tick(shown)


def _legend(panel: Panel, chart: Lines) -> int:
    """Draw the keys one after another, in as many lines as needed. Return the end of the last line, in pixels."""
    keys: list[tuple[str, str, dict[str, Any]]] = []
    for series in chart.series:
        if series.label:
            keys.append((series.label, panel.curve(series.role), _sample(series)))
    if chart.mark is not None:
        keys.append((chart.mark_label, panel.colours.zero, {"linewidth": 1.2}))
    x, y = 16.0, 18
    for text, colour, style in keys:
        wide = KEY + display_width(text) * SMALL
        if x > 16 and x + wide > panel.width - 10:
            x, y = 16.0, y + LEADING
        dot = "marker" in style
        panel.line((x + 10,) if dot else (x, x + 20), (y - 4,) if dot else (y - 4, y - 4), colour, **style)
        panel.text(text, x + KEY, y, panel.colours.quiet)
        x += wide + BETWEEN
    return y


def _sample(series: Series) -> dict[str, Any]:
    if series.style == "dots":
        return {"marker": "o", "markersize": 6, "markeredgewidth": 0}
    return {"linewidth": 2.0, "linestyle": DASHES if series.dashed else "-"}


# Intervals ------------------------------------------------------------------------------------------------------------


def _spans(panel: Panel, chart: IntervalSpans) -> None:
    left, top = 16.0, 36.0
    axes = panel.axes(left, top)
    height = ROW * len(chart.rows)
    axes.set_ylim(height, 0)
    axes.yaxis.set_major_locator(NullLocator())
    ends = [end for row in chart.rows for end in (row.low, row.high)]
    room = panel.width - left - RIGHT[panel.size]
    _scale(axes, "x", chart.x, ends, panel, 7 if room > 350 else 5)
    for k, row in enumerate(chart.rows):
        colour, place = panel.curve(row.role), k * ROW + 40
        ends_of: dict[str, Any] = {"marker": "|", "markersize": 12, "markeredgewidth": 2.4}
        axes.plot([row.low, row.high], [place, place], color=colour, linewidth=2.4, zorder=4, clip_on=False, **ends_of)
        if row.point is not None:
            edge: dict[str, Any] = {"markeredgecolor": panel.colours.card, "markeredgewidth": 1.6, "markersize": 11}
            axes.plot([row.point], [place], marker="o", color=colour, zorder=5, clip_on=False, **edge)
        panel.text(row.label, left, top + k * ROW + 20, panel.colours.ink, size=13)
    if chart.truth is not None:
        axes.axvline(chart.truth, color=panel.colours.zero, linewidth=1.2, zorder=1)
        panel.line((16.0, 36.0), (14, 14), panel.colours.zero, linewidth=1.2)
        panel.text(chart.truth_label, 16 + KEY, 18, panel.colours.quiet)
    panel.text(chart.x.label, left + room / 2, panel.height - 12, panel.colours.quiet, ha="center")
