"""Each answer of a release over the releases up to it, as rows: the trends on the questions' pages."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from django.utils.translation import gettext_lazy as _

from ldp.confidences import CONFIDENCES
from ldp.inference.estimates import TARGETS
from ldp.tidy import Row
from surveys.models import Release
from surveys.researcher.downloads.readings import question_columns
from surveys.researcher.results import response_cache
from surveys.researcher.results.question import trend
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.released import of_release
from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets.column import Column

COLUMNS = (
    common.QUESTION,
    common.TEXT,
    common.KIND,
    common.UNIT,
    common.OPTION,
    Column(
        "at_release",
        "whole number",
        _("Release"),
        "The release that the row is of: this one, or one of the eleven before it.",
    ),
    Column("at_date", "date", _("Date"), "Its day (UTC)."),
    Column(
        "n_asked",
        "whole number",
        _("Reports of those who were asked"),
        "Its reports of those who were asked the question.",
    ),
    common.ESTIMATE,
    common.TARGET,
    common.CONFIDENCE,
    common.TOGETHER.meaning_here("How many options' intervals hold at once, each at all releases."),
    common.SIMULTANEOUS_LOW.meaning_here(
        "Lower end of the interval that holds for all options at all releases together."
    ),
    common.SIMULTANEOUS_HIGH,
    common.GUARANTEE,
)
QUESTIONS_KEPT = 64
NEWEST = 12  # the most releases: all answers to all questions are computed at once


def rows(release: Release) -> Iterator[Row]:
    """Yield a row by COLUMNS for each answer, release, target and confidence, the oldest release first."""
    for result in response_cache.document(release)["questions"]:
        yield from _of_question(release.survey.slug or "", release.number, result["key"])


@lru_cache(maxsize=QUESTIONS_KEPT)
def _of_question(slug: str, number: int, key: str) -> tuple[Row, ...]:
    released = of_release(slug, number, key)
    about = question_columns(released)
    every = product(range(len(released.options)), TARGETS, CONFIDENCES)
    return tuple(
        about | {"option": released.options[option], "target": target, "confidence": confidence} | _row(step, target)
        for option, target, confidence in every
        for step in trend.steps(
            slug, number, key, QuestionSelection(confidence=confidence, target=target, option=option), NEWEST
        )
    )


def _row(step: trend.TrendStep, target: str) -> Row:
    return {
        "at_release": step.number,
        "at_date": step.day.isoformat(),
        "n_asked": step.n,
        "estimate": step.estimate,
        "simultaneous_low": step.interval.low,
        "simultaneous_high": step.interval.high,
        # A sequence is proved for a share that stays the same. The respondents' share changes.
        "guarantee": "proved" if target == "population" else "checked",
    }
