"""The cells of a workbook as their displayed texts, in the rows that pyxform reads. Notes name all cells whose
displayed text is not used.

It runs in reader.py's process, and imports only site modules that run there too.
"""

import re
import unicodedata
from contextlib import suppress
from decimal import Decimal
from typing import Any, NamedTuple

from surveys.designer.xlsform import numberformat, serialdate, worksheet
from surveys.designer.xlsform.formatcode import UnknownFormat
from surveys.designer.xlsform.mending import Workbook, heading
from surveys.designer.xlsform.numberformat import CURRENCIES_OF_THE_COMPUTER, GENERAL, OF_THE_COMPUTER
from surveys.designer.xlsform.worksheet import SheetCell, serial

SHEETS = ("survey", "choices", "settings", "external_choices", "entities", "osm")
# The row of headings has one of each set.
_HEADINGS = {"survey": ({"type", "command"},), "choices": ({"name", "value"}, {"list name", "label", "caption"})}
_ERRORS = re.compile(
    r"#(?:NULL!|DIV/0!|VALUE!|REF!|NAME\?|NUM!|N/A|GETTING_DATA|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!"
    r"|PYTHON!|EXTERNAL!|ERROR!)|Loading\.\.\.|Err:[0-9]{3}"
)
_DITTO = {'"', "''", "\u3003", "\u2033", "\u201c", "\u201d", "-", "\u2013", "\u2014"}  # repeats the name above
_ESCAPED = re.compile("_x((?![Dd][89A-Fa-f])[0-9A-Fa-f]{4})_")  # an escaped character that XML cannot hold
TEXTS = ("label", "caption", "hint", "form title", "set form title", "title")

_CODES = ("name", "value")
_UNSEEN = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u2060\ufeff]")

CellTexts = dict[int, str]  # texts by column


class CellNote(NamedTuple):
    """A note: `what` happened, at which cell, row or column, and its text."""

    what: str
    sheet: str
    place: str
    text: str


def read(book: Any, most: int) -> tuple[Workbook, list[CellNote]]:
    """Return the sheets as pyxform reads them, and the notes. `book` is openpyxl's, opened read-only."""
    made: Workbook = {"sheet_names": []}  # names of the sheets that are not read
    notes: list[CellNote] = []
    for title in book.sheetnames:
        name = _header(title).lower()
        name = "survey" if len(book.sheetnames) == 1 and name not in SHEETS else name
        if name not in SHEETS[:3]:
            made["sheet_names"].append(title)
        if name not in SHEETS or not hasattr(book[title], "_get_source"):
            continue
        if name in made:
            notes.append(CellNote("twin", title, "", ""))
            continue
        made[name], headers = _Reader(name, worksheet.read(book, book[title], most), book, notes).read(most)
        made[f"{name}_header"] = [dict.fromkeys(headers)] if headers else []
    return made, notes


