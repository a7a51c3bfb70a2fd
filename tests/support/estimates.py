"""Surveys with estimates: the worker releases real reports, or a test sets the totals."""

from typing import Any

import pytest

from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Release, Report, ReportId, Survey
from tests.support.factories import DRAFT
from tests.worker.test_batches import store
from worker import tasks

HOSTILE = '<b>=HYPERLINK("x")</b> & $x^2$'

ODD: dict[str, Any] = {
    "title": HOSTILE,
    "questions": [
        {"key": "signs", "kind": "single_choice", "text": HOSTILE, "alpha": "1"}
        | {"options": ["=1+1", "+1", "-1", "@x", "大麻以外の薬物を使用したことがあります", "مخدرات"]},
        {"key": "income", "kind": "histogram", "text": "Income?", "unit": "=euro", "alpha": "0.5"}
        | {"edges": ["-5000", "10000", "20000", "250000"], "mechanism": "bitwise", "prefer_not_to_say": True},
    ],
}
"""Texts that could be taken for markup, formulas or mathematics, and bins of different widths."""

LARGE: dict[str, Any] = {
    "title": "As large as a question can be",
    "questions": [
        {"key": "options", "kind": "single_choice", "text": "Which?", "alpha": "4"}
        | {"options": [f"Option {i}" for i in range(256)]},
        {"key": "bins", "kind": "histogram", "text": "How many?", "alpha": "4", "prefer_not_to_say": True}
        | {"edges": [str(i) for i in range(256)]},
    ],
}
"""256 categories, the most there can be, of both kinds."""


def work(survey: Survey) -> None:
    """Do the work of one sweep, however slow the machine is: take reports, release, compute the estimates of the
    releases."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "TURN_SECONDS", 600)
        tasks.process(survey.pk)
    for pk in Release.objects.filter(survey=survey, document__isnull=True).values_list("pk", flat=True):
        tasks.estimate(pk)


def released(n: int = 60, draft: dict[str, Any] = DRAFT, **fields: Any) -> Survey:
    """Return a closed survey with a release of n reports, all with the first option."""
    survey = create_draft(draft, **fields)
    open_survey(survey)
    store(survey, range(n))
    close_survey(survey)
    work(survey)
    return survey


def found_again(survey: Survey) -> Survey:
    """Return a fresh copy of a survey that the tests of a module share. Another test may have changed the shared
    object."""
    return Survey.objects.get(pk=survey.pk)


def document_of(survey: Survey) -> dict[str, Any]:
    """Return the document of the newest release."""
    release = Release.objects.latest_of(survey)
    assert release is not None and release.document is not None
    document: dict[str, Any] = release.document
    return document


def with_totals(survey: Survey, n: int, **totals: dict[str, list[int]]) -> dict[str, Any]:
    """Add a release with these totals and return its document. The other questions keep their totals."""
    last = Release.objects.latest_of(survey)
    assert last is not None
    [before] = last.tallies
    tallies = [{"n": n, "totals": before["totals"] | totals}]
    terms = {"number": last.number + 1, "day": last.day, "final": last.final}
    release = Release.objects.create(survey=survey, n=n, tallies=tallies, **terms)
    tasks.estimate(release.pk)
    return document_of(survey)


def collect(survey: Survey, *numbers: int) -> None:
    """For each number, add that many reports and do the workers' work."""
    for n in numbers:
        start = 10_000 * survey.pk + ReportId.objects.count() + Report.objects.count()
        store(survey, range(start, start + n))
        work(survey)
