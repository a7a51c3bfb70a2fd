"""Remove from a spreadsheet a part for which pyxform refuses the whole form: a cell, else a row.

It runs in reader.py's process, and imports nothing of the site.
"""

import re
from typing import Any, NamedTuple

_ROW = re.compile(r"\[row : ([0-9]+)\]", re.ASCII)
_CELL = re.compile(r"On the '(\w+)' sheet, the '([^']+)' value", re.ASCII)
# Bounded, because pyxform's message repeats cells, and no cell may make the search slow.
_HEADERS = re.compile(
    r"sheet: '(\w+)'\. Headers that are different names [^']{1,200} found: '([^']{1,200})', '([^']{1,200})'\. Rename"
)
_SPACES = re.compile(r"Choice names with spaces [^\[]{1,200} See \[([^\[\]]{1,200})\] in \[([^\[\]]{1,200})\]")
_NAME = ("name", "value")
SHOWN = 200  # characters of a cell
Workbook = Any  # sheets by name, in pyxform's shape
NamedCells = dict[str, object]  # cells by column name


class Mended(NamedTuple):
    """A cell, row or column that was changed, and pyxform's reason."""

    what: str  # "cell", "row", "name" or "column"
    sheet: str
    row: int
    column: str
    value: str
    reason: str


def mend(workbook: Workbook, error: str) -> Mended | None:
    """Change the workbook so that this error disappears; return None if no single cell, row or column causes it."""
    if match := _HEADERS.search(error):
        return _column(workbook, match[1], match[2], match[3], error)
    if match := _SPACES.search(error):
        return _coded(workbook, match[1], match[2], error)
    match = _ROW.match(error)
    cell = _CELL.search(error)
    sheet, column = (cell[1], cell[2]) if cell else ("survey", "")
    rows = workbook.get(sheet)
    place = 0 if sheet == "settings" else int(match[1]) - 2 if match else -1  # the settings have one row
    if not isinstance(rows, list) or not 0 <= place < len(rows) or not rows[place]:
        return None
    return _cell(sheet, rows[place], place + 2, column, error)


def _cell(sheet: str, row: NamedCells, number: int, column: str, error: str) -> Mended:
    header = next((each for each in row if heading(each) == heading(column)), "")
    if heading(column) == "name" or " with no name" in error:
        header = header or next((each for each in row if heading(each) in _NAME), "name")
        return _name(sheet, row, number, header, error)
    if heading(column) == "parameters" and str(row.get("type", "")) == "range":
        row["type"] = "decimal"  # without parameters pyxform would read a range from 1 to 10
    if header and heading(header) not in ("type", "list name"):
        return Mended("cell", sheet, number, header, _excerpt(row.pop(header)), error)
    shown = " ".join(_excerpt(row[each]) for each in row if heading(each) in ("type", *_NAME))
    row.clear()  # an empty row keeps the numbers of those below
    return Mended("row", sheet, number, "", shown, error)


def _name(sheet: str, row: NamedCells, number: int, header: str, error: str) -> Mended:
    """Replace a name by one that no other row has. Names are not shown."""
    old = str(row.get(header, ""))
    stem = re.sub(r"[^A-Za-z0-9_]+", "_", old).strip("_") or "row"
    row[header] = f"{stem if stem[0].isalpha() else f'row_{stem}'}_{number}"
    return Mended("name", sheet, number, header, f"{_excerpt(old)} → {row[header]}".strip(), error)


def _column(workbook: Workbook, sheet: str, first: str, other: str, error: str) -> Mended | None:
    """Keep one of two columns with the same meaning. A row with only the second keeps that."""
    headers = workbook.get(f"{sheet}_header") or [{}]
    if other not in headers[0]:
        return None
    headers[0].pop(other)
    for row in workbook[sheet]:
        if other in row:
            row.setdefault(first, row[other])
            row.pop(other)
    return Mended("column", sheet, 1, other, first, error)


def _coded(workbook: Workbook, name: str, listed: str, error: str) -> Mended | None:
    for i, row in enumerate(workbook.get("choices", ())):
        named = {heading(each): each for each in row}
        code = named.get("name") or named.get("value")
        if code and row.get(named.get("list name")) == listed and str(row[code]) == name:
            return _name("choices", row, i + 2, code, error)
    return None


def heading(name: str) -> str:
    """Return a column's name in one spelling."""
    return re.sub(r"\s*:+\s*", ":", name.strip().lower().replace("_", " "))


def _excerpt(value: object) -> str:
    return " ".join(str(value).split())[:SHOWN]
