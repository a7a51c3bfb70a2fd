"""A figure of the lab as data: drawn as SVG, written as CSV, described in words."""

import csv
import io
from dataclasses import dataclass
from typing import Literal, NamedTuple

# Who is drawn in which colour, the same in every figure. The first three are the models of trust.
Role = Literal["none", "curator", "local", "fourth", "fifth"]
ROLES: tuple[Role, ...] = ("none", "curator", "local", "fourth", "fifth")


@dataclass(frozen=True)
class Axis:
    """`unit` "%" writes fractions as percent. The ends are those of the data where none are given."""

    label: str
    log: bool = False
    unit: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    """One line, or dots for what was simulated. `dashed` is for bounds and comparisons."""

    label: str
    role: Role
    x: tuple[float, ...]
    y: tuple[float, ...]
    style: Literal["line", "dots", "steps"] = "line"
    dashed: bool = False


class Span(NamedTuple):
    """A row: its label, its interval, the point in it that is marked, and a second, thinner reach if any."""

    label: str
    role: Role
    low: float
    high: float
    point: float | None


@dataclass(frozen=True)
class Lines:
    """Curves over one axis. `mark` is the place of the chosen numbers, `mark_label` names them."""

    x: Axis
    y: Axis
    series: tuple[Series, ...]
    says: str
    mark: float | None = None
    mark_label: str = ""


@dataclass(frozen=True)
class IntervalSpans:
    """Intervals under each other; `truth` is a line through all of them."""

    x: Axis
    rows: tuple[Span, ...]
    says: str
    truth: float | None = None
    truth_label: str = ""


Chart = Lines | IntervalSpans


def table(chart: Chart) -> str:
    """Return the chart as CSV: a line for each point, or for each interval, with its own label."""
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
