"""Escape cells of text: no spreadsheet takes them for a formula (P9), and no reader of CSV for anything but text."""

import re
import unicodedata
from typing import Any

# A formula begins with one of these, in any width or position (compatibility forms).
OPERATORS = ("=", "+", "-", "@")
# Fillers and blanks that Unicode classifies as letters and symbols.
UNSEEN = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"
# A number is never a formula.
NUMBER = re.compile(r"[+-][0-9]+([.,][0-9]+)?([eE][+-]?[0-9]+)?%?", re.ASCII)
# The words that pandas, R and spreadsheets take for a missing value, even in quotation marks; in lower case.
MISSING_WORDS = {
    *("na", "n/a", "nan", "-nan", "null", "none", "<na>"),
    *("#ref!", "#div/0!", "#value!", "#name?", "#num!"),
    *("#na", "#n/a", "#n/a n/a", "#null!", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan"),
}


# Words that R and pandas take for true and false if a whole column has them, and numbers that would lose their zeros.
OTHERWISE_READ = re.compile(r"T|F|(?i:true|false)|0[0-9]+(?:\.[0-9]*)?", re.ASCII)


def escape(cell: Any) -> Any:
    """Return the cell of a CSV file. An apostrophe precedes text that a program takes for a formula, a missing value,
    true or false, or another number."""
    if isinstance(cell, str) and (cell.strip().lower() in MISSING_WORDS or OTHERWISE_READ.fullmatch(cell.strip())):
        return "'" + cell
    return escape_formula(cell)


def escape_formula(cell: Any) -> Any:
    """Return the cell. An apostrophe precedes text that a spreadsheet takes for a formula; numbers are unchanged."""
    if not isinstance(cell, str) or NUMBER.fullmatch(cell):
        return cell
    return "'" + cell if begins_like_formula(cell) else cell


def begins_like_formula(text: str) -> bool:
    """Return whether a spreadsheet could take this input for anything but text. Some programs trim invisible
    characters, so the first visible one decides. A leading control character or line break may split the cell."""
    splits = unicodedata.category(text[:1] or "x") in ("Cc", "Zl", "Zp")
    first = next(filter(_is_seen, text), "")
    return splits or unicodedata.normalize("NFKC", first).startswith(OPERATORS)


def _is_seen(character: str) -> bool:
    """Return False for marks, separators, controls, formats, and characters that Unicode does not define (yet)."""
    return unicodedata.category(character)[0] not in "MZC" and character not in UNSEEN
