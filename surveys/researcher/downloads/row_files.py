"""Readings, comparisons, trends and effects of forged reports as CSV and JSON, sent while they are computed."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ldp.tidy import Row
from surveys.models import Release
from surveys.researcher.analyses.comparisons import pairs
from surveys.researcher.analyses.frame.derived import release_columns
from surveys.researcher.downloads import forgeries, readings, trends
from surveys.researcher.sheets import tables
from surveys.researcher.sheets.column import Column, names
from surveys.researcher.sheets.common_columns import HEADER


@dataclass(frozen=True)
class RowTable:
    """A table of rows with `columns`. The CSV has the release's columns first in every row, the JSON has them once."""

    name: str
    purpose: Promise
    columns: tuple[Column, ...]
    rows: Callable[[Release], Iterator[Row]]

    @property
    def all_columns(self) -> tuple[Column, ...]:
        return (*HEADER, *self.columns)

    def csv(self, release: Release) -> Iterator[str]:
        same = release_columns(release)
        return tables.csv_lines(names(self.all_columns), (same | row for row in self.rows(release)))

    def json(self, release: Release) -> Iterator[str]:
        """Yield an object with the release's fields and the list of rows, one per line."""
        same = json.dumps(release_columns(release), ensure_ascii=False)
        opening = f'{same[:-1]}, "{self.name}": [\n'
        for row in self.rows(release):
            yield opening + json.dumps(row, ensure_ascii=False)
            opening = ",\n"
        yield "\n]}\n" if opening == ",\n" else opening + "]}\n"


TABLES = {
    table.name: table
    for table in (
        RowTable(
            "readings",
            _("Quantiles, mean ranks, means, cumulative and projected shares with their intervals: one row for each."),
            readings.COLUMNS,
            readings.rows,
        ),
        RowTable(
            "pairs",
            _("Which differences between answers are statistically significant: one row per pair, with p-values."),
            pairs.COLUMNS,
            pairs.rows,
        ),
        RowTable(
            "trend",
            _("Each answer over the releases, with intervals that hold at all of them together."),
            trends.COLUMNS,
            trends.rows,
        ),
        RowTable(
            "forged",
            _(
                "What is known about each answer if reports are forged, and how many would hide which answer is the "
                "most common."
            ),
            forgeries.COLUMNS,
            forgeries.rows,
        ),
    )
}
