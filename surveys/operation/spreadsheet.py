"""Limits of a cell in a workbook."""

import re

CELL_MAX = 32_767  # characters
_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")  # by which a program would read a character
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # openpyxl lets two of them pass


def cell_text(text: str) -> str:
    """Return as much of a text as a cell can hold."""
    return _ESCAPE.sub("_x005F_", _NOT_XML.sub("", text))[:CELL_MAX]
