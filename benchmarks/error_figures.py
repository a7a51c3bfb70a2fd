"""The figures of `python -m benchmarks.error`, on doubly logarithmic scales and with the bound."""

import io
import math
from collections.abc import Sequence

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from benchmarks import tables
from ldp import bounds
from surveys.figures.themes import THEMES

LIGHT = THEMES["light"]
# Colours of Okabe and Ito, which colour-blind people can distinguish; dashes help again.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
DASHES = ("-", "--", ":")


def draw(
    by_n: dict[str, list[float]],
    people: Sequence[int],
    by_alpha: dict[str, list[float]],
    alphas: Sequence[str],
    d: int,
    sizes: Sequence[int],
    private: Sequence[tuple[int, float]],
    free: Sequence[tuple[int, float]],
) -> None:
    """Draw error.svg, squared errors against n and alpha, and histogram.svg, integrated errors and numbers of bins.
    Dotted lines below have the slopes of the theory."""
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "error", "font.family": "sans-serif"})
    names = list(by_n)
    figure, axes = _figure(2)
    levels = [float(alpha) for alpha in alphas]
    shares = {"what": f"{d} shares", "names": names[:8], "bound": lambda alpha: bounds.sharp_constant(alpha, d)}
    others = {"what": "a mean, 8 items", "names": names[8:], "bound": lambda alpha: bounds.sharp_constant(alpha, 2) / 2}
    for (left, right), part in zip(axes, (shares, others), strict=True):
        for k, name in enumerate(part["names"]):
            style = {"color": COLOURS[k % 6], "linestyle": DASHES[k // 6], "linewidth": 1.3}
            left.plot(people, by_n[name], label=name, **style)
            right.plot(levels, by_alpha[name], label=name, **style)
        style = {
            "color": LIGHT.ink,
            "linewidth": 2.4,
            "label": "bound R*/n" if part is shares else "bound of a mean, worst case",
        }
        left.plot(people, [part["bound"](1.0) / n for n in people], **style)
        right.plot(levels, [part["bound"](alpha) / 10_000 for alpha in levels], **style)
        _dress(left, "people n", f"squared error of {part['what']}, alpha = 1")
        _dress(right, "alpha", f"squared error of {part['what']}, n = 10,000")
        right.legend(frameon=False, fontsize=8)
    _save(figure, "error")

    figure, ((left, right),) = _figure(1)
    for axes, column in ((left, 1), (right, 0)):
        axes.plot(sizes, [pair[column] for pair in private], color=COLOURS[0], label="alpha = 1")
        axes.plot(sizes, [pair[column] for pair in free], color=COLOURS[1], linestyle="--", label="without privacy")
    for axes, column, pairs, power in (
        (left, 1, private, -1 / 2),
        (left, 1, free, -2 / 3),
        (right, 0, private, 1 / 4),
        (right, 0, free, 1 / 3),
    ):
        # Half as high, so that the measured line stays visible.
        line = [pairs[0][column] / 2 * math.pow(size / sizes[0], power) for size in sizes]
        axes.plot(sizes, line, color=LIGHT.ink, linewidth=0.8, linestyle=":")
    _dress(left, "people n", "integrated squared error")
    _dress(right, "people n", "bins advised")
    left.legend(frameon=False, fontsize=8)
    _save(figure, "histogram")


def _figure(rows: int) -> tuple[Figure, Sequence[Sequence[Axes]]]:
    figure = Figure(figsize=(9.6, 4.4 * rows), layout="constrained", facecolor=LIGHT.card)
    FigureCanvasSVG(figure)
    return figure, figure.subplots(rows, 2, squeeze=False)


def _dress(axes: Axes, x: str, y: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y, facecolor=LIGHT.card)
    axes.grid(color=LIGHT.grid, linewidth=0.8)
    axes.tick_params(which="both", colors=LIGHT.quiet, labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)


def _save(figure: Figure, name: str) -> None:
    drawn = io.BytesIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None}, facecolor=LIGHT.card)
    tables.keep(f"{name}.svg", drawn.getvalue())
