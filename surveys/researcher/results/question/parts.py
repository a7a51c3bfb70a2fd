"""The parts of a page's section: sentences, and tables of texts."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from ldp.inference.intervals import Interval
from surveys.figures import numerals
from surveys.researcher.results.question.readings import Reading
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.released import ReleasedQuestion


class PageTable(NamedTuple):
    """The first text of each row is the row's heading."""

    id: str
    caption: str
    head: list[str]
    rows: list[list[str]]


class PageSection(NamedTuple):
    """`texts` come before the tables, `notes` after them. `selection` names the form of the section."""

    id: str
    title: str
    texts: list[str] = []
    tables: list[PageTable] = []
    notes: list[str] = []
    selection: str = ""
    open: bool = False


def span(interval: Sequence[float], decimals: int, apart: float | None = None) -> str:
    """Return the interval of shares, in percent and rounded outward. `apart` is as in numerals.span."""
    return numerals.span(interval, decimals, apart)


def number_span(interval: Sequence[float], decimals: int, unit: str = "", apart: float | None = None) -> str:
    low, high = interval
    return numerals.with_unit(numerals.to(*numerals.outward(low, high, decimals, apart)), unit)


def share_row(released: ReleasedQuestion, share: Reading, places: int) -> list[str]:
    """Return the option's name, its share, the simultaneous interval, and the interval for this share alone."""
    assert share.simultaneous is not None and share.interval is not None
    estimate = _("too few") if share.estimate is None else numerals.share(share.estimate, places)
    return [released.named(share.option), estimate, span(share.simultaneous, places), span(share.interval, places)]


def decimals(released: ReleasedQuestion, chosen: QuestionSelection) -> int:
    """Return the decimals of all shares of the question, so that columns line up."""
    categories = released.result(chosen.confidence)["methods"][0]["categories"]
    return numerals.decimals_for(max(numerals.error_of(category[chosen.target]) for category in categories))


def mean_decimals(released: ReleasedQuestion, chosen: QuestionSelection) -> int:
    [category] = released.result(chosen.confidence)["methods"][0]["categories"]
    return numerals.places(numerals.error_of(category[chosen.target]))


def scale_span(released: ReleasedQuestion, chosen: QuestionSelection, interval: Interval) -> str:
    """Return the interval on the question's scale. `interval` is from 0 to 1."""
    if not released.is_mean:
        return span(interval, decimals(released, chosen))
    low, high = float(released.question["low"]), float(released.question["high"])
    ends = Interval(*(low + (high - low) * end for end in interval))
    return number_span(ends, mean_decimals(released, chosen), released.question["unit"])


def level(chosen: QuestionSelection) -> str:
    return numerals.level(chosen.confidence)


def whose(released: ReleasedQuestion, chosen: QuestionSelection) -> str:
    if chosen.target == "population":
        return _("of the population")
    return _("of only those who were asked") if released.forms else _("of only these respondents")


def promise(released: ReleasedQuestion) -> str:
    """Return what the page's intervals hold for, in words."""
    if released.watched:
        return _(
            "The survey is still open, or its end was not fixed before its first release. So the intervals hold for "
            "all its releases together, however often anyone looks, and are wider than intervals for a single look."
        )
    return _("The intervals are for one look at this release: no earlier release could change the survey’s end.")
