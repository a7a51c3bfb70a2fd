"""Replies to reports. One statement stores a report, and the reply comes after the commit.

The reply is 201 (committed), 200 (known already) or a refusal of refusals.py.

`front.py` serves the replies without Django's request handling, which costs more than the insert and knows sessions and
accounts. The view does the same for Django's test client and URL resolver. All decisions are in this file.
"""

import json
from typing import Any, NamedTuple

from surveys.models import Survey
from surveys.respondent.intake import refusals
from surveys.respondent.intake.envelope import Envelope, parse
from surveys.respondent.intake.problems import CONTENT_TYPE as PROBLEM
from surveys.respondent.intake.problems import problem_document
from surveys.respondent.intake.refusals import ReportRefusal
from surveys.respondent.intake.storage import Outcome, Row
from surveys.respondent.invitations import blind
from surveys.survey.definition.invitations import bytes_of, moduli_of
from surveys.survey.definition.layout import Layout, ReportRefused, body_limit, layouts

SIGNATURE = 400  # bytes of the field in a body


class Reply(NamedTuple):
    status: int
    body: bytes
    content_type: str = "application/json"
    headers: refusals.Headers = ()


class Head(NamedTuple):
    """The head of a request. `length` is None if it is not stated, as for a chunked body."""

    method: str
    content_type: str
    length: str | None


class Opened(NamedTuple):
    """The constant facts of an opened survey."""

    survey_id: int
    digest: str
    layouts: list[Layout]  # of each form
    says: str | None  # the field that selects a report's layout; None for a single layout
    limit: int  # bytes of a body
    limited: bool  # whether it closes at a number of reports
    moduli: list[int]  # of the keys that sign invitations, one for each group; none for an open link


def refuse_head(head: Head, content_type: str = "application/json") -> Reply | None:
    """Return the refusal of a request by its head, in any survey, or None."""
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
    """Return the survey, which callers may cache for ever. Raise Survey.DoesNotExist, which they may not cache."""
    survey = Survey.objects.published(slug)
    each = layouts(survey.definition)
    moduli = moduli_of(survey.definition)
    limit = max(map(body_limit, each)) + (SIGNATURE if moduli else 0)
    says = "form" if "forms" in survey.definition else "group" if len(moduli) > 1 else None
    return Opened(survey.pk, survey.digest, each, says, limit, survey.closes_after is not None, moduli)


def read(opened: Opened, body: bytes) -> Row | Reply:
    """Return the row of a body, or the refusal of a body that is no report of the survey."""
    try:
        envelope = parse(body)
        if envelope.digest != opened.digest:
            return refuse(refusals.OTHER_DEFINITION, field="digest")
        form = _form(opened, envelope)
        packed = opened.layouts[form].pack(envelope.answers)
        _check_signature(opened, form, envelope)
    except ReportRefused as broken:
        return refuse(refusals.MALFORMED, field=broken.field, rule=broken.rule)
    return Row(envelope.report_id, opened.survey_id, packed, opened.limited, form)


def _form(opened: Opened, envelope: Envelope) -> int:
    """Return the form or group that a report names; 0 if the survey has neither and the report names none."""
    given: dict[str, object] = {"form": envelope.form, "group": envelope.group}
    for name, value in given.items():
        if name != opened.says and value is not None:
            raise ReportRefused(name, f"must be left out: the survey has no {name}s")
    if opened.says is None:
        return 0
    form = given[opened.says]
    if type(form) is not int or not 0 <= form < len(opened.layouts):
        raise ReportRefused(opened.says, f"must be a whole number from 0 to {len(opened.layouts) - 1}")
    return form


def _check_signature(opened: Opened, form: int, envelope: Envelope) -> None:
    """Raise ReportRefused for a report without a valid signature, if the survey is by invitation. The signature is of
    the report's id, so an invitation admits one report (P4), and only in its group."""
    if not opened.moduli:
        if envelope.signature is not None:
            raise ReportRefused("signature", "must be left out: anyone with the link may answer")
        return
    try:
        signature = bytes_of(envelope.signature)
    except ValueError:
        raise ReportRefused("signature", "must be 256 bytes in base64url without padding") from None
    modulus = opened.moduli[form if opened.says == "group" else 0]
    if not blind.verify(modulus, blind.message(envelope.digest, envelope.report_id), signature):
        whose = "this group's" if opened.says == "group" else "this survey's"
        raise ReportRefused("signature", f"must be a signature of this report's id with {whose} key")


def answer(row: Row, outcome: Outcome) -> Reply:
    match outcome:
        case Outcome.RECORDED:
            return Reply(201, b'{"report_id":"%s","status":"recorded"}' % row.report_id.encode())
        case Outcome.KNOWN:
            return Reply(200, b'{"report_id":"%s","status":"already recorded"}' % row.report_id.encode())
        case Outcome.EARLY:
            return refuse(refusals.NOT_BEGUN)
        case Outcome.GONE:
            return refuse(refusals.UNKNOWN_SURVEY)
    return refuse(refusals.CLOSED)


def refuse(refusal: ReportRefusal, field: str = "", **values: Any) -> Reply:
    """Return the refusal as a problem document, with the values for its detail."""
    detail = refusal.detail.format(**values)
    document = problem_document(refusal.status, refusal.name, refusal.title, detail)
    document |= {"field": field} if field else {}
    return Reply(refusal.status, json.dumps(document).encode(), PROBLEM, refusal.headers)


UNKNOWN_SURVEY = refuse(refusals.UNKNOWN_SURVEY)
BACKLOG = refuse(refusals.BACKLOG)
