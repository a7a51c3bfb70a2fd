"""Cells of text that no spreadsheet takes for a formula (P9)."""

import unicodedata
from typing import Any

# What a spreadsheet may take for a formula begins with one of these, in any width or position (compatibility forms).
OPERATORS = ("=", "+", "-", "@")
# Fillers and blanks that are letters and symbols to Unicode.
UNSEEN = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"


def escape_formula(cell: Any) -> Any:
    """Text that a spreadsheet will show and never run; anything that is not text is returned as it is.

    Some programs trim what cannot be seen, so the first character that can be seen decides. A leading control
    character or line break may split the cell.
    """
    if not isinstance(cell, str):
        return cell
    splits = unicodedata.category(cell[:1] or "x") in ("Cc", "Zl", "Zp")
    first = next(filter(_is_seen, cell), "")
    if splits or unicodedata.normalize("NFKC", first).startswith(OPERATORS):
        return "'" + cell
    return cell


def _is_seen(character: str) -> bool:
    """False for all marks, separators, controls, formats and characters that Unicode does not know (yet)."""
    return unicodedata.category(character)[0] not in "MZC" and character not in UNSEEN
