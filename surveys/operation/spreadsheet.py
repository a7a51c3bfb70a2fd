"""Limits of a cell in a workbook."""

import re

CELL_MAX = 32_767  # characters
_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")  # by which a program reads a character
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # openpyxl lets two of these pass


def cell_text(text: str) -> str:
    """Return the text as a cell can hold it, cut to CELL_MAX."""
    return _ESCAPE.sub("_x005F_", _NOT_XML.sub("", text))[:CELL_MAX]
