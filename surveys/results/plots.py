"""One question's estimates as a picture: SVG bytes that depend on nothing but the arguments.

matplotlib lays out and writes the picture; its object API only, because pyplot keeps global state. Importing
it takes half a second, so only a request for a plot should import this module.
"""

import io
import threading
import warnings
from collections.abc import Callable, Sequence

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from surveys.results import numerals
from surveys.results.findings import possible
from surveys.results.plot_layout import (
    AXIS,
    LEGEND,
    LINE,
    OUTWARD,
    SMALL,
    WIDTHS,
    Bins,
    Rows,
    aside,
    display_width,
    layout,
    mean_shown,
    wrap,
)
from surveys.results.plot_style import THEMES, Theme
from surveys.results.plot_svg import clean, plain

matplotlib.rcdefaults()  # a matplotlibrc in the current directory would have been read
matplotlib.rcParams.update(
    {
        "svg.fonttype": "none",
        "svg.hashsalt": "deniable",
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],
        "text.parse_math": False,  # an option may hold a dollar sign
    }
)

DRAWING = threading.Lock()  # matplotlib's caches and Python's warning filters are shared by all threads
BINS_AXIS = 62
BINS_HEAD = 26
REACH = 10  # how far a narrow plot's grid reaches above and below an interval
LEGEND_STOP = 108


