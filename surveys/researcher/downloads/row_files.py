"""Readings, contrasts, trends and what forged reports could do, as CSV and JSON, sent as they are computed."""

import json
from collections.abc import Iterable, Iterator

from ldp.tidy import Row
from surveys.models import Release
from surveys.researcher.downloads import contrasts, forgeries, readings, tables, trends


def readings_csv(release: Release) -> Iterator[str]:
    """One row for each reading, target and confidence."""
    return _csv(release, readings.COLUMNS, readings.rows(release))


def readings_json(release: Release) -> Iterator[str]:
    return _json(release, "readings", readings.rows(release))


def contrasts_csv(release: Release) -> Iterator[str]:
    """One row for each pair of answers and confidence."""
    return _csv(release, contrasts.COLUMNS, contrasts.rows(release))


def contrasts_json(release: Release) -> Iterator[str]:
    return _json(release, "contrasts", contrasts.rows(release))


def trend_csv(release: Release) -> Iterator[str]:
    """One row for each answer, release, target and confidence."""
    return _csv(release, trends.COLUMNS, trends.rows(release))


def trend_json(release: Release) -> Iterator[str]:
    return _json(release, "trend", trends.rows(release))


def forged_csv(release: Release) -> Iterator[str]:
    """One row for each answer, number of forged reports and confidence."""
    return _csv(release, forgeries.COLUMNS, forgeries.rows(release))


def forged_json(release: Release) -> Iterator[str]:
    return _json(release, "forged", forgeries.rows(release))


def _csv(release: Release, columns: tuple[str, ...], rows: Iterable[Row]) -> Iterator[str]:
    same = readings.header(release)
    return tables.csv_lines(columns, (same | row for row in rows))


def _json(release: Release, name: str, rows: Iterable[Row]) -> Iterator[str]:
    """An object of the release's own fields and the list of the rows, one in a line."""
    same = json.dumps(readings.header(release), ensure_ascii=False)
    opening = f'{same[:-1]}, "{name}": [\n'
    for row in rows:
        yield opening + json.dumps(row, ensure_ascii=False)
        opening = ",\n"
    yield "\n]}\n" if opening == ",\n" else opening + "]}\n"
