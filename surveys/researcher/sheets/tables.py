"""A table as CSV, or a document as JSON. In CSV a spreadsheet runs no text, no reader drops text, and numbers stay
exact."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ldp.tidy import Row
from surveys.researcher.sheets.csv_safety import escape

# Some spreadsheets recognize UTF-8 only after this mark.
BOM = b"\xef\xbb\xbf"
_AT_ONCE = 1 << 16  # characters


def marked(text: str | bytes) -> bytes:
    return BOM + (text.encode() if isinstance(text, str) else text)


def csv_lines(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """Yield the table by RFC 4180, some lines at a time. A missing value is an empty cell."""
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
