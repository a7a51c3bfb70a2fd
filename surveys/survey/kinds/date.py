"""A date, counted in spans of years, months or days."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from ldp.kinds.date import FORM, are_dates, first_day, is_date
from surveys.figures import layout
from surveys.figures.display import Method, Result
from surveys.figures.layout import Plan
from surveys.rules.context import Context
from surveys.rules.draft_schema import Schema, listed, says
from surveys.rules.languages import DEFAULT, ImpliedWords, implied_words
from surveys.rules.limits import CATEGORIES_MAX
from surveys.rules.refusals import Refusals, as_text, refuse
from surveys.rules.shapes import must, option_count
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey.kinds.fields import Field
from surveys.survey.kinds.options import OptionKind
from surveys.survey.kinds.protocol import Kind

BETWEEN, OPEN = " – ", "…"
SPAN = re.compile(rf"(…|{FORM.pattern})( – {FORM.pattern}| – …)?", re.ASCII)

# A year as a number; or a year, a month or a day as a text.
DATE: Schema = {
    "anyOf": [
        {"type": "integer", "minimum": 1000, "maximum": 9999},
        {"type": "string", "pattern": "^[1-9][0-9]{3}(-[0-9]{2}){0,2}$"},
    ]
}
DATES = Field(
    "dates",
    gettext_lazy("Dates between spans"),
    listed(DATE, 3, CATEGORIES_MAX + 1)
    | says("Increasing; all years, all months or all days. A span ends before the next date."),
    gettext_lazy(
        "One on each line: years such as 1980, months such as 2025-01 or days such as 2025-01-31. Each span ends "
        "before the next date. People are asked for the year, month or day alone, and it stays in their browser."
    ),
    widget="lines",
    entered="date",
    needed=True,
    missing=gettext_lazy("Write at least three dates, one on each line."),
    least=3,
)


class Date(OptionKind):
    name: Promise = gettext_lazy("Date")
    purpose: Promise = gettext_lazy("When something was, such as the year of birth.")
    typed_fields: tuple[Field, ...] = (DATES,)
    begins: Mapping[str, Any] = {"dates": []}
    required = frozenset({"dates"})
    optional = frozenset({"delta", "size"})
    fields = frozenset({"dates", "options"})
    has_order = ordinal = True
    texts: frozenset[str] = frozenset()
    lists: Mapping[str, int] = {}
    entered = "date"
    reading = "dates"

    def build(self, draft: Unchecked, where: str) -> Built:
        own: Built = {"dates": _dates(draft["dates"], f"{where}.dates")}
        return {"options": self.implied_options(own, implied_words(DEFAULT))} | own

    def implied_options(self, question: Mapping[str, Any], words: ImpliedWords) -> list[str]:
        """Return the spans as options: first and last date, both included. They are the same in every language."""
        dates: list[str] = question["dates"]
        inner = [_from_to(low, _before(high)) for low, high in pairwise(dates[1:-1])]
        return [BETWEEN.join([OPEN, _before(dates[1])]), *inner, BETWEEN.join([dates[-2], OPEN])]

    def check(self, question: Unchecked) -> None:
        must(are_dates(question["dates"]))
        must(option_count(question) == len(question["dates"]) - 1)

    def _picture(self, result: Result) -> str:
        return _("Histogram")

    def numbers(self, result: Result, method: Method) -> Context:
        """Return the numbers, marked so that the page words the spans in its language."""
        return super().numbers(result, method) | {"named": True}

    def layout(self, result: Result, width: str) -> Plan:
        return layout.bins(result, width, places(result["dates"]))


def places(dates: list[str]) -> list[float]:
    """Return the position of each date on the time axis, in years, months or days. So all quarters are equally long."""
    days = [first_day(text) for text in dates]
    units = {4: lambda day: day.year, 7: lambda day: 12 * day.year + day.month, 10: date.toordinal}
    return [float(units[len(dates[0])](day)) for day in days]


def in_words(options: Sequence[str]) -> list[str]:
    """Return the options as a results page names them. Spans of dates are in the reader's language and break only
    between the dates; other options stay. Only this kind has a first option of that form.
    """
    if not options or not SPAN.fullmatch(options[0]) or not options[0].startswith(OPEN):
        return list(options)
    return [span_in_words(option) if SPAN.fullmatch(option) else option for option in options]


def span_in_words(span: str) -> str:
    """Return a span of dates in the reader's language, as a results page names it."""
    first, _dash, last = span.partition(BETWEEN)
    if first == OPEN:
        return _("until %(day)s") % {"day": _local(last)}
    if last == OPEN:
        return _("from %(day)s on") % {"day": _local(first)}
    return BETWEEN.join(_local(each) for each in (first, last) if each)


def _local(text: str) -> str:
    name = {4: "", 7: "SHORT_MONTH_FORMAT", 10: "SHORT_DATE_FORMAT"}[len(text)]
    return date_format(first_day(text), name).replace(" ", "\N{NO-BREAK SPACE}") if name else text


def _from_to(first: str, last: str) -> str:
    return first if first == last else BETWEEN.join([first, last])


def _before(text: str) -> str:
    """Return the previous year, month or day."""
    return (first_day(text) - timedelta(days=1)).isoformat()[: len(text)]


def _dates(given: object, where: str) -> list[str]:
    if not isinstance(given, list) or not 3 <= len(given) <= CATEGORIES_MAX + 1:
        rule = gettext_noop("must be a list of 3 to %(most)s dates")
        raise refuse(where, "list_length", rule, least=3, most=CATEGORIES_MAX + 1)
    refusals = Refusals()
    read = [refusals.attempt(_date, each, f"{where}[{i}]") for i, each in enumerate(given)]
    refusals.check()
    dates = [each for each in read if each is not None]
    if len({len(each) for each in dates}) > 1:
        raise refuse(where, "date_precision", gettext_noop("must all be years, all months or all days"))
    if not are_dates(dates):
        raise refuse(where, "edge_order", gettext_noop("must increase from each to the next"))
    return dates


def _date(given: object, where: str) -> str:
    text = as_text(given)
    if not isinstance(text, str) or not is_date(text):
        rule = gettext_noop("must be a year such as 1984, a month such as 1984-07 or a day such as 1984-07-31")
        raise refuse(where, "date_format", rule)
    return text


KIND: Kind = Date()
