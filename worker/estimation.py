"""The published document of a survey's estimates, from its tally."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from ldp.question import results
from surveys import __version__
from surveys.models import Estimate, Report, Survey, Tally

CONFIDENCE = 0.95

# A report whose statement began before the survey closed may commit after it. No statement of the intake lives longer
# than this (settings.STATEMENT_SECONDS is less), so only then are the numbers final.
IN_FLIGHT = timedelta(seconds=settings.STATEMENT_SECONDS + 5)


def estimate(survey: Survey, now: datetime) -> None:
    """Recompute and store the survey's estimates, unless nothing has been counted yet."""
    tally = Tally.objects.get(survey=survey)
    if tally.n == 0:
        return
    provisional = is_provisional(survey, now)
    document = compose(survey, tally, provisional, now)
    values = {"n": tally.n, "provisional": provisional, "document": document, "computed_at": now}
    Estimate.objects.update_or_create(survey=survey, defaults=values)


def is_provisional(survey: Survey, now: datetime) -> bool:
    """Whether the numbers may still change: intervals hold for one look, not for every look at a growing survey."""
    if survey.closed_at is None or now - survey.closed_at < IN_FLIGHT:
        return True
    return Report.objects.filter(survey=survey, counted=False).exists()


def compose(survey: Survey, tally: Tally, provisional: bool, now: datetime) -> dict[str, Any]:
    return {
        "survey": survey.slug,
        "title": survey.title,
        "digest": survey.digest,
        "n": tally.n,
        "provisional": provisional,
        "confidence": CONFIDENCE,
        "alpha_total": survey.alpha_total,
        "software": f"deniable {__version__}",
        "computed_at": now.isoformat(timespec="seconds").replace("+00:00", "Z"),
        "questions": [
            _texts(question) | result
            for question in survey.questions
            for result in results(question, tally.totals[question["key"]], tally.n, CONFIDENCE)
        ],
    }


def _texts(question: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in question.items() if name not in ("note", "table", "items")}
