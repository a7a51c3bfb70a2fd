"""A workbook of tables, in the active language. It runs from right to left if the language does."""

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import get_language_bidi
from django.utils.translation import gettext as _

from ldp.document import Header
from ldp.tidy import Row
from surveys.operation.spreadsheet import cell_text
from surveys.researcher.sheets.column import Column
from surveys.researcher.sheets.common_columns import DATE, RELEASE, SURVEY, TOTALS_DIGEST, N
from surveys.researcher.sheets.csv_safety import begins_like_formula

if TYPE_CHECKING:  # the import takes a twentieth of a process's start, and few processes need it
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# The most rows of a sheet. A longer table would take minutes: it is left out, and the sheet says so.
ROWS_MAX = 20_000
_RELEASE = (SURVEY, RELEASE, DATE, N, TOTALS_DIGEST)
WIDTH, WIDE = 16, {"text": 48, "reason": 48, "option": 28, "other_option": 28}


class Table(NamedTuple):
    """A sheet. `file` is the name of the download with all rows."""

    title: str
    file: str
    columns: Sequence[Column]
    rows: Iterable[Row]


def workbook(about: Iterable[list[Any]], tables: Sequence[Table]) -> bytes:
    """Return the workbook. `about` are the lines of the first sheet."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    _fill(_sheet(book, _("Release"), (28, 80)), about)
    for table in tables:
        _fill(_sheet(book, table.title, [WIDE.get(column.name, WIDTH) for column in table.columns]), _lines(table))
    _fill(_sheet(book, _("Columns"), (40, 32)), _names(tables))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def of_document(header: Header, question: str, table: Table) -> bytes:
    """Return a workbook of one table. Only the first sheet names the release."""
    about = [[str(column.heading), header[column.name]] for column in _RELEASE]  # type: ignore[literal-required]
    columns = tuple(column for column in table.columns if column not in _RELEASE)
    return workbook([*about, [_("Question"), question]], [table._replace(columns=columns)])


def _names(tables: Sequence[Table]) -> Iterator[list[Any]]:
    """Yield each heading with the column's name in the files."""
    yield [_("Heading"), _("Name in the CSV")]
    headings = {column.name: column.heading for table in tables for column in table.columns}
    for name, heading in headings.items():
        yield [str(heading), name]


def _lines(table: Table) -> Iterator[list[Any]]:
    yield [str(column.heading) for column in table.columns]
    rows = list(islice(table.rows, ROWS_MAX + 1))
    if len(rows) > ROWS_MAX:
        yield [_("This table is too long for a workbook. It is in %(file)s.") % {"file": table.file}]
        return
    for row in rows:
        yield [column.in_words(row[column.name]) for column in table.columns]


def _sheet(book: "Workbook", title: str, widths: Iterable[int]) -> "WriteOnlyWorksheet":
    from openpyxl.utils import get_column_letter

    sheet = book.create_sheet(title)
    sheet.sheet_view.rightToLeft = get_language_bidi()
    sheet.freeze_panes = "A2"
    for place, width in enumerate(widths, 1):
        sheet.column_dimensions[get_column_letter(place)].width = width
    return sheet


def _fill(sheet: "WriteOnlyWorksheet", lines: Iterable[list[Any]]) -> None:
    from openpyxl.styles import Font

    bold = Font(bold=True)
    for number, line in enumerate(lines):
        cells = [_cell(sheet, value) for value in line]
        for cell in cells if number == 0 else ():
            cell.font = bold
        sheet.append(cells)


def _cell(sheet: "WriteOnlyWorksheet", value: object) -> "WriteOnlyCell":
    """Return a cell. Text stays text after edits, whatever it begins with: openpyxl would make it a formula."""
    from openpyxl.cell import WriteOnlyCell

    if not isinstance(value, str):
        return WriteOnlyCell(sheet, value)
    cell = WriteOnlyCell(sheet, cell_text(value))
    cell.data_type = "s"
    cell.quotePrefix = begins_like_formula(value)
    return cell
