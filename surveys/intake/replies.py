"""The hot path: a report comes in, one statement stores it, and only after the commit it is acknowledged.

Replies 201 (committed), 200 (known already), 400 (unknown Host), 404 and 405, 408 (the body came too slowly), 409
(another definition), 410 (closed), 411 (no stated length), 413, 415
and 422 (not a report of this survey), 429 (too many from one client or of one survey), 500 and 503 (try again).

`front.py` serves it without any of Django's request handling, which costs more than the insert and knows sessions and
accounts. The view answers the same for Django's own test client and URL resolver: what decides is in this file.
"""

import json
import uuid
from typing import Any, NamedTuple

from surveys.definition.layout import Layout, ReportRefused, body_limit
from surveys.intake.envelope import parse
from surveys.intake.problems import CONTENT_TYPE as PROBLEM
from surveys.intake.problems import problem_document
from surveys.intake.recording import Outcome, Row
from surveys.models import Survey

RETRY_LATER = (("Retry-After", "30"),)


class Reply(NamedTuple):
    status: int
    body: bytes
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()


class Head(NamedTuple):
    """What a request says before its body. `length` is None where none is stated, as of a chunked body."""

    method: str
    content_type: str
    length: str | None


class Opened(NamedTuple):
    """What never changes about an opened survey."""

    survey_id: int
    digest: str
    layout: Layout
    limit: int  # bytes of a body
    limited: bool  # it closes at a number of reports


def refuse_head(head: Head) -> Reply | None:
    """What is wrong with a request to any survey."""
    if head.method != "POST":
        return refuse(405, "method", "Method not allowed", "A report is sent with POST.", (("Allow", "POST"),))
    if head.content_type.partition(";")[0].strip().lower() != "application/json":
        return refuse(415, "content-type", "Wrong content type", "The body must be application/json.")
    if head.length is None or not (head.length.isascii() and head.length.isdigit()):
        return refuse(411, "length", "Length required", "The length of the body must be stated.")
    return None


def refuse_length(head: Head, opened: Opened) -> Reply | None:
    if int(head.length or 0) > opened.limit:
        return refuse(413, "too-large", "Too large", f"A report of this survey has at most {opened.limit} bytes.")
    return None


def opened(slug: str) -> Opened:
    """What may be kept for ever, since a definition is immutable once it has a slug; Survey.DoesNotExist may not."""
    survey = Survey.objects.published(slug)
    layout = Layout(survey.frozen)
    return Opened(survey.pk, survey.digest, layout, body_limit(layout), survey.closes_after is not None)


def read(opened: Opened, body: bytes) -> Row | Reply:
    """The row of a body, or why it is no report of the survey."""
    try:
        envelope = parse(body)
        if envelope.digest != opened.digest:
            detail = "The report was made for another definition than this survey's."
            return refuse(409, "other-definition", "Other definition", detail, field="digest")
        packed = opened.layout.pack(envelope.answers)
    except ReportRefused as refusal:
        return refuse(422, "malformed-report", "Malformed report", refusal.rule, field=refusal.field)
    return Row(uuid.UUID(envelope.report_id), opened.survey_id, packed, opened.limited)


def answer(row: Row, outcome: Outcome) -> Reply:
    match outcome:
        case Outcome.RECORDED:
            return Reply(201, b'{"report_id":"%s","status":"recorded"}' % str(row.report_id).encode())
        case Outcome.KNOWN:
            return Reply(200, b'{"report_id":"%s","status":"already recorded"}' % str(row.report_id).encode())
    return refuse(410, "closed", "Closed", "This survey is closed. The report was not recorded.")


def refuse(
    status: int, name: str, title: str, detail: str, headers: tuple[tuple[str, str], ...] = (), **more: Any
) -> Reply:
    document = problem_document(status, name, title, detail) | more
    return Reply(status, json.dumps(document).encode(), PROBLEM, headers)


UNKNOWN_SURVEY = refuse(404, "unknown-survey", "Unknown survey", "No survey has this address.")
BACKLOG = refuse(429, "backlog", "Too many reports wait", "Send this report again later.", RETRY_LATER)
