"""The program that reads a spreadsheet: a file on standard input, pyxform's result on standard output.

It runs in a separate process with limits and without the site's settings (sandbox.py), because a file may be malicious.
So it imports only those modules of this folder that import nothing of the site either.
"""

import io
import json
import re
import resource
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MEMORY = 768 << 20  # bytes of address space; the interpreter and the libraries take a fifth
SECONDS = 10  # of the processor
UNPACKED_MAX = 32 << 20  # bytes of all parts together
PARTS_MAX = 1_000
ROWS_MAX = 5_000  # rows of a sheet
LISTS_MAX = 20_000  # options of all questions
LISTED_MAX = 8 << 20  # characters of options in all languages; a draft repeats a list in each of its questions
GROUPS_DEEP = 50  # levels of nested groups
MENDED_MAX = 200
MENDING = 5  # seconds of the processor; no further try begins later

# Other formats that are archives, by the names of their parts.
OTHERS = {
    "macros": re.compile(r"vbaProject\.bin$|/macrosheets/", re.IGNORECASE),
    "binary": re.compile(r"^xl/workbook\.bin$"),
    "opendocument": re.compile(r"^content\.xml$"),
    "numbers": re.compile(r"^Index(?:/Document\.iwa|\.zip)$"),
}
SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
STRICT = "http://purl.oclc.org/ooxml/"
STRICT_NAMES = {
    STRICT + "spreadsheetml/main": "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    STRICT + "officeDocument/": "http://schemas.openxmlformats.org/officeDocument/2006/",
    STRICT + "drawingml/": "http://schemas.openxmlformats.org/drawingml/2006/",
}
ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")

Document = dict[str, Any]


class FileRefused(Exception):
    """The file is not read. The first argument names the reason, as listed in sandbox.py."""


def main() -> None:
    _limit()
    data = sys.stdin.buffer.read()
    sys.path.append(str(Path(__file__).parents[3]))
    try:
        answer = read(data)
    except FileRefused as refused:
        answer = {"refused": refused.args[0], "detail": " ".join(refused.args[1:])}
    except MemoryError:
        answer = {"refused": "large", "detail": ""}
    sys.stdout.write(json.dumps(answer))


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read(data: bytes) -> Document:
    """Return pyxform's form and warnings, the sheets, repeated choices, removed parts that pyxform would refuse, and
    notes on cells whose displayed text is not used."""
    data = _opened(data)
    # Imported here, so that a file refused above costs no loading.
    import openpyxl
    from openpyxl.reader.excel import ExcelReader
    from pyxform.errors import PyXFormError
    from pyxform.xls2json import workbook_to_json

    if not openpyxl.DEFUSEDXML:  # XML entities would be expanded
        raise FileRefused("broken")
    from surveys.designer.xlsform import cells, dialect, worksheet

    mended: list[list[Any]] = []
    try:
        book = ExcelReader(io.BytesIO(data), read_only=True, data_only=True)
        book.read()
        workbook, notes = cells.read(book.wb, ROWS_MAX)
        if "survey" in workbook and not workbook["survey_header"]:
            raise FileRefused("form", "The sheet named 'survey' is empty.")
        dialect.translate(workbook, notes)
        repeated = _without_repeated(workbook)
        form, warnings = _mended_form(workbook, workbook_to_json, mended)
    except worksheet.TooManyRows:
        raise FileRefused("rows", str(ROWS_MAX)) from None
    except PyXFormError as error:
        raise FileRefused("form", str(dialect.restored(str(error)))) from None
    except (FileRefused, MemoryError):
        raise
    except Exception as error:
        # openpyxl or pyxform failed on the spreadsheet, for example on XML entities.
        raise FileRefused("broken") from error
    answer = {"form": form, "warnings": warnings, "sheets": workbook["sheet_names"], "repeated": repeated}
    restored: Document = dialect.restored(answer | {"mended": mended})
    return restored | {"notes": notes}


