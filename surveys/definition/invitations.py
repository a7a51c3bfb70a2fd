"""Surveys by invitation: their definition names the key whose signature every report carries (P13).

A draft says that a survey is by invitation; its own key is made when it opens, so what is built of a draft has a
modulus that is no key's. The page has the same rules (shape.js). The digest is over the key too, so nobody can be
recognized by a key of their own.
"""

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from surveys.rules.refusals import Refusals, flag
from surveys.rules.shapes import exactly, must

FIELD = "invitations"
BYTES = 256  # of the modulus, of a blinded message and of a signature
PATTERN = r"[A-Za-z0-9_-]{342}"


def text_of(number: int) -> str:
    """A number of `BYTES` bytes, the first byte first, in base64url without padding."""
    return base64.urlsafe_b64encode(number.to_bytes(BYTES)).decode().rstrip("=")


def bytes_of(text: object) -> bytes:
    """The `BYTES` bytes of their only notation; ValueError of anything else."""
    if not isinstance(text, str) or not text.isascii() or len(text) != (BYTES * 4 + 2) // 3:
        raise ValueError("not as long as it must be")
    try:
        data = base64.b64decode(text + "==", altchars=b"-_", validate=True)
    except binascii.Error:
        raise ValueError("not base64url") from None
    if base64.urlsafe_b64encode(data).decode().rstrip("=") != text:
        raise ValueError("not the shortest notation")
    return data


# Nobody has its factors, and before a survey opens nothing is signed.
NO_KEY = text_of(2 ** (8 * BYTES) - 1)


def build(draft: Mapping[str, object], refusals: Refusals) -> dict[str, dict[str, str]]:
    """The field as a definition holds it before it opens, where the draft is by invitation."""
    refusals.attempt(flag, draft.get(FIELD, False), FIELD)
    return {FIELD: {"modulus": NO_KEY}} if draft.get(FIELD) is True else {}


def modulus_of(definition: Any) -> int | None:
    """The key of an opened survey by invitation; None of one by open link."""
    return int.from_bytes(bytes_of(definition[FIELD]["modulus"])) if FIELD in definition else None


def check(data: Mapping[str, Any]) -> None:
    """Misshapen, or a Python error, where the field is none that a page may show."""
    if FIELD in data:
        exactly(data[FIELD], {"modulus"})
        modulus = bytes_of(data[FIELD]["modulus"])
        must(modulus[0] >= 128 and modulus[-1] % 2 == 1)
