"""An answer's share over the releases, with intervals that hold at all releases together (M29)."""

from dataclasses import replace
from datetime import date
from typing import NamedTuple

from django.http import Http404
from django.utils import formats
from django.utils.translation import gettext as _

from ldp.inference.intervals import Interval
from ldp.inference.tallied import Tallied
from surveys.figures import numerals
from surveys.figures import trend as figure
from surveys.figures.layout import WIDTHS
from surveys.figures.themes import THEMES
from surveys.models import Release
from surveys.researcher.results.question.parts import PageSection, PageTable, decimals, level, number_span, span, whose
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.released import ReleasedQuestion, of_release


class TrendStep(NamedTuple):
    """Estimate and interval on the question's scale. Shares are fractions."""

    number: int
    day: date
    n: int
    estimate: float
    interval: Interval


def steps(slug: str, number: int, key: str, chosen: QuestionSelection, most: int | None = None) -> list[TrendStep]:
    """Steps of all releases up to this one, or of so many of the newest, the oldest first; those that have nothing
    about it are left out. Even of a million reports there are about 150: each release holds a part more than the one
    before. None of a question that only some people were asked, since everyone's share counts the filler."""
    released = of_release(slug, number, key)
    if released.is_routed:
        return []
    confidence = chosen.confidence if released.is_mean else released.at_once(chosen.confidence)
    earlier = Release.objects.filter(survey__slug=slug, number__lte=number, document__isnull=False)
    rows = []
    for its, day in earlier.order_by("-number").values_list("number", "day")[:most]:
        row = _row(slug, its, key, released.options[chosen.option])
        if row is None:
            continue
        n, watched, j = row
        interval = watched.interval(j, confidence, chosen.target)
        rows.append(TrendStep(its, day, n, *_on_scale(released, float(watched.shares[j]), interval)))
    return rows[::-1]


def _row(slug: str, number: int, key: str, option: str) -> tuple[int, Tallied, int] | None:
    """Return the number of reports from people who were asked, the totals, and the option's place in the totals. Return
    None if the release lacks the question or option."""
    try:
        released = of_release(slug, number, key)
        tallied, j = released.rows[released.options.index(option)]
    except (Http404, ValueError):
        return None
    return released.n, replace(tallied, every_look=True), j


def _on_scale(released: ReleasedQuestion, estimate: float, interval: Interval) -> tuple[float, Interval]:
    if not released.is_mean:
        return estimate, interval
    low, high = float(released.question["low"]), float(released.question["high"])
    return low + (high - low) * estimate, Interval(*(low + (high - low) * end for end in interval))


def section(released: ReleasedQuestion, chosen: QuestionSelection, steps: list[TrendStep]) -> PageSection | None:
    """Return the section; None for a single release."""
    if len(steps) < 2:
        return None
    rows = []
    unit = released.question["unit"] if released.is_mean else ""
    widest = max(step.interval.high - step.interval.low for step in steps)
    for step in steps[::-1]:
        day = formats.date_format(step.day)
        name = _("%(number)d, %(day)s") % {"number": step.number, "day": day}
        if released.is_mean:
            places = numerals.places(widest / 4 or 1.0)
            cells = [numerals.number(step.estimate, places), number_span(step.interval, places, unit)]
        else:
            places = decimals(released, chosen)
            cells = [numerals.share(step.estimate, places), span(step.interval, places)]
        rows.append([name, numerals.count(step.n), *cells])
    head = [_("Release"), _("Reports"), _("Mean") if unit else _("Share"), _("%(level)s interval, at all releases")]
    head[-1] %= {"level": level(chosen)}
    if released.is_mean:
        head[2], caption = _("Mean"), _("Mean %(whose)s at each release") % {"whose": whose(released, chosen)}
    else:
        words = {"option": released.names[chosen.option], "whose": whose(released, chosen)}
        caption = _("Share of “%(option)s” %(whose)s at each release, in percent") % words
    texts = [
        _(
            "Each release holds the reports of the one before and new ones, so the estimates settle and are not "
            "independent of each other. These intervals hold at all releases and for all answers together: look as "
            "often as you like."
        )
    ]
    return PageSection(
        "trend", _("Over the releases"), texts, [PageTable("trend-table", caption, head, rows)], selection="trend"
    )


def picture(
    released: ReleasedQuestion, chosen: QuestionSelection, steps: list[TrendStep], theme: str, width: str
) -> bytes:
    """Return the picture. Raise Http404 if there is nothing to draw."""
    if not steps:
        raise Http404
    factor, unit = (1, "") if released.is_mean else (100, numerals.percent_sign())
    points = [
        figure.Point(step.number, step.day, *(factor * value for value in (step.estimate, *step.interval)))
        for step in steps
    ]
    title = _("Estimates with intervals at each release")
    return figure.draw(points, title, unit, THEMES[theme], WIDTHS[width])
