"""One question's estimates as a picture: SVG bytes that depend on nothing but the arguments.

matplotlib lays out and writes the picture. Importing it takes half a second, so only a request for a plot should import
this module.
"""

import io
import threading
import warnings
from typing import Any

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from surveys import kinds
from surveys.figures import numerals
from surveys.figures.drawing import Canvas
from surveys.figures.svg import plain
from surveys.figures.themes import THEMES

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


def draw(result: dict[str, Any], confidence: float, theme: str, width: str) -> bytes:
    """The plot of a question of an estimate's document: its first method, population target.

    theme is one of THEMES, width one of WIDTHS. Each category shows its estimate, the interval that holds
    together with those of all other categories, and behind it the shorter one that holds for it alone. A mean has one
    interval.
    """
    kind, colours = kinds.of(result), THEMES[theme]
    plan = kind.layout(result, width)
    with DRAWING, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # the reader's fonts draw the text, not ours
        figure = Figure(figsize=(plan.width / 72, plan.height / 72), dpi=72, facecolor=colours.card)
        FigureCanvasSVG(figure)
        kind.draw(Canvas(figure, plan, colours, width, numerals.percent(confidence), kind.scale(result)), result)
        out = io.BytesIO()
        figure.savefig(out, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    return plain(out.getvalue(), plan.width, plan.height, result["text"])
