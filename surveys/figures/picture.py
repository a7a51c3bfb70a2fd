"""A picture's frame: matplotlib set up once for all that is drawn, and SVG bytes that depend on nothing but the
arguments. Importing it takes half a second, so only a request for a picture should import this module.
"""

import io
import threading
import warnings
from collections.abc import Callable

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from surveys.figures.svg import plain

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

_DRAWING = threading.Lock()  # matplotlib's caches and Python's warning filters are shared by all threads


def picture(width: int, height: int, paper: str, title: str, paint: Callable[[Figure], None]) -> bytes:
    """What `paint` draws on a figure of so many pixels."""
    with _DRAWING, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # the reader's fonts draw the text, not ours
        figure = Figure(figsize=(width / 72, height / 72), dpi=72, facecolor=paper)
        FigureCanvasSVG(figure)
        paint(figure)
        out = io.BytesIO()
        figure.savefig(out, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    return plain(out.getvalue(), width, height, title)
