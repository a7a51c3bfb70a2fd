"""The gateway of oblivious HTTP (RFC 9458). It opens the capsule of a request and seals the response.

Its URL is the well-known one of RFC 9540; a GET returns the public keys. A capsule may hold only requests of the
respondents' page: a report or a request for a signature. Anything else gets 404.
"""

from collections.abc import Awaitable

from surveys.operation import logging
from surveys.operation.faults import FAULTS
from surveys.respondent.intake import refusals, replies
from surveys.respondent.intake.replies import Head, Reply, refuse
from surveys.respondent.relay import capsules, keys, messages

PATH = logging.GATEWAY
BODY_MAX = 1 << 20  # bytes of a capsule; no report needs as many
_TOO_LARGE = refusals.TOO_LARGE._replace(detail="A capsule has at most {limit} bytes.")
_WRONG_TYPE = refusals.CONTENT_TYPE._replace(detail=f"The body must be {capsules.REQUEST}.")


class Inner:
    """An opened request, with the interface that the front expects: a call returns the body."""

    authority = None

    def __init__(self, opened: capsules.OpenedCapsule, client: str) -> None:
        self.client = client
        request = messages.request_of(opened.request)
        self.method, self.path = request.method, request.path
        self.headers = request.headers | {"host": request.authority, "content-length": str(len(request.body))}
        self._opened, self._body = opened, request.body

    async def __call__(self) -> bytes:
        return self._body

    async def answered(self, taking: Awaitable[Reply | None]) -> Reply:
        """Return the reply for the relay, sealed and of constant length. Without a reply it is a refusal."""
        try:
            reply = await taking or refuse(refusals.NOT_HERE)
        except Exception as error:  # an unsealed error would show the relay the outcome
            FAULTS.add("Intake failed", (type(error), error, error.__traceback__))
            reply = refuse(refusals.FAILED)
        headers = {name.lower(): value for name, value in reply.headers} | {"content-type": reply.content_type}
        response = messages.response(reply.status, headers, reply.body)
        if len(response) > messages.RESPONSE_FILL:  # never so far; another length would reveal it
            response = messages.response(reply.status, headers, b"")
        return Reply(200, capsules.answer(self._opened, response), capsules.RESPONSE)


def refuse_head(head: Head) -> Reply | None:
    """Return the refusal of a request to the gateway before its body is read, or None."""
    refused = replies.refuse_head(head, capsules.REQUEST)
    if refused is not None:
        return refuse(_WRONG_TYPE) if refused.status == _WRONG_TYPE.status else refused
    return refuse(_TOO_LARGE, limit=BODY_MAX) if int(head.length or 0) > BODY_MAX else None


def opened(capsule: bytes, client: str) -> Inner | Reply:
    """Return the request in a capsule, or its refusal."""
    try:
        return Inner(capsules.opened(capsule, keys.private), client)
    except capsules.UnknownKey:
        return refuse(refusals.UNKNOWN_GATEWAY_KEY)
    except (capsules.Unopened, messages.Malformed):
        return refuse(refusals.MALFORMED_CAPSULE)


def configurations() -> Reply:
    """Return the public halves of all keys."""
    return Reply(200, capsules.configurations(keys.all_keys()), capsules.KEYS)
