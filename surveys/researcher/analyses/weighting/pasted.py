"""Known shares as a pasted table or a file. Each line has an answer's text and its share in percent."""

import codecs
import csv
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from surveys.figures import numerals, typed
from surveys.rules.lookalikes import likeness

DIGITS_MOST = 20
TABLE_MOST = 20_000  # characters
FILE, TABLE = "file", "table"


class UnfitTable(ValueError):
    """The reason why a table cannot be used."""


def percent(text: str) -> Decimal:
    """Return a typed share as a number from 0 to 100."""
    try:
        value = Decimal(typed.percent(text)) if len(text) <= DIGITS_MOST else None
    except typed.Unread as unread:
        if str(unread):
            raise UnfitTable(str(unread)) from None
        value = None
    if value is None or not 0 <= value <= 100:
        raise UnfitTable(_("Type a number from 0 to 100, such as 12.5."))
    return value


def with_files(data: QueryDict, files: "MultiValueDict[str, UploadedFile[Any]]") -> QueryDict:
    """Return the submitted data. The text of each file replaces the pasted table of the same form."""
    read = data.copy()
    for field, file in files.items():
        if field.endswith(FILE) and isinstance(file, UploadedFile):
            read[field.removesuffix(FILE) + TABLE] = _text(file.read(4 * (TABLE_MOST + 1)))
    return read


def _text(content: bytes) -> str:
    """Return a file's text, decoded as UTF-8 or UTF-16. Invalid bytes become signs that no answer has, so their line is
    refused. A file longer than TABLE_MOST still is after decoding, so the form refuses it."""
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if wide else "utf-8-sig", errors="replace")


def read(text: str, options: Sequence[str]) -> list[Decimal]:
    """Return the share of each option, in the options' order. Raise UnfitTable if a line has no option or no share, or
    if an option is missing or repeated."""
    shares = dict[int, Decimal]()
    for number, cells in enumerate(_lines(text), 1):
        if number == 1 and len(cells) > 1 and _place(cells[0], options) is None and percent_of(cells[1]) is None:
            continue  # a heading
        place, share = _line(number, cells, options)
        if place in shares:
            raise UnfitTable(
                _("Line %(line)s: “%(answer)s” is there twice.") % {"line": number, "answer": options[place]}
            )
        shares[place] = share
    for place, option in enumerate(options):
        if place not in shares:
            raise UnfitTable(_("“%(answer)s” has no line: each answer needs one.") % {"answer": option})
    return [shares[place] for place in range(len(options))]


def _line(number: int, cells: list[str], options: Sequence[str]) -> tuple[int, Decimal]:
    if len(cells) != 2:
        rule = _("Line %(line)s: it must be an answer and its share, such as “Yes;12.5”.")
        raise UnfitTable(rule % {"line": numerals.integer(number)})
    place = _place(cells[0], options)
    if place is None:
        rule = _("Line %(line)s: “%(answer)s” is not one of the answers.")
        raise UnfitTable(rule % {"line": numerals.integer(number), "answer": cells[0].strip()[:80]})
    try:
        return place, percent(cells[1])
    except UnfitTable as unfit:
        rule = _("Line %(line)s: %(rule)s")
        raise UnfitTable(rule % {"line": numerals.integer(number), "rule": unfit}) from None


def _place(cell: str, options: Sequence[str]) -> int | None:
    """Return the place of the option with this text. Case and look-alike spelling are ignored if one option fits."""
    for spelled in (str.strip, _folded):
        places = [place for place, option in enumerate(options) if spelled(option) == spelled(cell)]
        if len(places) == 1:
            return places[0]
    return None


def _lines(text: str) -> list[list[str]]:
    """Return the cells of all lines with text. The separator is a tab if any line has one, else a semicolon, else a
    comma."""
    lines = [line for line in text.splitlines() if line.strip()]
    sign = next((sign for sign in "\t;" if any(sign in line for line in lines)), ",")
    return list(csv.reader(lines, delimiter=sign, skipinitialspace=True))


def _folded(text: str) -> str:
    """Return the text folded, so that spellings that look alike apart from case are equal."""
    return likeness(text.casefold())


def percent_of(text: str) -> Decimal | None:
    """Return the share in percent that the text states; None if it states none."""
    try:
        return percent(text)
    except UnfitTable:
        return None
