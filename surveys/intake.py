"""The hot path: a report comes in, one statement stores it, and only after the commit it is acknowledged.

Answers 201 (committed), 200 (the same report again), 409 (the id with other bytes, or another definition), 410
(closed), 413, 415 and 422 (not a report of this survey), 404 and 405.
"""

import uuid
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from surveys.models import Report, Survey
from surveys.problems import problem
from surveys.reports import Layout, ReportRefused, body_limit, parse

# The survey's state is read in the same statement that inserts: no report enters a survey already seen closed.
# An id that exists, committed or about to be, inserts nothing: the database waits for the other transaction and tells.
_INSERT = f"""
    INSERT INTO {Report._meta.db_table} (id, survey_id, packed, day, counted)
    SELECT %s, id, %s, %s, FALSE FROM {Survey._meta.db_table}
    WHERE id = %s AND state = 'open' AND (closes_at IS NULL OR closes_at > %s)
    ON CONFLICT (id) DO NOTHING
"""


class Opened(NamedTuple):
    """What never changes about an opened survey."""

    survey_id: int
    digest: str
    layout: Layout


@csrf_exempt  # no cookie and no session takes part, so there is nothing a forged request could borrow
def receive(request: HttpRequest, slug: str) -> HttpResponse:
    if request.method != "POST":
        refusal = problem(405, "method", "Method not allowed", "A report is sent with POST.")
        refusal["Allow"] = "POST"
        return refusal
    try:
        opened = _opened(slug)
    except Survey.DoesNotExist:
        return problem(404, "unknown-survey", "Unknown survey", "No survey has this address.")
    if request.content_type != "application/json":
        return problem(415, "content-type", "Wrong content type", "The body must be application/json.")
    limit = body_limit(opened.layout)
    body = _read(request, limit)
    if body is None:
        return problem(413, "too-large", "Too large", f"A report of this survey has at most {limit} bytes.")
    try:
        envelope = parse(body)
        if envelope.digest != opened.digest:
            detail = "The report was made for another definition than this survey's."
            return problem(409, "other-definition", "Other definition", detail, field="digest")
        packed = opened.layout.pack(envelope.answers)
    except ReportRefused as refusal:
        return problem(422, "malformed-report", "Malformed report", refusal.rule, field=refusal.field)
    return _store(opened, uuid.UUID(envelope.report_id), packed)


@lru_cache(maxsize=1024)
def _opened(slug: str) -> Opened:
    """Cached for ever: a definition is immutable once it has a slug. Survey.DoesNotExist is not cached."""
    survey = Survey.objects.published(slug)
    return Opened(survey.pk, survey.digest, Layout(survey.frozen))


def _read(request: HttpRequest, limit: int) -> bytes | None:
    """The body, or None where it is longer than the limit; never reads more than the limit and a byte."""
    body = request.read(limit + 1)
    return None if len(body) > limit else body


def _store(opened: Opened, report_id: uuid.UUID, packed: bytes) -> HttpResponse:
    now = timezone.now()
    if _insert(opened.survey_id, report_id, packed, now):
        return JsonResponse({"report_id": str(report_id), "status": "recorded"}, status=201)
    known = Report.objects.filter(pk=report_id).values_list("survey_id", "packed").first()
    if known is None:
        return problem(410, "closed", "Closed", "This survey is closed. The report was not recorded.")
    if (known[0], bytes(known[1])) != (opened.survey_id, packed):
        detail = "Another report has this id."
        return problem(409, "report-id-taken", "Id taken", detail, field="report_id")
    return JsonResponse({"report_id": str(report_id), "status": "already recorded"}, status=200)


def _insert(survey_id: int, report_id: uuid.UUID, packed: bytes, now: datetime) -> bool:
    """Whether the report was stored: neither its id is known nor the survey closed."""
    report = {"id": report_id, "packed": packed, "day": now.date()}
    values = [_prepare(Report, field, value) for field, value in report.items()]
    values += [survey_id, _prepare(Survey, "closes_at", now)]
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, values)
        return bool(cursor.rowcount == 1)


def _prepare(model: type[Model], field: str, value: Any) -> Any:
    return model._meta.get_field(field).get_db_prep_value(value, connection)
