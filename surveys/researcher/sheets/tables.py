"""A table as CSV: text that a spreadsheet never runs and no reader drops. Numbers read back exactly.
A document as JSON."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ldp.tidy import Row
from surveys.researcher.sheets.csv_safety import escape

# Some spreadsheets take UTF-8 for what it is only behind this.
BOM = b"\xef\xbb\xbf"
_AT_ONCE = 1 << 16  # characters


def marked(text: str | bytes) -> bytes:
    return BOM + (text.encode() if isinstance(text, str) else text)


def csv_lines(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """RFC 4180, some lines at a time. What does not exist is an empty cell."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row[column]) for column in columns])
        if out.tell() > _AT_ONCE:
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()


def csv_text(columns: Sequence[str], rows: Iterable[Row]) -> str:
    return "".join(csv_lines(columns, rows))


def json_text(document: Mapping[str, object]) -> str:
    return json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False) + "\n"


def _cell(value: object) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else escape(value)
