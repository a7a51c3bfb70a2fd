"""Surveys whose reports come through a relay (RFC 9458). Their definition names the relay's origin, and the gateway's
key for sealing reports.

The definition holds the key, the digest covers it, and the public log names the digest. The page's manifest does not
hold the key, because it is the same for all sites. The page does not fetch the key when a respondent answers. So all
respondents have the same key, and none can be recognized by a special key (surveys/respondent/relay). A draft names
only the relay; the key is added at opening. The page has the same rules (shape.js).
"""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_noop as _

from surveys.rules.origins import ORIGIN
from surveys.rules.refusals import Refusals, refuse
from surveys.rules.shapes import exactly, must

FIELD: Final = "relay"
BYTES = 33  # the key's number (1 byte) and the key
KEY = r"[-A-Za-z0-9_]{44}"
RULE = _("must be https:// with a host in lower case, perhaps a port, and nothing after it")


def text_of(key_id: int, public: bytes) -> str:
    """Return a definition's key: its number and its 32 bytes in base64url, without padding."""
    return base64.urlsafe_b64encode(bytes([key_id]) + public).decode()


# A key without a private half, because nothing is sealed before a survey opens.
NO_KEY = text_of(0, bytes(32))


def build(draft: Mapping[str, object], refusals: Refusals) -> dict[str, dict[str, str]]:
    """Return the field of a definition before it opens; {} if the draft names no relay."""
    origin = draft.get(FIELD, "")
    refusals.attempt(_origin, origin)
    return {FIELD: {"key": NO_KEY, "origin": origin}} if isinstance(origin, str) and origin else {}


def origin_of(definition: Any) -> str | None:
    return definition[FIELD]["origin"] if FIELD in definition else None


def check(data: Mapping[str, Any]) -> None:
    """Raise Misshapen, or a Python error, unless a page may show the field."""
    if FIELD in data:
        exactly(data[FIELD], {"key", "origin"})
        must(re.fullmatch(KEY, data[FIELD]["key"]) and is_origin(data[FIELD]["origin"]))


def is_origin(text: str) -> bool:
    return ORIGIN.fullmatch(text) is not None


def key_of(text: str) -> tuple[int, bytes]:
    """Return the number and the 32 bytes of a definition's key. Raise ValueError for any other text."""
    try:
        data = base64.b64decode(text, altchars=b"-_", validate=True)
    except binascii.Error:
        raise ValueError("not base64url") from None
    if len(data) != BYTES:
        raise ValueError("not as long as it must be")
    return data[0], data[1:]


def _origin(given: object) -> None:
    if not isinstance(given, str) or (given and not is_origin(given)):
        raise refuse(FIELD, "relay_format", RULE)
