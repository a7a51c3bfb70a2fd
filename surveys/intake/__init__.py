"""The hot path: a report comes in, one statement stores it, and only after the commit it is acknowledged.

Replies 201 (committed), 200 (known already), 409 (while it waits: the same id with other bytes; or another definition),
410 (closed), 413, 415 and 422 (not a report of this survey), 429 (too many reports wait to be taken), 404 and 405.

`wsgi.py` calls `receive` before any of Django's request handling, which costs more than the insert and knows sessions
and accounts; the view is the same for Django's own test client and URL resolver.
"""

import json
import uuid
from collections.abc import Callable, Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from surveys.intake import backlog, recording
from surveys.models import Survey
from surveys.problems import CONTENT_TYPE as PROBLEM
from surveys.problems import problem_document
from surveys.reports import Layout, ReportRefused, body_limit, parse

RETRY_LATER = (("Retry-After", "30"),)


class Reply(NamedTuple):
    status: int
    body: bytes
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def line(self) -> str:
        return f"{self.status} {HTTPStatus(self.status).phrase}"


class Opened(NamedTuple):
    """What never changes about an opened survey."""

    survey_id: int
    digest: str
    layout: Layout
    limit: int
    closes_after: int | None


def receive(slug: str, environ: Mapping[str, Any], read: Callable[[int], bytes]) -> Reply:
    """The reply to a request. `environ` is its WSGI environment, read for method, type and length only."""
    if environ["REQUEST_METHOD"] != "POST":
        return _refuse(405, "method", "Method not allowed", "A report is sent with POST.", (("Allow", "POST"),))
    try:
        opened = _opened(slug)
    except Survey.DoesNotExist:
        return _refuse(404, "unknown-survey", "Unknown survey", "No survey has this address.")
    if environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() != "application/json":
        return _refuse(415, "content-type", "Wrong content type", "The body must be application/json.")
    length = _length(environ)
    if length > opened.limit:
        return _refuse(413, "too-large", "Too large", f"A report of this survey has at most {opened.limit} bytes.")
    try:
        envelope = parse(read(length))
        if envelope.digest != opened.digest:
            detail = "The report was made for another definition than this survey's."
            return _refuse(409, "other-definition", "Other definition", detail, field="digest")
        packed = opened.layout.pack(envelope.answers)
    except ReportRefused as refusal:
        return _refuse(422, "malformed-report", "Malformed report", refusal.rule, field=refusal.field)
    if backlog.full():
        return _refuse(429, "backlog", "Too many reports wait", "Send this report again later.", RETRY_LATER)
    return _store(opened, envelope.report_id, packed)


@csrf_exempt  # no cookie and no session takes part, so there is nothing a forged request could borrow
def view(request: HttpRequest, slug: str) -> HttpResponse:
    reply = receive(slug, request.META, request.read)
    response = HttpResponse(reply.body, status=reply.status, content_type=reply.content_type)
    for name, value in reply.headers:
        response[name] = value
    return response


@lru_cache(maxsize=1024)
def _opened(slug: str) -> Opened:
    """Cached for ever: a definition is immutable once it has a slug. Survey.DoesNotExist is not cached."""
    survey = Survey.objects.published(slug)
    layout = Layout(survey.frozen)
    return Opened(survey.pk, survey.digest, layout, body_limit(layout), survey.closes_after)


def _length(environ: Mapping[str, Any]) -> int:
    """The stated length of the body. A body of no stated length counts as empty, and is no report."""
    text = environ.get("CONTENT_LENGTH") or "0"
    return int(text) if text.isascii() and text.isdigit() else 0


def _store(opened: Opened, report_id: str, packed: bytes) -> Reply:
    record = recording.record if opened.closes_after is None else recording.record_and_take
    row = recording.Row(uuid.UUID(report_id), opened.survey_id, packed)
    if record(row):
        return Reply(201, b'{"report_id":"%s","status":"recorded"}' % report_id.encode())
    known = recording.recorded(row)
    if known is None:
        return _refuse(410, "closed", "Closed", "This survey is closed. The report was not recorded.")
    if not known:
        return _refuse(409, "report-id-taken", "Id taken", "Another report has this id.", field="report_id")
    return Reply(200, b'{"report_id":"%s","status":"already recorded"}' % report_id.encode())


def _refuse(
    status: int, name: str, title: str, detail: str, headers: tuple[tuple[str, str], ...] = (), **more: Any
) -> Reply:
    document = problem_document(status, name, title, detail) | more
    return Reply(status, json.dumps(document).encode(), PROBLEM, headers)