def draw(question: dict, confidence: float, theme: str, width: str) -> bytes:
    """The plot of `question` (an element of an estimate's document): its first method, population target.

    theme is one of THEMES, width one of WIDTHS. Each category shows its estimate, the interval that holds
    together with those of all other categories, and behind it the shorter one that holds for it alone. A mean has one
    interval.
    """
    plan, colours = layout(question, width), THEMES[theme]
    with DRAWING, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # the reader's fonts draw the text, not ours
        figure = Figure(figsize=(plan.width / 72, plan.height / 72), dpi=72, facecolor=colours.paper)
        FigureCanvasSVG(figure)
        if question["kind"] == "mean":
            _draw_mean(figure, question, plan, colours)
        elif isinstance(plan, Rows):
            _draw_rows(figure, question, plan, colours)
        else:
            _draw_bins(figure, question, plan, colours)
        _legend(figure, question, plan, colours, numerals.percent(confidence), narrow=width == "narrow")
        out = io.BytesIO()
        figure.savefig(out, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    return plain(out.getvalue(), plan.width, plan.height, question["text"])


# The kinds of picture


def _draw_rows(figure: Figure, question: dict, plan: Rows, colours: Theme) -> None:
    categories = question["methods"][0]["categories"]
    top = LEGEND["wide" if plan.beside else "narrow"]
    axes = _axes(figure, plan, top, AXIS)
    axes.set_ylim(plan.height - AXIS, top)
    axes.set_xlim(*_extent(categories))
    _percent_axis(axes, "x", colours, 7 if plan.beside else 5)
    axes.axvline(0, color=colours.zero, linewidth=1.2, zorder=1)
    axes.set_xlabel("Share of the population", color=colours.quiet, fontsize=12, labelpad=5)
    decimals = numerals.decimals_of(question["methods"][0], "population")
    for index, category in enumerate(categories):
        shades = _colours(question, index, colours)
        _band(axes, category, plan.centres[index], shades, upright=False)
        _whisker(axes, question, category, plan.centres[index], shades, colours.paper)
        value = numerals.share(category["estimate"], decimals) + "%"
        _row_text(figure, plan, index, value, colours)


def _draw_mean(figure: Figure, question: dict, plan: Rows, colours: Theme) -> None:
    """The whole range of answers, so that a glance shows where in it the mean lies and how much is known."""
    category = question["methods"][0]["categories"][0]
    low, high = float(question["low"]), float(question["high"])
    top = LEGEND["wide" if plan.beside else "narrow"]
    axes = _axes(figure, plan, top, AXIS)
    axes.set_ylim(plan.height - AXIS, top)
    axes.set_xlim(*_with_air(min(low, category["estimate"]), max(high, category["estimate"])))
    room, label = plan.width - plan.left - plan.right, max(len(question["low"]), len(question["high"])) + 1
    ticks = max(2, min(7, int(room / (SMALL * label + 24))))
    _number_axis(axes, "x", colours, ticks, numerals.tick)
    axes.plot([low, high], [plan.centres[0]] * 2, color=colours.tint, linewidth=8, solid_capstyle="butt", zorder=2)
    unit = clean(question["unit"])
    title = "Mean of the population" + (f", in {unit}" if unit else "")
    title = title if display_width(title) * SMALL < plan.width - 16 else unit
    _text(figure, plan, title, plan.left + room / 2, plan.height - 10, colours.quiet, ha="center", size=12)
    _whisker(axes, question, category, plan.centres[0], _colours(question, 0, colours), colours.paper)
    _row_text(figure, plan, 0, numerals.number(*mean_shown(question)), colours)


def _row_text(figure: Figure, plan: Rows, index: int, value: str, colours: Theme) -> None:
    lines, top = plan.labels[index], plan.label_tops[index]
    if not plan.beside:  # the grid makes room for the words between two intervals
        above = plan.centres[index - 1] + REACH if index else LEGEND["narrow"]
        below = top + LINE * len(lines)
        box = (0, 1 - below / plan.height), 1, (below - above) / plan.height
        figure.add_artist(Rectangle(*box, facecolor=colours.paper, linewidth=0, zorder=1))
    x, ha = (plan.left - 14, "right") if plan.beside else (plan.left, "left")
    for row, line in enumerate(lines):
        _text(figure, plan, line, x, top + 13 + LINE * row, colours.ink, ha=ha)
    baseline = plan.centres[index] + 5 if plan.beside else top + 13
    _text(figure, plan, value, plan.width - (8 if plan.beside else 16), baseline, colours.ink, ha="right")


def _draw_bins(figure: Figure, question: dict, plan: Bins, colours: Theme) -> None:
    categories = question["methods"][0]["categories"]
    head = LEGEND["narrow" if plan.width == WIDTHS["narrow"] else "wide"]
    axes = _axes(figure, plan, head + BINS_HEAD, BINS_AXIS)
    axes.set_xlim(0, (plan.width - plan.left - plan.right) / plan.slot)
    axes.set_ylim(*_extent(categories))
    _percent_axis(axes, "y", colours, 6)
    axes.axhline(0, color=colours.zero, linewidth=1.2, zorder=3)
    _text(figure, plan, "Share of the population", 8, head + 14, colours.quiet, size=12)
    number = len(question["edges"]) - 1
    if plan.dense:
        _stairs(axes, categories[:number], colours)
    for index, category in enumerate(categories):
        if not plan.dense or index == number:
            shades = _colours(question, index, colours)
            room = max(1.0, 26 / plan.slot) if index == number else 1.0
            bar = room - 1.5 / plan.slot
            axes.bar(plan.centres[index], 100 * category["estimate"], bar, color=shades[2], zorder=2)
            _band(axes, category, plan.centres[index], shades, upright=True)
            _whisker(axes, question, category, plan.centres[index], shades, colours.paper, upright=True)
    _bin_labels(figure, question, plan, colours)


def _bin_labels(figure: Figure, question: dict, plan: Bins, colours: Theme) -> None:
    base = plan.height - BINS_AXIS
    number = len(question["edges"]) - 1
    for edge, text in plan.ticks:
        x = plan.left + edge * plan.slot
        at, nudge = {0: ("left", -OUTWARD), number: ("right", OUTWARD)}.get(edge, ("center", 0))
        figure.add_artist(_line(plan, [x, x], [base, base + 5], colours.quiet, linewidth=1))
        _text(figure, plan, text, x + nudge, base + 20, colours.quiet, ha=at, size=12)
    unit = question.get("unit") or ""
    if not plan.to_scale:
        unit = f"{unit} (not to scale: the bins differ in width)".lstrip()
    middle = plan.left + number * plan.slot / 2
    _text(figure, plan, unit, middle, base + 42, colours.quiet, ha="center", size=12)
    if question["prefer_not_to_say"]:
        x = plan.left + plan.centres[-1] * plan.slot
        for row, line in enumerate(wrap(question["options"][-1], 10, 3)):
            _text(figure, plan, line, x, base + 20 + 15 * row, colours.quiet, ha="center", size=12)


# Their parts


def _whisker(
    axes: Axes, question: dict, category: dict, place: float, shades: Sequence[str], paper: str, upright: bool = False
) -> None:
    """A line with ends for all categories together and the estimate: a dot, hollow where no truth can be."""
    accent, times = shades[0], 1 if question["kind"] == "mean" else 100
    ends = {"marker": "_" if upright else "|", "markersize": 8, "markeredgewidth": 1.6}
    together = [times * end for end in category["population"]["simultaneous"]]
    _put(axes, together, place, upright, color=accent, linewidth=1.6, zorder=5, **ends)
    face, edge = (accent, paper) if possible(question, category) else (paper, accent)
    dot = {"marker": "o", "markeredgecolor": edge, "markersize": 10, "markeredgewidth": 1.6}
    _put(axes, [times * category["estimate"]], place, upright, color=face, zorder=6, **dot)


def _band(axes: Axes, category: dict, place: float, shades: Sequence[str], upright: bool) -> None:
    """The interval of this category alone, behind the other one."""
    alone = [100 * end for end in category["population"]["interval"]]
    _put(axes, alone, place, upright, color=shades[1], linewidth=8, solid_capstyle="butt", zorder=4)


def _put(axes: Axes, along: list[float], place: float, upright: bool, **style) -> None:
    across = [place] * len(along)
    axes.plot(*((across, along) if upright else (along, across)), **style)


def _stairs(axes: Axes, categories: list[dict], colours: Theme) -> None:
    """The same for many bins side by side."""
    for name, colour in (("simultaneous", colours.tint), ("interval", colours.band)):
        low = [100 * category["population"][name][0] for category in categories]
        high = [100 * category["population"][name][1] for category in categories]
        axes.stairs(high, baseline=low, fill=True, color=colour, zorder=2)
    estimates = [100 * category["estimate"] for category in categories]
    axes.stairs(estimates, baseline=None, color=colours.accent, linewidth=1.8, zorder=4)


def _legend(figure: Figure, question: dict, plan: Rows | Bins, colours: Theme, level: str, narrow: bool) -> None:
    """What dot, line and band are; in a narrow plot the band's key stands below the line's."""
    together, alone = f"{level} interval, all at once", f"{level} interval, one alone"
    keys: tuple[tuple[str, str, float], ...]
    if question["kind"] == "mean":
        keys = ("estimate", colours.accent, 0), (f"{level} interval", colours.accent, 1.6), ("scale", colours.tint, 8)
    elif isinstance(plan, Bins) and plan.dense:
        keys = (("estimate", colours.accent, 1.8), (together, colours.tint, 11), (alone, colours.band, 11))
    else:
        keys = (("estimate", colours.accent, 0), (together, colours.accent, 1.6), (alone, colours.band, 8))
    x = y = 16
    for text, colour, weight in keys:
        if narrow and text is alone:
            x, y = LEGEND_STOP, 34
        if weight:
            figure.add_artist(_line(plan, [x, x + 22], [y - 4, y - 4], colour, linewidth=weight))
        else:
            figure.add_artist(_line(plan, [x + 5], [y - 4], colour, marker="o", markersize=9, markeredgewidth=0))
        x += 29 if weight else 17
        _text(figure, plan, text, x, y, colours.quiet, size=12)
        x = max(x + len(text) * SMALL + 16, LEGEND_STOP if narrow else 0)


def _axes(figure: Figure, plan: Rows | Bins, top: float, bottom: float) -> Axes:
    width, height = plan.width - plan.left - plan.right, plan.height - top - bottom
    box = plan.left / plan.width, bottom / plan.height, width / plan.width, height / plan.height
    axes = figure.add_axes(box, facecolor="none")
    axes.set_axisbelow(True)
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    return axes


def _percent_axis(axes: Axes, which: str, colours: Theme, ticks: int) -> None:
    _number_axis(axes, which, colours, ticks, lambda value: f"{value:g}%".replace("-", numerals.MINUS))


def _number_axis(axes: Axes, which: str, colours: Theme, ticks: int, text: Callable[[float], str]) -> None:
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: text(value)))
    axis.set_tick_params(length=0, labelcolor=colours.quiet, labelsize=12, pad=6)
    axes.grid(axis=which, color=colours.grid, linewidth=1)


