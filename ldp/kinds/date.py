"""A date, counted in spans of years, months or days. The spans are randomized like a histogram's bins (M17b)."""

import re
from datetime import date
from itertools import pairwise

from ldp.kinds.options import OptionKind
from ldp.kinds.protocol import Kind

# ISO 8601: a year, a month or a day. Dates of one length sort like their texts.
FORM = re.compile(r"[1-9][0-9]{3}(-[0-9]{2}){0,2}", re.ASCII)
FIRST = "1000-01-01"


class Date(OptionKind):
    """An answer is the index of a span, or of "prefer not to say" after the spans."""


def is_date(value: object) -> bool:
    """Return whether a value is a text with a year, a month or a day of the calendar."""
    if not isinstance(value, str) or not FORM.fullmatch(value):
        return False
    try:
        first_day(value)
    except ValueError:
        return False
    return True


def first_day(text: str) -> date:
    return date.fromisoformat(text + FIRST[len(text) :])


def are_dates(values: object) -> bool:
    """Return whether a value is a list of dates of one precision, increasing."""
    if not isinstance(values, list) or not all(map(is_date, values)):
        return False
    return len({len(value) for value in values}) <= 1 and all(low < high for low, high in pairwise(values))


KIND: Kind = Date()
