"""The size of a chart in CSS pixels, without drawing it."""

from surveys.figures.layout import WIDTHS
from surveys.public.lab.curves.charts import Chart, IntervalSpans

HEIGHTS = {"wide": 400, "narrow": 380}
LEFT = {"wide": 66, "narrow": 60}
RIGHT = {"wide": 34, "narrow": 30}
BOTTOM = 52
ROW = 58  # the height of an interval with its label above it
HEAD = 36


def sizes(chart: Chart, width: str) -> tuple[int, int]:
    """Return width and height."""
    rows = len(chart.rows) if isinstance(chart, IntervalSpans) else 0
    return size(rows, width)


def size(rows: int, width: str) -> tuple[int, int]:
    """Return the size of a chart with this number of intervals, or of a line chart if `rows` is 0."""
    return WIDTHS[width], HEAD + ROW * rows + BOTTOM if rows else HEIGHTS[width]