def _extent(categories: list[dict]) -> tuple[float, float]:
    """Percent shown: always 0, every interval, every estimate even where no share can be, and some air."""
    values = [0.0]
    for category in categories:
        values += [100 * category["estimate"], *(100 * end for end in category["population"]["simultaneous"])]
    return _with_air(min(values), max(values))


def _with_air(low: float, high: float) -> tuple[float, float]:
    air = 0.03 * (high - low) or 1.0
    return low - air, high + air


def _colours(question: dict, index: int, colours: Theme) -> tuple[str, str, str]:
    return colours.aside if index == aside(question) else (colours.accent, colours.band, colours.tint)


def _text(
    figure: Figure,
    plan: Rows | Bins,
    text: str,
    x: float,
    y: float,
    colour: str,
    ha: str = "left",
    size: float = 13,
) -> None:
    """`text` with its baseline at y pixels from the top."""
    figure.text(x / plan.width, 1 - y / plan.height, clean(text), color=colour, ha=ha, va="baseline", fontsize=size)


def _line(plan: Rows | Bins, x: list[float], y: list[float], colour: str, **style) -> Line2D:
    xs, ys = [u / plan.width for u in x], [1 - v / plan.height for v in y]
    return Line2D(xs, ys, color=colour, solid_capstyle="butt", **style)
