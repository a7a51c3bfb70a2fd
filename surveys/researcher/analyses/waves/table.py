"""The waves of a release as rows of a page, with numbers as text."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ldp import search
from ldp.planning import waves
from ldp.planning.arms import Arm
from surveys.figures import numerals
from surveys.models import Release
from surveys.researcher.analyses.waves.changes import Share, WaveChange, WaveChanges, WavesAnswer, WavesQuestion
from surveys.researcher.analyses.waves.sentences import TRENDS, is_hopeless, scale, trend
from surveys.researcher.results import routing

CHANGE = 0.05  # as a fraction of the possible range

Estimate = Callable[[float], str]
Span = Callable[[tuple[float, float], float | None], str]  # the number given second stays outside


class WaveRow(NamedTuple):
    """A wave's share as text, and its place on a line from 0 to 100."""

    wave: str
    n: str
    estimate: str
    interval: str
    low: str
    high: str
    point: str


class Since(NamedTuple):
    """A change up to the last wave. `found` says what it shows, or that it is too uncertain."""

    wave: str
    change: str
    interval: str
    found: str
    shows: bool


class AnswerRows(NamedTuple):
    name: str
    rows: list[WaveRow]
    changes: list[Since]
    trend: str


class WavesPanel(NamedTuple):
    key: str
    text: str
    item: str
    unit: str
    ends: tuple[str, str]
    remarks: list[str]
    routed: list[tuple[str, str]]
    power: list[str]
    answers: list[AnswerRows]


def panels(changes: WaveChanges) -> list[WavesPanel]:
    names = [wave_name(release, place) for place, release in enumerate(changes.releases, 1)]
    return [_panel(changes, part, names) for part in changes.parts]


def wave_name(release: Release, place: int) -> str:
    opened = release.survey.opened_at
    assert opened is not None, "it has a release"
    return _("Wave %(n)d, %(month)s") % {"n": place, "month": date_format(opened, "YEAR_MONTH_FORMAT")}


def remarks(part: WavesQuestion) -> list[str]:
    """Return possible causes of a change besides the answers."""
    pictures = _("It was asked with other pictures before, or with none: part of a change may come from that.")
    words = _(
        "The question, its note, its answers or its section had other words before: part of a change may come from "
        "that."
    )
    return [pictures] * part.has_other_pictures + [words] * part.is_reworded


def _panel(changes: WaveChanges, part: WavesQuestion, names: list[str]) -> WavesPanel:
    question = part.now.question
    ends = ("0", numerals.percentage(100))
    if part.now.is_mean:
        ends = (numerals.decimal(question["low"]), numerals.decimal(question["high"]))
    answers = [_answer(part, answer, [names[place] for place in part.places]) for answer in part.answers]
    unit = question["unit"] if part.now.is_mean else ""
    return WavesPanel(
        part.now.key,
        question["text"],
        part.now.item,
        unit,
        ends,
        remarks(part),
        routing.beside([question], changes.releases[-1].survey.questions),
        _power(changes, part),
        answers,
    )


def _answer(part: WavesQuestion, answer: WavesAnswer, names: list[str]) -> AnswerRows:
    estimate, span = _words(part, answer)
    columns = zip(names, part.asked, answer.shares, strict=True)
    rows = [_row(part, name, numerals.count(one.n_about), share, estimate, span) for name, one, share in columns]
    changes = [_since(part, names[change.earlier], change, estimate, span) for change in answer.changes]
    code = trend(part, answer)
    whole = str(TRENDS[code]) if code else ""
    return AnswerRows(_("Mean") if part.now.is_mean else part.now.named(answer.option), rows, changes, whole)


def _words(part: WavesQuestion, answer: WavesAnswer) -> tuple[Estimate, Span]:
    """Return the formats of the answer's numbers, with the same number of decimals for all."""
    spacing = min(share.interval.high - share.interval.low for share in answer.shares) / 6
    if part.now.is_mean:
        digits = numerals.places(spacing)
        return lambda value: numerals.number(value, digits), lambda ends, apart: numerals.to(
            *numerals.outward(ends[0], ends[1], digits, apart)
        )
    digits = min(1, numerals.decimals_for(spacing))
    return lambda value: numerals.share(value, digits), lambda ends, apart: numerals.span(ends, digits, apart)


def _row(part: WavesQuestion, name: str, n: str, share: Share, estimate: Estimate, span: Span) -> WaveRow:
    places = (_at(part, value) for value in (*share.interval, share.estimate))
    return WaveRow(name, n, estimate(share.estimate), span(share.interval, None), *places)


def _at(part: WavesQuestion, value: float) -> str:
    """Return the value's place on a line from 0 to 100. A value outside is drawn at the end."""
    low = float(part.now.question["low"]) if part.now.is_mean else 0.0
    return f"{100 * min(1.0, max(0.0, (value - low) / scale(part))):.2f}"


def _since(part: WavesQuestion, name: str, change: WaveChange, estimate: Estimate, span: Span) -> Since:
    if not change.shows and is_hopeless(part, change):
        return Since(name, "", "", _("too few answered to say"), False)
    if not change.shows:
        text = _("no change shows")
    elif part.now.is_mean:
        text = _("risen") if change.estimate > 0 else _("fallen")
    else:
        text = _("more common") if change.estimate > 0 else _("less common")
    return Since(name, estimate(change.estimate), span(change.interval, 0), text, change.shows)


def _power(changes: WaveChanges, part: WavesQuestion) -> list[str]:
    """Return the power for a change between the last wave and the one before it that asked the question. Return nothing
    if the power is unknown, if intervals hold at every release, or if only some people were asked."""
    now, before = part.asked[-1], part.asked[-2]
    own, other = (Arm(each.question, Fraction(1)) for each in (now, before))
    planned, even = waves.design(own, other, before.n / now.n), waves.design(own, other, 1.0)
    if planned is None or even is None or part.of_asked or now.watched or before.watched:
        return []
    error = 1 - changes.confidence
    least = waves.smallest(planned, now.n, changes.parts_of_error, error)
    words = {"chance": numerals.percent(search.POWER), "change": _size(part, least or CHANGE)}
    none = _("Even the largest change would not have been found with a chance of %(chance)s.")
    one = _("A change of %(change)s since the wave before would have been found with a chance of %(chance)s.")
    texts = [(none if least is None else one) % words]
    if needed := (least is None or least > CHANGE) and waves.needed(even, CHANGE, changes.parts_of_error, error):
        words |= {"n": numerals.count_up(needed), "change": _size(part, CHANGE)}
        texts.append(_("About %(n)s reports in each of the two waves would show a change of %(change)s.") % words)
    return texts


def _size(part: WavesQuestion, change: float) -> str:
    if part.now.is_mean:
        return numerals.with_unit(numerals.rounded_up(change * scale(part)), part.now.question["unit"])
    return _("%(points)s percentage points") % {"points": numerals.rounded_up(100 * change)}
