"""What a cell of a workbook can hold."""

import re

CELL_MAX = 32_767  # characters
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # openpyxl lets two of them pass


def cell_text(text: str) -> str:
    """As much of a text as a cell takes."""
    return _NOT_XML.sub("", text)[:CELL_MAX]
