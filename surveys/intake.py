"""The hot path: a report comes in, one statement stores it, and only after the commit it is acknowledged.

Replies 201 (committed), 200 (the same report again), 409 (the id with other bytes, or another definition), 410
(closed), 413, 415 and 422 (not a report of this survey), 429 (too many reports wait to be counted), 404 and 405.

`wsgi.py` calls `receive` before any of Django's request handling, which costs more than the insert and knows sessions
and accounts; the view is the same for Django's own test client and URL resolver.
"""

import json
import sqlite3
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from http import HTTPStatus
from typing import Any, NamedTuple

import psycopg
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from surveys import backlog
from surveys.models import Report, Survey
from surveys.problems import CONTENT_TYPE as PROBLEM
from surveys.problems import problem_document
from surveys.reports import Layout, ReportRefused, body_limit, parse

RETRY_LATER = (("Retry-After", "30"),)

# The survey's state is read in the statement that inserts: no report enters a survey already seen closed. An id that
# exists, committed or about to be, inserts nothing: the database waits for the other transaction and tells.
_INSERT = f"""
    INSERT INTO {Report._meta.db_table} (id, survey_id, packed, day, counted)
    SELECT %s, id, %s, %s, FALSE FROM {Survey._meta.db_table}
    WHERE id = %s AND state = 'open' AND (closes_at IS NULL OR closes_at > %s)
    ON CONFLICT (id) DO NOTHING
"""


# A survey that closes at a number of reports counts them in its own row, in the transaction of the insert: one such
# survey takes reports one after the other, and never one too many. The last one closes it.
_TAKE = f"""
    UPDATE {Survey._meta.db_table}
    SET taken = taken + 1,
        state = CASE WHEN taken + 1 < closes_after THEN state ELSE 'closed' END,
        closed_at = CASE WHEN taken + 1 < closes_after THEN closed_at ELSE %s END
    WHERE id = %s AND state = 'open' AND taken < closes_after
"""


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
    insert = _insert if opened.closes_after is None else _insert_and_take
    if _persistently(insert, opened.survey_id, uuid.UUID(report_id), packed, datetime.now(UTC)):
        return Reply(201, b'{"report_id":"%s","status":"recorded"}' % report_id.encode())
    known = Report.objects.filter(pk=report_id).first()
    if known is None:
        return _refuse(410, "closed", "Closed", "This survey is closed. The report was not recorded.")
    if not known.same(opened.survey_id, packed):
        return _refuse(409, "report-id-taken", "Id taken", "Another report has this id.", field="report_id")
    return Reply(200, b'{"report_id":"%s","status":"already recorded"}' % report_id.encode())


def _persistently(insert: Callable[..., bool], *values: Any) -> bool:
    """Whether the report was stored: neither its id is known nor the survey closed.

    A connection that broke since its last use is replaced and all is repeated, which the report's id makes safe.
    """
    try:
        return insert(*values)
    except (psycopg.OperationalError, psycopg.InterfaceError):
        forget_connection()
        return insert(*values)


def _insert(survey_id: int, report_id: uuid.UUID, packed: bytes, now: datetime) -> bool:
    return _execute(_INSERT, report_id, packed, now.date(), survey_id, now)


def _insert_and_take(survey_id: int, report_id: uuid.UUID, packed: bytes, now: datetime) -> bool:
    """The insert first: a retry must not take a second place."""
    with transaction.atomic():
        stored = _insert(survey_id, report_id, packed, now) and _execute(_TAKE, now, survey_id)
        transaction.set_rollback(not stored)
    return stored


def _execute(statement: str, *values: Any) -> bool:
    """Whether a statement changed a row. It runs on the driver's own connection and is prepared once: Django's cursor
    would cost as much as the insert."""
    connection.ensure_connection()
    driver = connection.connection
    if isinstance(driver, sqlite3.Connection):
        plain = [_sqlite_value(value) for value in values]
        cursor: Any = sqlite3.Connection.execute(driver, statement.replace("%s", "?"), plain)
    else:
        cursor = psycopg.Cursor(driver)
        cursor.execute(statement, values, prepare=True)
    return bool(cursor.rowcount == 1)


def forget_connection() -> None:
    """After a failure: the next statement of this thread opens a new connection."""
    connection.close()


def _sqlite_value(value: Any) -> Any:
    """As Django writes values on SQLite, so that texts compare like times."""
    if isinstance(value, uuid.UUID):
        return value.hex
    if isinstance(value, datetime):
        return value.replace(tzinfo=None).isoformat(sep=" ")
    return value.isoformat() if isinstance(value, date) else value


def _refuse(
    status: int, name: str, title: str, detail: str, headers: tuple[tuple[str, str], ...] = (), **more: Any
) -> Reply:
    document = problem_document(status, name, title, detail) | more
    return Reply(status, json.dumps(document).encode(), PROBLEM, headers)
