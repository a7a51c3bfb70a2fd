"""Rewrite parts of a form that pyxform would change or does not know, and restore them in its result.

It runs in reader.py's process, and imports only site modules that run there too.
"""

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from surveys.designer.xlsform.cells import TEXTS, CellNote
from surveys.designer.xlsform.mending import Workbook, heading

# Our column: the question offers “Other” beside the options of its list. pyxform would add “Other” to the list, and so
# to every question with the list.
OTHER = "deniable_or_other"
# Our column: the parameters of a row that is no range. They have no meaning here, and some make pyxform refuse the
# form.
PARAMETERS = "deniable_parameters"
_OTHER = re.compile(r"\s+(?:or specify other|or_other|or other)$", re.IGNORECASE)
_CAPITALS = re.compile(
    r"[A-Z]\w*(?: (?:one|multiple|group|repeat)\b(?! (?:from|using|external)\b))?", re.ASCII | re.IGNORECASE
)
# Tables of KoBo. Their columns kobo--score-choices, kobo--rank-items and kobo--matrix_list stay.
_KOBO = re.compile(r"(begin|end)[ _](?:score|rank|kobomatrix)")
_VALUE = re.compile(r"=\s*([^\s,;]+)")
_META = re.compile(r"^meta$|(?<=\$\{)meta(?=\})")  # a name that pyxform reserves
_OTHER_META = "meta\U000e0001"
_YES = {"yes", "true", "true()", "1"}
# Characters that no file can hold. They replace what pyxform would change.
_PROTECTED = {"${": "$\x01{", "\u2018": "\x02", "\u2019": "\x03", "\u201c": "\x04", "\u201d": "\x05", "  ": " \x06"}


def translate(workbook: Workbook, notes: list[CellNote]) -> None:
    """Rewrite the workbook, in place, so that pyxform changes nothing."""
    for name in ("survey", "choices", "settings"):
        for row in workbook.get(name, ()):
            row.update({header: _protected(text) for header, text in row.items() if _is_text(header)})
    for i, row in enumerate(workbook.get("survey", ()), 2):
        row.update({header: _META.sub(_OTHER_META, text) for header, text in row.items() if not _is_text(header)})
        headers = {heading(header): header for header in row}
        if str(row.get(headers.get("disabled"), "")).lower() in _YES:
            notes.append(CellNote("disabled", "survey", f"row {i}", ", ".join(map(str, row.values()))))
            row.clear()
        for kind in {headers.get("type"), headers.get("command")} & row.keys():
            _translate_type(row, kind)
            _translate_looks(row, kind, headers, f"row {i}", notes)
    for headers in workbook.get("survey_header", ()):
        headers |= {OTHER: None, PARAMETERS: None}


def _translate_type(row: dict[str, str], kind: Any) -> None:
    type_ = row[kind].strip()
    if type_[:1].isupper():  # the command's capital comes from a program; a list's name keeps its own
        type_ = _CAPITALS.sub(lambda match: match[0].lower().replace(" ", "_"), type_, count=1)
    if _OTHER.search(type_):
        row[OTHER] = "yes"
        type_ = _OTHER.sub("", type_)
    row[kind] = _KOBO.sub(r"\1_group", type_) if _KOBO.fullmatch(type_) else type_


def _translate_looks(
    row: dict[str, str], kind: Any, headers: dict[str, str], place: str, notes: list[CellNote]
) -> None:
    """Write appearances in small letters. Keep parameters only for a range with readable numbers."""
    looks, parameters = headers.get("appearance", ""), headers.get("parameters", "")
    if looks in row:
        row[looks] = row[looks].lower()
    if parameters not in row:
        return
    text = row[parameters]
    if row[kind] != "range":
        row[PARAMETERS] = row.pop(parameters)
    elif not all(map(_is_readable, _VALUE.findall(text))):
        notes.append(CellNote("cell", "survey", place, f"{parameters} {row.pop(parameters)}"))
        row[kind] = "decimal"  # without parameters pyxform would read a range from 1 to 10


def _is_readable(value: str) -> bool:
    """Return whether the number has at most 12 digits before the point and 6 after it. A text that is no number counts
    as readable, because pyxform refuses it."""
    try:
        number = Decimal(value)
    except InvalidOperation:
        return True
    return number.is_finite() and number.adjusted() < 12 and round(number, 6) == number


def _is_text(header: str) -> bool:
    return heading(header).partition(":")[0] in TEXTS


def _protected(text: str) -> str:
    for sign, other in _PROTECTED.items():
        text = text.replace(sign, other)
    return text


def restored(data: Any) -> Any:
    """Return a copy of pyxform's result with the original texts."""
    if isinstance(data, str):
        for sign, other in _PROTECTED.items():
            data = data.replace(other, sign)
        return data.replace(_OTHER_META, "meta")
    if isinstance(data, dict):
        return {name: restored(value) for name, value in data.items()}
    return [restored(value) for value in data] if isinstance(data, list | tuple) else data
