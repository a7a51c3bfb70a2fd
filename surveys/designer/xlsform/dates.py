"""Dates of a form: their first and last day, and spans between them."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from surveys.designer.xlsform.rows import XlsformRow

_DAY = r"(?:date\s*)?['\"]([0-9]{4}-[0-9]{2}-[0-9]{2})['\"]"
_FROM = re.compile(rf"\.\s*(>=|>)\s*{_DAY}", re.ASCII)
_TO = re.compile(rf"\.\s*(<=|<)\s*{_DAY}", re.ASCII)
_ONE_DAY = timedelta(days=1)
SPANS_MAX = 12
# The dates of a question begin here (ldp/kinds/date.py) and end before this.
_EARLIEST, _LATEST = date(1000, 1, 1), date(9999, 1, 1)
# The possible lengths of a span, in each unit.
_YEARS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
_MONTHS, _DAYS = (1, 2, 3, 6, *(12 * years for years in _YEARS)), (1, 2, 7, 14, 28)
LOOKS = {4: "year", 7: "month-year", 10: ""}  # appearances for dates of this length


def of(row: XlsformRow) -> tuple[list[str], bool]:
    """Return the dates between the spans, [] if the form lacks a first or last day. Also return whether they express
    the whole constraint."""
    constraint = row.get("bind", {}).get("constraint", "").replace("(", " ").replace(")", " ")
    first = last = None
    complete = True
    for part in re.split(r"\band\b", constraint, flags=re.IGNORECASE):
        text = part.strip()
        if match := _FROM.fullmatch(text):
            first = _day(match[2], match[1] == ">")
        elif match := _TO.fullmatch(text):
            last = _day(match[2], match[1] == "<=")
        elif text:
            complete = False
    if first is None or last is None or re.search(r"\bor\b|\bnot\b", constraint):
        return [], complete and not constraint.strip()
    if not _EARLIEST <= first < last <= _LATEST:
        return [], False
    return spans(first, last, row.get("control", {}).get("appearance", "")), complete


def spans(first: date, end: date, look: str = "") -> list[str]:
    """Return the dates of at most twelve spans from the first day to before the end. The unit is the year for more than
    three years or an appearance for years, else the month by the same rule, else the day."""
    last = end - _ONE_DAY
    years, months = (first.year, last.year + 1), (_month(first), _month(last) + 1)
    if look == LOOKS[4] or (years[1] - years[0] > 3 and look != LOOKS[7]):
        return [f"{year:04}" for year in _even(*years, _YEARS)]
    if look == LOOKS[7] or months[1] - months[0] > 3:
        return [f"{month // 12:04}-{month % 12 + 1:02}" for month in _even(*months, _MONTHS)]
    return [date.fromordinal(day).isoformat() for day in _even(first.toordinal(), end.toordinal(), _DAYS)]


def _month(day: date) -> int:
    return 12 * day.year + day.month - 1


def _even(first: int, end: int, steps: Sequence[int]) -> list[int]:
    """Return edges from the first number to the end in equal steps; the last step may be shorter. Return [] for a
    single step."""
    step = next((each for each in steps if end - first <= SPANS_MAX * each), steps[-1])
    return [*range(first, end, step), end] if end - first > step else []


def _day(text: str, day_after: bool) -> date | None:
    try:
        return date.fromisoformat(text) + _ONE_DAY * day_after
    except (ValueError, OverflowError):
        return None
