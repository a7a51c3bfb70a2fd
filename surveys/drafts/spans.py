"""Usual dates between spans, counted from today. In a question they are ordinary dates."""

from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from surveys.drafts import outline
from surveys.drafts.kinds import title
from surveys.rules.draft import Draft


class DateSpans(NamedTuple):
    name: Promise
    dates: Callable[[date], list[str]]


def _births(today: date) -> list[str]:
    """Return decades. Older people count in the first span, younger people in the last."""
    this = today.year // 10 * 10
    return [str(year) for year in range(this - 100, this + 1, 10)]


def _years(today: date) -> list[str]:
    return [str(year) for year in range(today.year - 10, today.year + 2)]


def _months(today: date, width: int) -> list[str]:
    """Return spans of `width` months: the present one and all of the two years before."""
    this = (12 * today.year + today.month - 1) // width * width
    return [f"{month // 12}-{month % 12 + 1:02}" for month in range(this - 24, this + width + 1, width)]


PRESETS: dict[str, DateSpans] = {
    "births": DateSpans(_("Year of birth, by decades"), _births),
    "years": DateSpans(_("The last ten years"), _years),
    "quarters": DateSpans(_("The last two years, by quarters"), lambda today: _months(today, 3)),
    "months": DateSpans(_("The last two years, by months"), lambda today: _months(today, 1)),
}


def fill(draft: Draft, key: str, name: str, today: date) -> str:
    """Replace a question's dates; return a message."""
    question = outline.question_of(draft, key)
    question["dates"] = PRESETS[name].dates(today)
    return _now("Changed “%(title)s”.") % {"title": title(question)}
