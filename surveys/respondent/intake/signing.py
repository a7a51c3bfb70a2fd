"""Use of an invitation. A browser sends its token and a blinded message, and gets the message signed once.

The site cannot read what it signs, and the report with the signature comes separately. So neither reveals the other
(P13). The site stores only that the invitation was used.

Anyone with an invitation's link can try it. So a used, revoked or unknown invitation and a malformed request get the
same refusal, in the same words and after the same work. It does not reveal whether the invited person has answered.
Other refusals depend on the survey alone.
"""

import json
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from surveys.models import Survey
from surveys.operation.faults import FAULTS
from surveys.respondent.intake import links, refusals, replies
from surveys.respondent.intake.envelope import unique
from surveys.respondent.intake.reconnection import persistently
from surveys.respondent.intake.refusals import ReportRefusal
from surveys.respondent.intake.replies import Head, Reply, refuse
from surveys.respondent.intake.views import responding
from surveys.respondent.invitations import book
from surveys.rules.spelling import INVITATION, is_code
from surveys.survey.definition.invitations import bytes_of, moduli_of, text_of

BODY_MAX = 1024
_TOO_LARGE = refusals.TOO_LARGE._replace(detail="A request for a signature has at most {limit} bytes.")


class SigningRequest(NamedTuple):
    token: str
    blinded: bytes


_MALFORMED = SigningRequest("", b"")  # opens no invitation; it is refused after the same work


@csrf_exempt  # no cookie and no session is used; only the token counts
def view(request: HttpRequest, slug: str | None = None) -> HttpResponse:
    """Sign a message. API clients name the `slug` in the URL, the respondents' page in a header."""
    meta = request.META
    head = Head(request.method or "", meta.get("CONTENT_TYPE", ""), meta.get("CONTENT_LENGTH") or None)
    if refused := refuse_head(head):
        return responding(refused)
    named = links.slug_of(request.headers.get(links.HEADER)) if slug is None else slug
    return responding(reply(named, request.read(BODY_MAX)))


def refuse_head(head: Head) -> Reply | None:
    """Return the refusal of a request before its body is read, or None."""
    if refused := replies.refuse_head(head):
        return refused
    return refuse(_TOO_LARGE, limit=BODY_MAX) if int(head.length or 0) > BODY_MAX else None


def guarded(slug: str, body: bytes) -> Reply:
    """Return `reply`; an error becomes a fault in the log and a refusal."""
    try:
        return _persistent((slug, body))
    except Exception as error:
        FAULTS.add("Signing failed", (type(error), error, error.__traceback__))
        return refuse(refusals.FAILED)


def reply(slug: str, body: bytes) -> Reply:
    """Return the signature, or the refusal."""
    survey = Survey.objects.exclude(state=Survey.State.DRAFT).filter(slug=slug).first()
    if survey is None:
        return replies.UNKNOWN_SURVEY
    if refusal := _not_now(survey):
        return refuse(refusal)
    try:
        signature = book.sign(survey.digest, *read(body))
    except book.Elsewhere:
        return refuse(refusals.SIGNED_ELSEWHERE)
    except book.Ended:
        return refuse(refusals.CLOSED)
    except (book.UnknownInvitation, ValueError):
        return refuse(refusals.NO_INVITATION)
    return Reply(200, json.dumps({"signature": text_of(int.from_bytes(signature))}).encode())


@persistently
def _persistent(request: tuple[str, bytes]) -> Reply:
    return reply(*request)


def _not_now(survey: Survey) -> ReportRefusal | None:
    """Return the reason why nothing is signed for this survey now, or None."""
    if not moduli_of(survey.definition):
        return refusals.OPEN_LINK
    if survey.begins_later:
        return refusals.NOT_BEGUN
    return None if survey.accepts_reports else refusals.CLOSED


def read(body: bytes) -> SigningRequest:
    """Return a body's token and blinded message, _MALFORMED unless it is JSON in UTF-8 with nothing else."""
    try:
        data = json.loads(body.decode(), object_pairs_hook=unique)
        if data.keys() == {"token", "blinded"} and is_code(data["token"], INVITATION):
            return SigningRequest(data["token"], bytes_of(data["blinded"]))
    except (ValueError, TypeError, AttributeError, RecursionError):
        pass
    return _MALFORMED
