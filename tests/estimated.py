"""Surveys with estimates: real reports counted by the worker's own tasks, or totals put in by hand."""

from typing import Any

from django.utils import timezone

from surveys.models import Survey, Tally
from tests.factories import DRAFT
from tests.test_tally import store
from worker import tasks
from worker.estimation import estimate

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


def counted(n: int = 60, draft: dict[str, Any] = DRAFT, **fields: Any) -> Survey:
    """An open survey with n reports that the worker has counted; everybody chose the first option."""
    survey = Survey.objects.draft(draft, **fields)
    survey.open()
    store(survey, range(n))
    tasks.process(survey.pk)
    return survey


def with_totals(survey: Survey, n: int, **totals: dict[str, list[int]]) -> dict[str, Any]:
    """The document of estimates from these totals; questions not named keep theirs."""
    tally = Tally.objects.get(survey=survey)
    tally.n, tally.totals = n, tally.totals | totals
    tally.save()
    estimate(survey, timezone.now())
    survey.refresh_from_db()
    document: dict[str, Any] = survey.estimate.document
    return document
