"""The effect of forged reports on each answer of a release, as rows (M26)."""

import math
from collections.abc import Iterator
from functools import lru_cache

from django.utils.translation import gettext_lazy as _

from ldp.confidences import CONFIDENCES
from ldp.inference.reading import forged
from ldp.tidy import Row
from surveys.models import Release
from surveys.researcher.downloads.readings import question_columns
from surveys.researcher.results import response_cache
from surveys.researcher.results.question.forged import breaking_lead, leader, level_at_once
from surveys.researcher.results.released import ReleasedQuestion, of_release
from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets.column import Column

COLUMNS = (
    common.QUESTION,
    common.TEXT,
    common.KIND,
    common.UNIT,
    common.OPTION,
    common.N_ABOUT.meaning_here("The reports that it is based on."),
    Column(
        "forged",
        "whole number",
        _("Forged reports, at most"),
        "At most this many of these reports are forged; 0 where all are honest.",
    ),
    common.CONFIDENCE,
    common.TOGETHER.meaning_here("How many options' intervals hold at once."),
    common.SIMULTANEOUS_LOW.meaning_here(
        "Lower end of the interval that holds the honest population's share, or mean, whatever forged reports say."
    ),
    common.SIMULTANEOUS_HIGH,
    Column(
        "breaking",
        "whole number",
        _("Forged reports that hide it is the most common"),
        "Of the most common answer: with how many forged reports that is no longer known. Empty where it is not known "
        "even with none, and in other rows.",
    ),
    common.EVERY_RELEASE,
)
PARTS = (0.0, 0.001, 0.01, 0.02, 0.05, 0.1)  # fractions of the reports, rounded up
QUESTIONS_KEPT = 64


def rows(release: Release) -> Iterator[Row]:
    """Yield one for each answer, number of forged reports and confidence, by COLUMNS; for the population. None of a
    question that only some people were asked, since everyone's share counts the filler."""
    for result in response_cache.document(release)["questions"]:
        yield from _of_question(release.survey.slug or "", release.number, result["key"])


@lru_cache(maxsize=QUESTIONS_KEPT)
def _of_question(slug: str, number: int, key: str) -> tuple[Row, ...]:
    released = of_release(slug, number, key)
    if released.is_routed:
        return ()
    about = question_columns(released) | {"every_release": released.watched}
    return tuple(about | row for confidence in CONFIDENCES for row in _at(released, confidence))


def _at(released: ReleasedQuestion, confidence: float) -> Iterator[Row]:
    at_once, first = level_at_once(released, confidence), leader(released)
    breaking = None if first is None else breaking_lead(released, first, at_once)
    for place, ((tallied, j), option) in enumerate(zip(released.rows, released.options, strict=True)):
        own = {"option": option, "confidence": confidence, "n_about": tallied.n}
        own |= {"breaking": breaking if place == first else None}
        for m in numbers(min(each.n for each, _j in released.rows)):
            low, high = _on_scale(released, *forged.interval(tallied, j, m, at_once))
            yield own | {"forged": m, "simultaneous_low": low, "simultaneous_high": high}


def numbers(n: int) -> list[int]:
    """Return the numbers of forged reports assumed among `n`."""
    return list(dict.fromkeys(math.ceil(part * n) for part in PARTS))


def _on_scale(released: ReleasedQuestion, low: float, high: float) -> tuple[float, float]:
    if not released.is_mean:
        return low, high
    least, most = float(released.question["low"]), float(released.question["high"])
    return least + (most - least) * low, least + (most - least) * high
