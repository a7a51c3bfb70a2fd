"""The hot path: a report comes in, one statement stores it, and only after the commit it is acknowledged.

Replies 201 (committed), 200 (known already), and what refusals.py lists.

`front.py` serves it without any of Django's request handling, which costs more than the insert and knows sessions and
accounts. The view answers the same for Django's own test client and URL resolver: what decides is in this file.
"""

import json
import uuid
from typing import Any, NamedTuple

from surveys.definition.invitations import bytes_of, modulus_of
from surveys.definition.layout import Layout, ReportRefused, body_limit, layouts
from surveys.intake import refusals
from surveys.intake.envelope import Envelope, parse
from surveys.intake.problems import CONTENT_TYPE as PROBLEM
from surveys.intake.problems import problem_document
from surveys.intake.refusals import Refusal
from surveys.intake.storage import Outcome, Row
from surveys.invitations import blind
from surveys.models import Survey

SIGNATURE = 400  # bytes of the field in a body


class Reply(NamedTuple):
    status: int
    body: bytes
    content_type: str = "application/json"
    headers: refusals.Headers = ()


class Head(NamedTuple):
    """What a request says before its body. `length` is None where none is stated, as of a chunked body."""

    method: str
    content_type: str
    length: str | None


class Opened(NamedTuple):
    """What never changes about an opened survey."""

    survey_id: int
    digest: str
    layouts: list[Layout]  # of each form
    has_forms: bool
    limit: int  # bytes of a body
    limited: bool  # it closes at a number of reports
    modulus: int | None  # of the key whose signature lets a report in; None by open link


def refuse_head(head: Head, content_type: str = "application/json") -> Reply | None:
    """What is wrong with a request to any survey."""
    if head.method != "POST":
        return refuse(refusals.METHOD)
    if head.content_type.partition(";")[0].strip().lower() != content_type:
        return refuse(refusals.CONTENT_TYPE)
    if head.length is None or not (head.length.isascii() and head.length.isdigit()):
        return refuse(refusals.NO_LENGTH)
    return None


def refuse_length(head: Head, opened: Opened) -> Reply | None:
    if int(head.length or 0) > opened.limit:
        return refuse(refusals.TOO_LARGE, limit=opened.limit)
    return None


def opened(slug: str) -> Opened:
    """What may be kept for ever, since a definition is immutable once it has a slug; Survey.DoesNotExist may not."""
    survey = Survey.objects.published(slug)
    each = layouts(survey.definition)
    modulus = modulus_of(survey.definition)
    limit = max(map(body_limit, each)) + (SIGNATURE if modulus else 0)
    has_forms, limited = "forms" in survey.definition, survey.closes_after is not None
    return Opened(survey.pk, survey.digest, each, has_forms, limit, limited, modulus)


def read(opened: Opened, body: bytes) -> Row | Reply:
    """The row of a body, or why it is no report of the survey."""
    try:
        envelope = parse(body)
        if envelope.digest != opened.digest:
            return refuse(refusals.OTHER_DEFINITION, field="digest")
        form = _form(opened, envelope.form)
        packed = opened.layouts[form].pack(envelope.answers)
        _check_signature(opened.modulus, envelope)
    except ReportRefused as broken:
        return refuse(refusals.MALFORMED, field=broken.field, rule=broken.rule)
    return Row(uuid.UUID(envelope.report_id), opened.survey_id, packed, opened.limited, form)


def _form(opened: Opened, given: object) -> int:
    """The form that a report says it is of; the only one where the survey has no forms and none is given."""
    if not opened.has_forms:
        if given is not None:
            raise ReportRefused("form", "must be left out: the survey has no forms")
        return 0
    if type(given) is not int or not 0 <= given < len(opened.layouts):
        raise ReportRefused("form", f"must be a whole number from 0 to {len(opened.layouts) - 1}")
    return given


def _check_signature(modulus: int | None, envelope: Envelope) -> None:
    """A report of a survey by invitation carries a signature of its id, so an invitation lets in one report (P4)."""
    if modulus is None:
        if envelope.signature is not None:
            raise ReportRefused("signature", "must be left out: anybody with the link may answer")
        return
    try:
        signature = bytes_of(envelope.signature)
    except ValueError:
        raise ReportRefused("signature", "must be 256 bytes in base64url without padding") from None
    if not blind.verify(modulus, blind.message(envelope.digest, envelope.report_id), signature):
        raise ReportRefused("signature", "must be this survey's own, of this report's id")


def answer(row: Row, outcome: Outcome) -> Reply:
    match outcome:
        case Outcome.RECORDED:
            return Reply(201, b'{"report_id":"%s","status":"recorded"}' % str(row.report_id).encode())
        case Outcome.KNOWN:
            return Reply(200, b'{"report_id":"%s","status":"already recorded"}' % str(row.report_id).encode())
        case Outcome.EARLY:
            return refuse(refusals.NOT_BEGUN)
        case Outcome.GONE:
            return refuse(refusals.UNKNOWN_SURVEY)
    return refuse(refusals.CLOSED)


def refuse(refusal: Refusal, field: str = "", **values: Any) -> Reply:
    """The refusal as a problem document, with the values that its detail asks for."""
    detail = refusal.detail.format(**values)
    document = problem_document(refusal.status, refusal.name, refusal.title, detail)
    document |= {"field": field} if field else {}
    return Reply(refusal.status, json.dumps(document).encode(), PROBLEM, refusal.headers)


UNKNOWN_SURVEY = refuse(refusals.UNKNOWN_SURVEY)
BACKLOG = refuse(refusals.BACKLOG)