def _without_repeated(workbook: Document) -> list[list[Any]]:
    """Remove choices that repeat a name in their list, because pyxform would refuse the whole form. Return the row,
    list and name of each. A form that allows them keeps them."""
    from surveys.designer.xlsform.mending import heading

    settings = {heading(name): value for row in workbook.get("settings", ())[:1] for name, value in row.items()}
    if str(settings.get("allow choice duplicates", "no")).lower() in ("yes", "true", "true()"):
        return []
    seen: set[tuple[str, str]] = set()
    repeated: list[list[Any]] = []
    for i, row in enumerate(workbook.get("choices", ())):
        named = {heading(name): str(value) for name, value in row.items()}
        both = named.get("list name", ""), named.get("name", named.get("value", ""))
        if all(both) and both in seen:
            repeated.append([i + 2, *both])
            row.clear()  # an empty row keeps the numbers of those below
        seen.add(both)
    return repeated


def _opened(data: bytes) -> bytes:
    """Return the workbook. Raise FileRefused if it is none, holds programs or unpacks to too much."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError):
        raise FileRefused("no workbook") from None
    parts = archive.infolist()
    if len(parts) > PARTS_MAX or sum(part.file_size for part in parts) > UNPACKED_MAX:
        raise FileRefused("large")
    names = {part.filename for part in parts}
    for reason, sign in OTHERS.items():
        if any(sign.search(name) for name in names):
            raise FileRefused(reason)
    if "xl/workbook.xml" not in names:
        raise FileRefused("no workbook")
    try:
        workbook = archive.read("xl/workbook.xml")
        is_strict = any(STRICT.encode(encoding) in workbook for encoding in ENCODINGS)
        for sheet in filter(SHEET.fullmatch, names):
            archive.read(sheet)
        return _transitional(archive) if is_strict else data
    except Exception:  # each compression has its own errors
        raise FileRefused("broken") from None


def _transitional(archive: zipfile.ZipFile) -> bytes:
    """Return a workbook in Strict Open XML with the names that openpyxl knows."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for part in archive.infolist():
            content = archive.read(part)
            if part.filename.endswith((".xml", ".rels")):
                for encoding in ENCODINGS:
                    for name, other in STRICT_NAMES.items():
                        content = content.replace(name.encode(encoding), other.encode(encoding))
            made.writestr(part.filename, content)
    return file.getvalue()


def _mended_form(workbook: Any, to_json: Any, mended: list[list[Any]]) -> tuple[Any, list[str]]:
    """Return the form as _form does, without the cells, rows and columns that pyxform refuses. Append these to
    `mended`."""
    from pyxform.errors import PyXFormError

    from surveys.designer.xlsform.mending import mend

    while True:
        try:
            return _form(workbook, to_json)
        except PyXFormError as error:
            is_late = len(mended) >= MENDED_MAX or time.process_time() > MENDING
            change = None if is_late else mend(workbook, str(error))
            if change is None:
                raise
            mended.append(list(change))


def _form(workbook: Document, to_json: Any) -> tuple[Document, list[str]]:
    from pyxform.xls2json_backends import DefinitionData

    warnings: list[str] = []
    form = to_json(DefinitionData(**workbook), form_name="survey_form", fallback_form_name="", warnings=warnings)
    lists = form.get("choices", {})
    for question in _questions(form):
        # pyxform repeats the whole list in each of its questions.
        question.pop("choices", None)
    named = [name for question in _questions(form) if (name := question.get("itemset")) in lists]
    if sum(len(lists[name]) for name in named) > LISTS_MAX:
        raise FileRefused("large")
    lengths = {name: sum(map(_length, choices)) for name, choices in lists.items()}
    if sum(lengths[name] for name in named) > LISTED_MAX:
        raise FileRefused("large")
    return form, warnings


def _length(choice: Document) -> int:
    label = choice.get("label", "")
    return sum(len(str(text)) for text in (label.values() if isinstance(label, dict) else [label]))


def _questions(form: Document, depth: int = 0) -> Iterator[Document]:
    if depth > GROUPS_DEEP:
        raise FileRefused("deep")
    for child in form.get("children", ()):
        yield child
        if "children" in child:
            yield from _questions(child, depth + 1)


if __name__ == "__main__":
    main()
