"""A figure of the lab as data, for SVG, CSV and words."""

import csv
import io
from dataclasses import dataclass
from typing import Literal, NamedTuple

# The roles that have the same colour in every figure. The first three are the models of trust.
Role = Literal["none", "curator", "local", "fourth", "fifth"]
ROLES: tuple[Role, ...] = ("none", "curator", "local", "fourth", "fifth")


@dataclass(frozen=True)
class Axis:
    """`unit` "%" shows fractions as percent. The ends are by default those of the data."""

    label: str
    log: bool = False
    unit: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    """A line, or dots for simulated values. Bounds and comparisons are `dashed`."""

    label: str
    role: Role
    x: tuple[float, ...]
    y: tuple[float, ...]
    style: Literal["line", "dots", "steps"] = "line"
    dashed: bool = False


class Span(NamedTuple):
    """A row: its label, its interval, the marked point in it, and perhaps a second, thinner range."""

    label: str
    role: Role
    low: float
    high: float
    point: float | None


@dataclass(frozen=True)
class Lines:
    """Curves over one axis. `mark` is the place of the reader's numbers; `mark_label` is its name."""

    x: Axis
    y: Axis
    series: tuple[Series, ...]
    says: str
    mark: float | None = None
    mark_label: str = ""


@dataclass(frozen=True)
class IntervalSpans:
    """Intervals below each other. `truth` is a line through all of them."""

    x: Axis
    rows: tuple[Span, ...]
    says: str
    truth: float | None = None
    truth_label: str = ""


Chart = Lines | IntervalSpans


def table(chart: Chart) -> str:
    """Return the chart as CSV: a row for each point, or for each interval, with its label."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if isinstance(chart, IntervalSpans):
        writer.writerow(["row", "low", "high", "point"])
        writer.writerows([row.label, row.low, row.high, "" if row.point is None else row.point] for row in chart.rows)
    else:
        writer.writerow(["series", chart.x.label, chart.y.label])
        for series in chart.series:
            writer.writerows([series.label, x, y] for x, y in zip(series.x, series.y, strict=True))
    return out.getvalue()
