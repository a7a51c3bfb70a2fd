"""Sheets of an exported form: cells, and rows with a column for each language."""

import re
from typing import TYPE_CHECKING

from surveys.designer.xlsform.languages import name_with_tag
from surveys.operation.spreadsheet import cell_text

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

SheetRow = dict[str, str]
Columns = tuple[str, ...]

TRANSLATED = ("label", "hint")

QUOTED = "${"
_QUOTED, _APART = re.compile("\\$(\u2060*)\\{"), re.compile("\\$\u2060(\u2060*)\\{")


def apart(text: str) -> str:
    """Return the text with an invisible character in each `${`, which a form would replace by an answer."""
    return _QUOTED.sub("$\u2060\\1{", text)


def together(text: str) -> str:
    """Return the text as it was before `apart`."""
    return _APART.sub("$\\1{", text)


def in_languages(columns: Columns, in_each: list[list[SheetRow]], tags: list[str]) -> tuple[Columns, list[SheetRow]]:
    """Return the columns and rows of a sheet in all languages. `in_each` has the same rows once for each tag."""
    if len(tags) == 1:
        return columns, in_each[0]
    rows = [same[0] | _texts(same, tags) for same in zip(*in_each, strict=True)]
    named = [[_name(column, tag) for tag in tags] if column in TRANSLATED else [column] for column in columns]
    return tuple(name for names in named for name in names), rows


def _texts(same: tuple[SheetRow, ...], tags: list[str]) -> SheetRow:
    return {
        _name(column, tag): row[column]
        for column in TRANSLATED
        for tag, row in zip(tags, same, strict=True)
        if column in row
    }


def _name(column: str, tag: str) -> str:
    return f"{column}::{name_with_tag(tag)}"


def fill(sheet: "Worksheet", columns: Columns, rows: list[SheetRow]) -> None:
    for number, row in enumerate([dict(zip(columns, columns, strict=True)), *rows], 1):
        for place, column in enumerate(columns, 1):
            if row.get(column):
                text = row[column]
                if column.partition("::")[0] in (*TRANSLATED, "form_title"):
                    text = apart(text)
                cell = sheet.cell(number, place, cell_text(text))
                # Otherwise openpyxl would make a formula from "=1+1".
                cell.data_type = "s"
