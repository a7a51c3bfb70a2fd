"""A date, counted in spans of years, months or days, which are randomized as the bins of a histogram are (M5)."""

import re
from bisect import bisect_right
from datetime import date
from itertools import pairwise
from typing import cast

from ldp.kinds.options import OptionKind
from ldp.kinds.protocol import Kind
from ldp.question import Question

# ISO 8601: a year, a month or a day. Dates of one length lie in time as their texts lie in the alphabet.
FORM = re.compile(r"[1-9][0-9]{3}(-[0-9]{2}){0,2}", re.ASCII)
FIRST = "1000-01-01"
NEEDED = {4: "a year such as 1984", 7: "a month such as 1984-07", 10: "a day such as 1984-07-31"}


class Date(OptionKind):
    """An answer is the index of a span, or of "prefer not to say" behind them."""

    def filler(self, question: Question) -> int:
        """A date with the question's precision, from the first to the last."""
        dates, filler = question["dates"], cast(str, question["filler"])
        if not is_date(filler) or len(filler) != len(dates[0]) or not dates[0] <= filler <= dates[-1]:
            raise ValueError(f"{NEEDED[len(dates[0])]} is needed, from {dates[0]} to {dates[-1]}")
        return span(question, filler)


def is_date(value: object) -> bool:
    """Whether it is a text that names a year, a month or a day of the calendar."""
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
    """Whether they are dates, all as exact, each later than the one before."""
    if not isinstance(values, list) or not all(map(is_date, values)):
        return False
    return len({len(value) for value in values}) <= 1 and all(low < high for low, high in pairwise(values))


def span(question: Question, given: str) -> int:
    """The span of a date: from its first date to before the next one's; earlier and later ones in the outer spans."""
    return bisect_right(question["dates"][1:-1], given)


KIND: Kind = Date()
