"""The contents of a worksheet: cells' values with number formats, merged cells, hidden rows and columns.

It runs in reader.py's process, and imports only site modules that run there too.
"""

import math
from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple

from surveys.designer.xlsform.numberformat import GENERAL

MOST = 10**300  # a cell cannot hold larger numbers
SPARE = 20  # rows above the headings
Attributes = dict[str, Any]


class SheetCell(NamedTuple):
    value: Any
    kind: str  # as stored in the file: "n", "s", "b", "e" or "d"
    code: str  # of the number format
    builtin: int
    formula: bool


class Worksheet(NamedTuple):
    """A worksheet: cells by row and column, merged ranges (first column, first row, last row), and hidden rows and
    columns."""

    rows: dict[int, dict[int, SheetCell]]
    merged: list[tuple[int, int, int]]
    hidden: set[int]
    hidden_columns: set[int]


class TooManyRows(ValueError):
    """A sheet has too many rows."""


def read(book: Any, sheet: Any, most: int) -> Worksheet:
    from openpyxl.worksheet._reader import FORMULA_TAG, WorkSheetParser

    class Parser(WorkSheetParser):  # type: ignore[misc]
        def parse_cell(self, element: Any) -> Attributes:
            read: Attributes = super().parse_cell(element)
            return read | {"formula": element.find(FORMULA_TAG) is not None}

    rows: dict[int, dict[int, SheetCell]] = {}
    with sheet._get_source() as source:
        # Without date formats, so every number stays a number.
        parser = Parser(source, sheet._shared_strings, data_only=True, epoch=book.epoch)
        for number, cells in parser.parse():
            kept = {each["column"]: _cell(book, each) for each in cells if each["value"] is not None or each["formula"]}
            if kept:
                rows[number] = kept
            if len(rows) > most + SPARE:
                raise TooManyRows
    ranges = getattr(parser.merged_cells, "mergeCell", ())
    hidden = {int(row) for row, has in parser.row_dimensions.items() if has.get("hidden") in ("1", "true")}
    columns = {
        column
        for has in parser.column_dimensions.values()
        if has.get("hidden") in ("1", "true")
        for column in range(int(has["min"]), min(int(has["max"]), int(has["min"]) + 99) + 1)
    }
    return Worksheet(rows, [(each.min_col, each.min_row, each.max_row) for each in ranges], hidden, columns)


def _cell(book: Any, read: Attributes) -> SheetCell:
    from openpyxl.styles.numbers import BUILTIN_FORMATS, BUILTIN_FORMATS_MAX_SIZE

    styles = book._cell_styles
    number = styles[read["style_id"]].numFmtId if read["style_id"] < len(styles) else 0
    own = number - BUILTIN_FORMATS_MAX_SIZE
    if own < 0:
        code = BUILTIN_FORMATS.get(number, GENERAL)
    else:
        code = book._number_formats[own] if own < len(book._number_formats) else GENERAL
    return SheetCell(read["value"], read["data_type"], code, number, read["formula"])


def serial(value: Any, since_1904: bool) -> float:
    """Return the number itself, or the number that a cell stores for a date or time."""
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)  # noqa: DTZ001 a cell has no zone
    if isinstance(value, datetime):
        first = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)  # noqa: DTZ001 a cell has no zone
        return (value - first) / timedelta(days=1)
    if isinstance(value, time):
        return (value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6) / 86_400
    if isinstance(value, timedelta):
        return value / timedelta(days=1)
    return float(value) if abs(value) < MOST else math.inf
