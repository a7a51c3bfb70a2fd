"""A date's cumulative shares and median, by whole spans: the dates inside a span are unknown."""

from django.utils.translation import gettext as _

from surveys.researcher.results.question import readings
from surveys.researcher.results.question.histogram import not_while_watched
from surveys.researcher.results.question.parts import PageSection, PageTable, level, whose
from surveys.researcher.results.question.scale import cumulated
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.released import ReleasedQuestion
from surveys.survey.kinds.date import BETWEEN, span_in_words


def sections(released: ReleasedQuestion, chosen: QuestionSelection) -> list[PageSection]:
    about = _("The share whose date lies in this span or in an earlier one.")
    return [_cumulated(released, chosen, about), _median(released, chosen)]


def _cumulated(released: ReleasedQuestion, chosen: QuestionSelection, about: str) -> PageSection:
    """Return the section of shares up to the last date of each span."""
    section = cumulated(released, chosen, about)
    [table] = section.tables
    rows = [[of_spans(released, 0, place), *row[1:]] for place, row in enumerate(table.rows)]
    return section._replace(tables=[table._replace(head=[_("Date"), *table.head[1:]], rows=rows)])


def of_spans(released: ReleasedQuestion, first: int, last: int) -> str:
    """Return the range from the start of the first span to the end of the last. The outer spans are open."""
    if first == 0 and last == released.answers - 1:
        return _("any date")
    ends = released.options[first].split(BETWEEN)[0], released.options[last].split(BETWEEN)[-1]
    return span_in_words(BETWEEN.join(dict.fromkeys(ends)))


def _median(released: ReleasedQuestion, chosen: QuestionSelection) -> PageSection:
    title, median = _("Median"), readings.median(released, chosen.confidence, chosen.target)
    if median.places is None:
        return PageSection("median", title, [not_while_watched(released)])
    interval = of_spans(released, median.places.first, median.places.last)
    rows = [[title, released.named(median.option), interval]]
    head = [_("Among those who gave a date"), _("Estimated span"), _("%(level)s interval") % {"level": level(chosen)}]
    caption = _("Median %(whose)s, in whole spans") % {"whose": whose(released, chosen)}
    texts = [
        _("Half of all dates lie in this span or earlier, and half in it or later. We do not know where in the span.")
    ]
    return PageSection("median", title, texts, [PageTable("median-table", caption, head, rows)])
