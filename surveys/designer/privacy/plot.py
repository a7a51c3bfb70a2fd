"""A small SVG of the half-width against the number of people, in the page's colours. It has two shapes, for wide and
narrow screens; CSS shows one of them."""

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe

from ldp.planning.thirds import Point
from surveys.figures import numerals
from surveys.figures.svg import apart, clean

LEFT, RIGHT, TOP, BOTTOM = 46, 16, 26, 46
NICE = (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10)  # a quarter of each is round
LINES = ("without_privacy", "curator", "bound", "local")


class PlotSize(NamedTuple):
    name: str
    width: int
    height: int


FORMS = (PlotSize("wide", 600, 320), PlotSize("narrow", 326, 270))


class Plot(NamedTuple):
    """A plot. `times` converts half-widths to numbers of the vertical axis, `label` names the axis; `title` describes
    the picture."""

    points: list[Point]
    now: Point
    times: float
    label: str
    people: str
    title: str


def span(n: int) -> tuple[int, int]:
    """Return the ends of three decades of people around n."""
    first = 10 ** max(0, math.floor(math.log10(n / 5)))
    return first, 1000 * first


def draw(plot: Plot, form: PlotSize) -> SafeString:
    svg = ElementTree.Element("svg", {"viewBox": f"0 0 {form.width} {form.height}", "class": f"widths {form.name}"})
    svg.attrib |= {"role": "img", "aria-label": clean(plot.title)}
    top = _nice(1.7 * plot.now.local * plot.times)
    first, last = plot.points[0].n, plot.points[-1].n
    ends = form.width - RIGHT, form.height - BOTTOM

    def x(n: float) -> float:
        return LEFT + (ends[0] - LEFT) * math.log(n / first) / math.log(last / first)

    def y(half_width: float) -> float:
        return ends[1] - (ends[1] - TOP) * half_width * plot.times / top

    _axes(svg, plot, form, top, x)
    _line(svg, "now", f"M{x(plot.now.n):.1f} {TOP}V{ends[1]}")
    for name in LINES:
        _curve(svg, plot, name, x, y)
    return mark_safe(ElementTree.tostring(svg, encoding="unicode"))


def _nice(value: float) -> float:
    scale = 10.0 ** math.floor(math.log10(value))
    return next(step * scale for step in NICE if step * scale >= value * (1 - 1e-9))


def _axes(svg: ElementTree.Element, plot: Plot, form: PlotSize, top: float, x: Callable[[float], float]) -> None:
    base = form.height - BOTTOM
    for k in range(5):
        up = base - (base - TOP) * k / 4
        _line(svg, "base" if k == 0 else "grid", f"M{LEFT} {up:.1f}H{form.width - RIGHT}")
        _text(svg, LEFT - 8, up + 4, numerals.tick(round(top * k / 4, 6)), "end")
    first, last = plot.points[0].n, plot.points[-1].n
    for n in (first * 10**k for k in range(4)):
        anchor = {first: "start", last: "end"}.get(n, "middle")
        _text(svg, x(n) - (8 if n == first else 0), base + 19, numerals.integer(n), anchor)
    _text(svg, 8, 14, plot.label, "start")
    _text(svg, form.width - RIGHT, base + 38, plot.people, "end")


def _curve(
    svg: ElementTree.Element, plot: Plot, name: str, x: Callable[[float], float], y: Callable[[float], float]
) -> None:
    """Draw a curve, cut where it leaves the picture at the top."""
    heights = [(x(point.n), getattr(point, name)) for point in plot.points]
    seen = [(across, y(height)) for across, height in heights if height is not None and y(height) >= TOP]
    if seen:
        _line(svg, name.replace("_", "-"), "M" + "L".join(f"{across:.1f} {up:.1f}" for across, up in seen))
    if (height := getattr(plot.now, name)) is not None and name != "bound":
        middle = {"cx": f"{x(plot.now.n):.1f}", "cy": f"{y(height):.1f}", "r": "5"}
        ElementTree.SubElement(svg, "circle", {"class": name.replace("_", "-"), **middle})


def _line(svg: ElementTree.Element, name: str, path: str) -> None:
    ElementTree.SubElement(svg, "path", {"class": name, "d": path})


def _text(svg: ElementTree.Element, x: float, y: float, text: str, anchor: str) -> None:
    node = ElementTree.SubElement(svg, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor})
    node.text = apart(clean(text))


# Of 100 people --------------------------------------------------------------------------------------------------------


def hundred(filled: int) -> SafeString:
    """Return ten rows of ten marks: first `filled` discs, then rings. A mark is a line of no length."""
    places = [f"M{5 + 10 * (k % 10)} {5 + 10 * (k // 10)}h0" for k in range(100)]
    svg = ElementTree.Element("svg", {"viewBox": "0 0 100 100", "class": "hundred", "aria-hidden": "true"})
    _line(svg, "rim", "".join(places[filled:]))
    _line(svg, "hole", "".join(places[filled:]))
    _line(svg, "disc", "".join(places[:filled]))
    return mark_safe(ElementTree.tostring(svg, encoding="unicode"))


def track(steps: list[str]) -> SafeString:
    """Return a slider's track: below its stops, a band for each step of protection."""
    svg = ElementTree.Element("svg", {"class": "track", "aria-hidden": "true", "preserveAspectRatio": "none"})
    svg.set("viewBox", f"0 0 {len(steps) - 1} 1")
    for step in dict.fromkeys(steps):
        first = max(0, steps.index(step) - 1)
        box = {"x": str(first), "y": "0", "width": str(len(steps) - 1 - first), "height": "1"}
        ElementTree.SubElement(svg, "rect", {"class": step, **box})
    return mark_safe(ElementTree.tostring(svg, encoding="unicode"))
