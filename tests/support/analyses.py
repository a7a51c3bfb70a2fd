"""Analyses, made by the worker's functions."""

import math
from typing import Any
from unittest import mock

from django.utils import timezone

from surveys.models import AnalysisRun, Release, Survey
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.frame import requests
from surveys.researcher.analyses.frame.counted import Counted
from surveys.researcher.analyses.frame.selection import digest
from surveys.researcher.analyses.raking.analysis import RAKINGS
from surveys.researcher.analyses.regressions.analysis import REGRESSIONS
from surveys.researcher.analyses.subgroups.analysis import SUBGROUPS
from worker import analyses

DRAFT: dict[str, Any] = {
    "title": "Questions to cross",
    "questions": [
        {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "6"},
        {"key": "often", "kind": "ordered", "text": "How often do you drink?", "alpha": "6"}
        | {"options": ["Never", "Monthly", "Weekly", "Daily"], "mechanism": "bitwise"},
        {"key": "many", "kind": "multiple_choice", "text": "What have you tried?", "alpha": "2"}
        | {"options": ["Cannabis", "Tobacco"]},
        {"key": "age", "kind": "mean", "text": "How old are you?", "alpha": "2", "low": "18", "high": "99"},
    ],
}
"""Two questions to cross, one whose options cannot be crossed with each other, and one that cannot be crossed."""


SPECIFICATIONS: dict[str, dict[str, Any]] = {
    "crossing": {"first": "smokes", "second": "often"},
    "subgroups": {"stratum": "where"},
    "regression": {"model": "logistic", "outcome": "smokes", "covariates": [{"key": "often"}]},
    "raking": {
        "question": "smokes",
        "margins": [{"key": "where", "shares": [0.5, 0.3, 0.2]}, {"key": "age", "shares": [0.4, 0.4, 0.2]}],
    },
}
"""One of each analysis, of the questions of tests/support/regressions.py."""


def entered(analysis: Counted[Any], release: Release, data: dict[str, Any], **fields: Any) -> AnalysisRun:
    """Return the row of an accepted request; `data` is the specification as JSON."""
    names = {"kind": analysis.name, "specification": data, "digest": digest(data), "worked_at": timezone.now()}
    return AnalysisRun.objects.create(release=release, **names | fields)


def asked(analysis: Counted[Any], survey: Survey, data: dict[str, Any]) -> AnalysisRun:
    """Request an analysis of the newest release."""
    return requests.ask(analysis, None, Release.objects.latest_of(survey), analysis.from_json(data))


def made(run: AnalysisRun) -> AnalysisRun:
    """Compute the analysis. Report no progress: a second connection reports it and cannot see the rows of an open
    transaction."""
    with mock.patch.object(analyses, "SAID_EVERY", math.inf):
        analyses.make(run.pk)
    run.refresh_from_db()
    return run


def crossed(survey: Survey, first: str, second: str) -> AnalysisRun:
    return made(entered(CROSSINGS, Release.objects.latest_of(survey), {"first": first, "second": second}))


def subgrouped(survey: Survey, stratum: str) -> AnalysisRun:
    return made(asked(SUBGROUPS, survey, {"stratum": stratum}))


def regressed(survey: Survey, model: dict[str, Any]) -> AnalysisRun:
    return made(asked(REGRESSIONS, survey, model))


def raked(survey: Survey, margins: dict[str, Any]) -> AnalysisRun:
    return made(asked(RAKINGS, survey, margins))
