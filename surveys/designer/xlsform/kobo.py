"""Tables of KoBo. A score rates rows with one list of options, a ranking orders a list, and a matrix asks each column
about each entry of a list. dialect.py has converted them to groups."""

from typing import Any

from surveys.designer.xlsform.rows import XlsformRow

SCORE, RANK, MATRIX = LISTS = ("kobo--score-choices", "kobo--rank-items", "kobo--matrix_list")


def sort_of(group: XlsformRow) -> str:
    """Return the column of LISTS that the group has; "" if it is no table of KoBo."""
    return next((column for column in LISTS if group.get(column)), "")


def list_of(group: XlsformRow) -> Any:
    return str(group[sort_of(group)]).strip()


def as_question(group: XlsformRow) -> XlsformRow:
    """Return a row for the question of a score or ranking. The surrounding group has the condition."""
    return {name: value for name, value in group.items() if name in ("name", "label", "hint")}