class _Reader:
    """Read one sheet."""

    def __init__(self, name: str, sheet: worksheet.Worksheet, book: Any, notes: list[CellNote]) -> None:
        self._name, self._sheet, self._notes = name, sheet, notes
        self._since_1904 = book.epoch.year == 1904
        self._headers: dict[int, str] = {}
        self._named: set[int] = set()  # columns with texts that respondents may see

    def read(self, most: int) -> tuple[list[dict[str, str]], list[str]]:
        """Return the rows below the headings, and the headings. The first row is row 2 of the sheet, so that row
        numbers are right. Settings have one row: the first that is not empty."""
        top = self._row_of_headings()
        self._read_headings(top)
        texts = {row: text for row in sorted(self._sheet.rows) if row > top and (text := self._texts(row))}
        self._spread(texts, top)
        self._note_hidden(texts)
        rows = {number: self._by_heading(number, row) for number, row in texts.items()}
        last = max((number for number, row in rows.items() if row), default=1)
        if last > most + top:
            raise worksheet.TooManyRows
        if self._name == "settings":
            _first, *others = [number for number, row in rows.items() if row] or [0]
            for number in others:
                self._note("settings", f"row {number}", ", ".join(rows[number].values()))
            return [row for row in rows.values() if row], list(self._headers.values())
        return [rows.get(number, {}) for number in range(2, last + 1)], list(self._headers.values())

    def _note(self, what: str, place: str, text: str = "") -> None:
        self._notes.append(CellNote(what, self._name, place, text))

    # Headings ---------------------------------------------------------------------------------------------------------

    def _row_of_headings(self) -> int:
        needed = _HEADINGS.get(self._name, ())
        first = sorted(self._sheet.rows)[: worksheet.SPARE]
        for row in first if needed else ():
            names = {heading(_header(str(cell.value))) for cell in self._sheet.rows[row].values()}
            names |= {each.partition(":")[0] for each in names}
            if all(names & each for each in needed):
                return row
        return first[0] if first else 1

    def _read_headings(self, top: int) -> None:
        for row in sorted(self._sheet.rows):
            if row < top:
                for column, cell in self._sheet.rows[row].items():
                    self._note("above", _place(column, row), _raw(cell))
        for column, cell in sorted(self._sheet.rows.get(top, {}).items()):
            text = _header(self._text(cell, _place(column, top), False))
            if text in self._headers.values():
                self._note("column", _place(column, top), text)
            elif text:
                self._headers[column] = text
        names = {column: heading(header).partition(":")[0] for column, header in self._headers.items()}
        self._named = {column for column, name in names.items() if name in TEXTS}
        if self._name == "choices" and not self._named:  # a list without texts shows its codes
            self._named = {column for column, name in names.items() if name in _CODES}

    # Rows -------------------------------------------------------------------------------------------------------------

    def _texts(self, row: int) -> CellTexts:
        texts: CellTexts = {}
        for column, cell in sorted(self._sheet.rows[row].items()):
            place = _place(column, row)
            if column not in self._headers:
                if _raw(cell).strip():
                    self._note("no heading", place, _raw(cell))
            elif text := self._text(cell, place, column in self._named):
                texts[column] = text
        return texts

    def _text(self, cell: SheetCell, place: str, is_named: bool) -> str:
        """Return the displayed text of the cell; "" for an empty cell or an error."""
        if cell.formula:
            self._note("formula" if cell.value is not None else "no value", place, _raw(cell))
        if cell.value is None:
            return ""
        if cell.kind == "e" or (cell.formula and _ERRORS.fullmatch(str(cell.value).strip())):
            self._note("error", place, str(cell.value))
            return ""
        if isinstance(cell.value, str):
            return self._of_text(cell, place, is_named)
        if isinstance(cell.value, bool):
            return self._uncertain("TRUE" if cell.value else "FALSE", place, is_named)
        return self._of_number(cell, place, is_named)

    def _of_text(self, cell: SheetCell, place: str, is_named: bool) -> str:
        text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), cell.value)
        text = "".join(each for each in text if each >= " " or each in "\t\n\r").strip()
        if not is_named:
            # Normalized, so that names match however their accents are stored.
            return unicodedata.normalize("NFC", _UNSEEN.sub("", text).replace("\u00a0", " ")).strip()
        try:
            return numberformat.of_text(text, cell.code) if text and "@" in cell.code and cell.code != "@" else text
        except UnknownFormat:
            self._note("not as shown", place, text)
            return text

    def _of_number(self, cell: SheetCell, place: str, is_named: bool) -> str:
        number = serial(cell.value, self._since_1904)
        try:
            if cell.builtin in OF_THE_COMPUTER or (cell.kind == "d" and cell.code == GENERAL):
                raise UnknownFormat
            if cell.code == GENERAL and numberformat.is_cut(Decimal(f"{number:.15g}")):
                raise UnknownFormat
            shown = numberformat.of_number(number, cell.code, self._since_1904)
        except UnknownFormat:
            return self._unshown(cell, number, place)
        is_alike = shown.alike and cell.builtin not in CURRENCIES_OF_THE_COMPUTER
        return shown.text if is_alike else self._uncertain(shown.text, place, is_named)

    def _unshown(self, cell: SheetCell, number: float, place: str) -> str:
        from openpyxl.styles.numbers import is_date_format

        text = numberformat.plain(number)
        if cell.builtin in OF_THE_COMPUTER or cell.kind == "d" or is_date_format(cell.code):
            with suppress(ValueError, ArithmeticError):
                text = serialdate.iso(Decimal(f"{number:.15g}"), self._since_1904)
        self._note("not as shown", place, text)
        return text

    def _uncertain(self, text: str, place: str, is_named: bool) -> str:
        if is_named:
            self._note("in English", place, text)
        return text

    def _by_heading(self, number: int, row: CellTexts) -> dict[str, str]:
        return {self._headers[column]: text for column, text in row.items()}

    # Parts of a row from other rows -----------------------------------------------------------------------------------

    def _spread(self, texts: dict[int, CellTexts], top: int) -> None:
        """Copy the text of merged cells to each row that they span, and a list's name to the options below it."""
        if self._name == "settings":
            return
        for column, first, last in self._sheet.merged:
            text = texts.get(first, {}).get(column)
            below = [row for row in texts if first < row <= last] if text and first > top else []
            for row in below:
                texts[row][column] = str(text)
            if below:
                self._note("merged", f"{_place(column, first)}:{_place(column, last)}", str(text))
        if self._name == "choices":
            self._name_lists(texts)

    def _name_lists(self, texts: dict[int, CellTexts]) -> None:
        by_name = {heading(name): column for column, name in self._headers.items()}
        home = by_name.get("list name")
        if home is None:
            return
        own = [column for name, column in by_name.items() if name.partition(":")[0] in (*_CODES, *TEXTS)]
        current = ""
        for number, row in texts.items():
            texts_of_row = ", ".join(row[column] for column in own if column in row)
            name = "" if row.get(home) in _DITTO else row.get(home)
            current = name or current
            if texts_of_row and current:
                row[home] = current
                if not name:
                    self._note("list", _place(home, number), f"{texts_of_row} → {current}")
                continue
            if texts_of_row or row.keys() - {home}:  # else it is only the name, above its options
                self._note("no list", _place(home, number), texts_of_row or ", ".join(row.values()))
            row.clear()

    def _note_hidden(self, texts: dict[int, CellTexts]) -> None:
        for row in sorted(self._sheet.hidden & texts.keys()):
            self._note("hidden", f"row {row}", ", ".join(texts[row].values()))
        for column in sorted(self._sheet.hidden_columns & self._headers.keys()):
            self._note("hidden", _place(column, ""), self._headers[column])


def _header(text: str) -> str:
    """Return the name of a column, without wide letters, invisible characters, and marks around it."""
    return " ".join(unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).split()).strip(' *:"')


def _place(column: int, row: object) -> str:
    from openpyxl.utils import get_column_letter

    return f"{get_column_letter(column)}{row}"


def _raw(cell: SheetCell) -> str:
    return "" if cell.value is None else str(cell.value)
