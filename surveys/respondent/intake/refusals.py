"""All refusals of the intake. The API's schema lists those with `described`."""

from typing import NamedTuple

Headers = tuple[tuple[str, str], ...]

_CLOSE: Headers = (("Connection", "close"),)


class ReportRefusal(NamedTuple):
    """A refusal. `name` is the last part of the problem's type and is stable between versions. `described` is the text
    in the API's schema, once for each status that a client must handle."""

    status: int
    name: str
    title: str
    detail: str
    headers: Headers = ()
    described: str = ""


def _later(seconds: int) -> Headers:
    return (("Retry-After", str(seconds)),)


# Any request ----------------------------------------------------------------------------------------------------------

UNKNOWN_HOST = ReportRefusal(400, "unknown-host", "Unknown host", "No site has this name here.")
NOT_HERE = ReportRefusal(404, "not-here", "Not here", "Only reports are accepted here.")
TOO_SLOW = ReportRefusal(408, "too-slow", "Too slow", "The body did not arrive in time.", _CLOSE)
FAILED = ReportRefusal(500, "failed", "Failed", "Try again.")

# A report -------------------------------------------------------------------------------------------------------------

UNKNOWN_SURVEY = ReportRefusal(
    404, "unknown-survey", "Unknown survey", "No survey has this link.", described="No survey has this link."
)
METHOD = ReportRefusal(405, "method", "Method not allowed", "Only POST is allowed here.", (("Allow", "POST"),))
OTHER_DEFINITION = ReportRefusal(
    409,
    "other-definition",
    "Other definition",
    "The report is for another definition than this survey's.",
    described="The digest belongs to another definition, or the survey has not begun; the report was not recorded.",
)
NOT_BEGUN = ReportRefusal(
    409, "not-begun", "Not begun", "This survey does not accept reports yet. The report was not recorded."
)
CLOSED = ReportRefusal(
    410,
    "closed",
    "Closed",
    "This survey is closed. The report was not recorded.",
    described="The survey is closed; the report was not recorded.",
)
NO_LENGTH = ReportRefusal(
    411,
    "length",
    "Length required",
    "The length of the body must be stated.",
    described="The length of the body is not stated.",
)
TOO_LARGE = ReportRefusal(
    413,
    "too-large",
    "Too large",
    "A report of this survey has at most {limit} bytes.",
    described="The body is longer than any report of this survey.",
)
CONTENT_TYPE = ReportRefusal(
    415,
    "content-type",
    "Wrong content type",
    "The body must be application/json.",
    described="The body is not application/json.",
)
MALFORMED = ReportRefusal(
    422, "malformed-report", "Malformed report", "{rule}", described="Not a report of this survey; `field` says where."
)
BACKLOG = ReportRefusal(
    429,
    "backlog",
    "Too many reports wait",
    "Send this report again later.",
    _later(30),
    described="Too many reports wait or come from this client: send the same bytes again after Retry-After seconds.",
)
TOO_MANY = ReportRefusal(429, "too-many", "Too many requests", "Send this report again in a minute.", _later(60))
BUSY = ReportRefusal(
    503,
    "busy",
    "Busy",
    "Send this report again later.",
    _later(5),
    described="The site is busy: send the same bytes again after Retry-After seconds.",
)

# An invitation --------------------------------------------------------------------------------------------------------

NO_INVITATION = ReportRefusal(
    403,
    "no-invitation",
    "No invitation",
    "Nothing was signed: the invitation was used or revoked, or the token or the blinded message is damaged.",
    described="Nothing was signed. The response is the same for an invitation that was used, was revoked or never "
    "existed and for a malformed body: it does not reveal which. A body is JSON with `token`, 22 characters, and "
    "`blinded`, a number between 1 and the key's modulus that is prime to it, 256 bytes in base64url without padding.",
)
OPEN_LINK = ReportRefusal(404, "open-link", "Open link", "Anyone with the link may answer: nothing is signed.")
SIGNED_ELSEWHERE = ReportRefusal(
    503,
    "signed-elsewhere",
    "Signed elsewhere",
    "This machine has no invitations to this survey. Try again.",
    _later(30),
)

# A capsule ------------------------------------------------------------------------------------------------------------

# This is not the type of RFC 9458, 5.3, because the page ignores anything that a relay could have sent.
UNKNOWN_GATEWAY_KEY = ReportRefusal(
    422, "gateway-key", "Unknown key", "The capsule is for a key that the gateway does not have, or no longer has."
)
MALFORMED_CAPSULE = ReportRefusal(400, "malformed-capsule", "Malformed capsule", "The body is no valid capsule.")

# A page ---------------------------------------------------------------------------------------------------------------

PAGE_NO_LENGTH = NO_LENGTH._replace(headers=_CLOSE)
PAGE_TOO_LARGE = TOO_LARGE._replace(detail="A body has at most {limit} bytes.", headers=_CLOSE)
PAGES_BUSY = BUSY._replace(detail="Too many pages are requested at the moment. Try again.")
PAGES_AWAY = ReportRefusal(503, "away", "Away", "The pages are not available at the moment. Try again.", _later(5))

OF_REPORTS = (
    UNKNOWN_SURVEY,
    METHOD,
    OTHER_DEFINITION,
    NOT_BEGUN,
    CLOSED,
    NO_LENGTH,
    TOO_LARGE,
    CONTENT_TYPE,
    MALFORMED,
    BACKLOG,
    TOO_MANY,
    BUSY,
)

OF_SIGNATURES = (
    NO_INVITATION,
    UNKNOWN_SURVEY,
    METHOD,
    NOT_BEGUN._replace(described="The survey has not begun."),
    CLOSED,
    NO_LENGTH,
    TOO_LARGE,
    CONTENT_TYPE,
    TOO_MANY,
    BUSY,
)
