"""The program that reads a spreadsheet: a file on its standard input, what pyxform makes of it on its standard output.

It runs by itself, with limits of its own and without the site's settings (sandbox.py), since whoever sends a file may
have made it to harm the reader. It therefore imports nothing of the site.
"""

import io
import json
import re
import resource
import sys
import time
import zipfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

MEMORY = 768 << 20  # bytes of addresses, of which the interpreter and the libraries take a fifth
SECONDS = 10  # of the processor
UNPACKED_MAX = 32 << 20  # bytes of all parts together
PARTS_MAX = 1_000
ROWS_MAX = 5_000  # of one sheet
LISTS_MAX = 20_000  # options of all questions together
LISTED_MAX = 8 << 20  # their characters in all languages, since a draft repeats them in each question
GROUPS_DEEP = 50  # within each other
MENDED_MAX = 200
MENDING = 5  # seconds of the processor, after which no further try begins

FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
MACROS = re.compile(r"vbaProject\.bin$|/macrosheets/", re.IGNORECASE)
SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")


class Refused(Exception):
    """The file is none that is read. The first argument names the reason, as sandbox.py lists them."""


def main() -> None:
    _limit()
    data = sys.stdin.buffer.read()
    try:
        answer = read(data)
    except Refused as refused:
        answer = {"refused": refused.args[0], "detail": " ".join(refused.args[1:])}
    except MemoryError:
        answer = {"refused": "large", "detail": ""}
    sys.stdout.write(json.dumps(answer))


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read(data: bytes) -> dict[str, Any]:
    """pyxform's form, its warnings, the sheets, the choices that repeat another, what was taken out since pyxform would
    refuse the whole form for it, and whether any cell holds a formula."""
    formulas = _opened(data)
    # Only now: what was refused above costs no loading.
    import openpyxl
    from pyxform import xls2json_backends
    from pyxform.errors import PyXFormError
    from pyxform.xls2json import workbook_to_json

    if not openpyxl.DEFUSEDXML:  # entities would be expanded
        raise Refused("broken")
    mended: list[list[Any]] = []
    _without_twins(xls2json_backends, mended)
    try:
        workbook = xls2json_backends.xlsx_to_dict(io.BytesIO(data))
        sheets = [name for name in workbook if isinstance(workbook[name], list)]
        if any(len(workbook[name]) > ROWS_MAX for name in sheets):
            raise Refused("rows", str(ROWS_MAX))
        repeated = _without_repeated(workbook)
        form, warnings = _mended_form(workbook, workbook_to_json, mended)
    except PyXFormError as error:
        raise Refused("form", str(error)) from None
    except (Refused, MemoryError):
        raise
    except Exception as error:
        # A spreadsheet that openpyxl or pyxform trips over, entities within its XML among them.
        raise Refused("broken") from error
    sheets = workbook["sheet_names"]
    answer = {"form": form, "warnings": warnings, "sheets": sheets, "repeated": repeated, "formulas": formulas}
    return answer | {"mended": mended}


def _without_repeated(workbook: dict[str, Any]) -> list[list[Any]]:
    """Take away the choices with the name of one above them in the same list, since pyxform would refuse the whole form
    for them: the row, the list and the name of each. A form that allows them keeps them."""
    heading = _mending().heading
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
            row.clear()  # as an empty row is: those below keep their numbers
        seen.add(both)
    return repeated


def _opened(data: bytes) -> bool:
    """Whether there are formulas; Refused where it is no workbook, holds programs or unpacks to too much."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError):
        raise Refused("no workbook") from None
    parts = archive.infolist()
    if len(parts) > PARTS_MAX or sum(part.file_size for part in parts) > UNPACKED_MAX:
        raise Refused("large")
    if "xl/workbook.xml" not in archive.namelist():
        raise Refused("no workbook")
    if any(MACROS.search(part.filename) for part in parts):
        raise Refused("macros")
    try:
        sheets = [archive.read(part) for part in parts if SHEET.fullmatch(part.filename)]
    except Exception:  # of each compression its own
        raise Refused("broken") from None
    return any(FORMULA.search(sheet) for sheet in sheets)


def _mending() -> Any:
    """mending.py, which stands beside this file; nothing else of the folder has a name that a library looks for."""
    folder = str(Path(__file__).parent)
    if folder not in sys.path:
        sys.path.append(folder)
    return import_module("mending")


def _without_twins(backends: Any, mended: list[list[Any]]) -> None:
    """Leave out columns with the name of one to their left, for which pyxform would refuse the whole form."""
    headers = backends.get_excel_column_headers

    def different(first_row: Any) -> Any:
        names: list[Any] = []
        for name in first_row:
            is_twin = name is not None and str(name).strip() in names
            if is_twin:
                mended.append(["column", "", 1, str(name).strip(), "", f"Duplicate column header: {name}"])
            names.append(None if is_twin or name is None else str(name).strip())
        return headers(names)

    backends.get_excel_column_headers = different


def _mended_form(workbook: Any, to_json: Any, mended: list[list[Any]]) -> tuple[Any, list[str]]:
    """As _form, without the cells, rows and columns that pyxform refuses the form for; they are added to `mended`."""
    from pyxform.errors import PyXFormError

    while True:
        try:
            return _form(workbook, to_json)
        except PyXFormError as error:
            is_late = len(mended) >= MENDED_MAX or time.process_time() > MENDING
            change = None if is_late else _mending().mend(workbook, str(error))
            if change is None:
                raise
            mended.append(list(change))


def _form(workbook: dict[str, Any], to_json: Any) -> tuple[dict[str, Any], list[str]]:
    from pyxform.xls2json_backends import DefinitionData

    warnings: list[str] = []
    form = to_json(DefinitionData(**workbook), form_name="survey_form", fallback_form_name="", warnings=warnings)
    lists = form.get("choices", {})
    for question in _questions(form):
        # pyxform repeats the whole list in each question that has it.
        question.pop("choices", None)
    named = [name for question in _questions(form) if (name := question.get("itemset")) in lists]
    if sum(len(lists[name]) for name in named) > LISTS_MAX:
        raise Refused("large")
    lengths = {name: sum(map(_length, choices)) for name, choices in lists.items()}
    if sum(lengths[name] for name in named) > LISTED_MAX:
        raise Refused("large")
    return form, warnings


def _length(choice: dict[str, Any]) -> int:
    label = choice.get("label", "")
    return sum(len(str(text)) for text in (label.values() if isinstance(label, dict) else [label]))


def _questions(form: dict[str, Any], depth: int = 0) -> Iterator[dict[str, Any]]:
    if depth > GROUPS_DEEP:
        raise Refused("deep")
    for child in form.get("children", ()):
        yield child
        if "children" in child:
            yield from _questions(child, depth + 1)


if __name__ == "__main__":
    main()
