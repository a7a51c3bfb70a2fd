"""The published document of a survey's estimates, from its tally."""

from datetime import datetime
from typing import Any

from ldp.question import results
from surveys import __version__
from surveys.models import Estimate, Report, Survey, Tally

CONFIDENCE = 0.95


def estimate(survey: Survey, now: datetime) -> None:
    """Recompute and store the survey's estimates, unless nothing has been counted yet."""
    tally = Tally.objects.get(survey=survey)
    if tally.n == 0:
        return
    provisional = is_provisional(survey)
    document = compose(survey, tally, provisional, now)
    values = {"n": tally.n, "provisional": provisional, "document": document, "computed_at": now}
    Estimate.objects.update_or_create(survey=survey, defaults=values)


def is_provisional(survey: Survey) -> bool:
    """Whether the numbers may still change: intervals hold for one look, not for every look at a growing survey."""
    return survey.state == Survey.State.OPEN or Report.objects.filter(survey=survey, counted=False).exists()


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
