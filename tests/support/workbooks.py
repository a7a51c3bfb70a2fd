"""Workbooks for the tests, written row by row, and the drafts that are read from them."""

import io
from typing import Any

from openpyxl import Workbook

from surveys.designer.xlsform import conversion, sandbox


def workbook(**sheets: list[list[Any]]) -> bytes:
    """Return the bytes of an .xlsx with these sheets; the first row of each sheet is its header."""
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


YES_NO = [["yes_no", "yes", "Yes"], ["yes_no", "no", "No"]]
COLOURS = [["colours", "r", "Red"], ["colours", "g", "Green"], ["colours", "b", "Blue"]]
FREQUENT = [["frequent", "1", "Never"], ["frequent", "2", "Sometimes"], ["frequent", "3", "Always"]]
CHOICES = [["list_name", "name", "label"], *YES_NO, *COLOURS, *FREQUENT]


def form(*rows: dict[str, str], choices: list[list[Any]] | None = None, **settings: str) -> bytes:
    """Return a form of these rows and the lists above. A row maps columns to contents."""
    columns = list(dict.fromkeys(["type", "name", "label", *(column for row in rows for column in row)]))
    survey = [columns, *([row.get(column) for column in columns] for row in rows)]
    more = {"settings": [list(settings), list(settings.values())]} if settings else {}
    return workbook(survey=survey, choices=choices or CHOICES, **more)


def row(kind: str, name: str = "", label: str = "", **more: str) -> dict[str, str]:
    return {"type": kind, "name": name, "label": label, **more}


def imported(data: bytes) -> Any:
    """Return the draft of a form, with its remarks and decisions."""
    return conversion.draft_of(sandbox.read(data), "the file")


def named(read: Any, words: str, group: str | None = None) -> list[str]:
    """Return the names in the remarks whose sentence has these words."""
    found = [remark for remark in read.remarks if words in remark.text and group in (None, remark.group)]
    assert found, f"no remark says {words!r}: {[remark.text for remark in read.remarks]}"
    return [name for remark in found for name in remark.names]
