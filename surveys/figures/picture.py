"""The frame of a picture: matplotlib's setup, and SVG bytes that depend only on the arguments. The import takes half a
second, so only a request for a picture should import this module."""

import functools
import io
import threading
import unicodedata
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.text import Text

from surveys.figures.svg import clean, plain

matplotlib.rcdefaults()  # otherwise a matplotlibrc in the current directory applies
matplotlib.rcParams.update(
    {
        "svg.fonttype": "none",
        "svg.hashsalt": "deniable",
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],
        "text.parse_math": False,  # an option may contain a dollar sign
    }
)

CANVASES = {"svg": FigureCanvasSVG, "png": FigureCanvasAgg, "pdf": FigureCanvasPdf}
DOTS = 144  # per 72 pixels
FALLBACKS = (
    "Noto Sans", "Noto Sans Arabic", "Noto Naskh Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Thai",
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Droid Sans Fallback", "WenQuanYi Zen Hei", "FreeSans",
)  # fmt: skip

SELECTORS = {*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0xE0100, 0xE01F0))}  # variants of the glyph before

_DRAWING = threading.Lock()  # all threads share matplotlib's caches and Python's warning filters


# Metadata about matplotlib and the day, which are left out.
NOT_SAID = {
    "svg": ("Creator", "Date", "Format", "Type"),
    "png": ("Software",),
    "pdf": ("Creator", "Producer", "CreationDate"),
}


def picture(
    width: int, height: int, paper: str, title: str, paint: Callable[[Figure], None], format: str = "svg"
) -> bytes:
    """Return the drawing of `paint` as "svg", as "png" with two dots per pixel, or as "pdf". `width` and `height` are
    in pixels. PNG and PDF contain glyphs of fonts on this machine: a script without a font shows only in SVG."""
    metadata = dict.fromkeys(NOT_SAID[format])
    if format == "svg":
        return plain(_saved(width, height, paper, paint, format, metadata), width, height, title)
    return _saved(width, height, paper, paint, format, metadata | {"Title": clean(title)})


@functools.cache
def other_fonts() -> list[str]:
    """Return fonts of this machine for scripts that the site's font lacks."""
    names = {font.name for font in font_manager.fontManager.ttflist}
    return [name for name in FALLBACKS if name in names]


def _without_format(figure: Figure) -> None:
    """Remove format characters. They have no glyph: fonts draw a box, or for U+FEFF nothing that a PDF can hold. In SVG
    the reader's fonts handle them."""
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        text.set_text("".join(c for c in text.get_text() if unicodedata.category(c) != "Cf" and c not in SELECTORS))


@contextmanager
def _set_up(format: str) -> Iterator[None]:
    """Set the fonts of a format, for one thread at a time."""
    fonts: dict[Any, Any] = (
        {} if format == "svg" else {"font.sans-serif": ["DejaVu Sans", *other_fonts()], "pdf.fonttype": 42}
    )
    with _DRAWING, matplotlib.rc_context(fonts), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # the reader's fonts draw SVG's text
        yield


def _saved(
    width: int, height: int, paper: str, paint: Callable[[Figure], None], format: str, metadata: dict[str, str | None]
) -> bytes:
    with _set_up(format):
        figure = Figure(figsize=(width / 72, height / 72), dpi=72, facecolor=paper)
        CANVASES[format](figure)
        paint(figure)
        if format != "svg":
            _without_format(figure)
        out = io.BytesIO()
        figure.savefig(out, format=format, dpi=DOTS if format == "png" else 72, metadata=metadata)
    return out.getvalue()
