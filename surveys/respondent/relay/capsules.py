"""Capsules: encryption of a request and its response through the relay (RFC 9458, 4).

A request names the key by one byte, the same for all respondents of a survey. The key is in the survey's definition
(surveys/survey/definition/relay.py), so no one can get another key and be recognized by it.
"""

import secrets
from collections.abc import Callable, Sequence
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from surveys.respondent.relay import hpke

REQUEST, RESPONSE, KEYS = "message/ohttp-req", "message/ohttp-res", "application/ohttp-keys"
_SUITE = b"".join(each.to_bytes(2) for each in (hpke.KEM, hpke.KDF, hpke.AEAD))
_IN, _OUT = b"message/bhttp request", b"message/bhttp response"
_NONCE = max(hpke.KEY_BYTES, hpke.NONCE_BYTES)  # bytes


class Unopened(ValueError):
    """The bytes are no capsule, or a capsule for another key."""


class UnknownKey(Unopened):
    """The key with this number does not exist, or not any more."""


class OpenedCapsule(NamedTuple):
    """The request of a capsule, and the context that seals the response."""

    request: bytes
    enc: bytes
    context: hpke.Context


def configuration(key_id: int, public: bytes) -> bytes:
    """Return a key configuration (RFC 9458, 3.1)."""
    suites = b"".join(each.to_bytes(2) for each in (hpke.KDF, hpke.AEAD))
    return bytes([key_id]) + hpke.KEM.to_bytes(2) + public + len(suites).to_bytes(2) + suites


def configurations(keys: Sequence[tuple[int, bytes]]) -> bytes:
    """Return a document of type `KEYS` (RFC 9458, 3.2)."""
    each = [configuration(*key) for key in keys]
    return b"".join(len(one).to_bytes(2) + one for one in each)


def opened(capsule: bytes, private: Callable[[int], X25519PrivateKey | None]) -> OpenedCapsule:
    """Return the request in a capsule. `private` returns the key with a number. Raise Unopened or UnknownKey."""
    head, enc, sealed = capsule[:7], capsule[7 : 7 + hpke.PUBLIC_BYTES], capsule[7 + hpke.PUBLIC_BYTES :]
    if len(sealed) < hpke.TAG_BYTES or head[1:] != _SUITE:
        raise Unopened("no capsule of this suite")
    key = private(head[0])
    if key is None:
        raise UnknownKey("there is no such key")
    try:
        context = hpke.recipient(key, enc, _IN + b"\0" + head)
        return OpenedCapsule(context.open(sealed), enc, context)
    except ValueError as error:
        raise Unopened(str(error)) from None


def answer(opened: OpenedCapsule, response: bytes, nonce: bytes | None = None) -> bytes:
    """Return the capsule of the response to an opened request. The default `nonce` is random."""
    nonce = secrets.token_bytes(_NONCE) if nonce is None else nonce
    key, iv = _sealing(opened.enc, opened.context, nonce)
    return nonce + AESGCM(key).encrypt(iv, response, b"")


# The respondent's part, for clients and tests -------------------------------------------------------------------------


class Sealed(NamedTuple):
    capsule: bytes
    enc: bytes
    context: hpke.Context

    def response(self, capsule: bytes) -> bytes:
        """Return the response in a capsule. Raise ValueError unless the gateway made it for this request."""
        nonce, sealed = capsule[:_NONCE], capsule[_NONCE:]
        key, iv = _sealing(self.enc, self.context, nonce)
        return hpke.Context(key, iv, b"").open(sealed)


def seal(key_id: int, public: bytes, request: bytes, ephemeral: X25519PrivateKey | None = None) -> Sealed:
    head = bytes([key_id]) + _SUITE
    enc, context = hpke.sender(public, _IN + b"\0" + head, ephemeral)
    return Sealed(head + enc + context.seal(request), enc, context)


def _sealing(enc: bytes, context: hpke.Context, nonce: bytes) -> tuple[bytes, bytes]:
    """Return the key and nonce of a response (RFC 9458, 4.4)."""
    secret = hpke.extract(enc + nonce, context.export(_OUT, _NONCE))
    return hpke.expand(secret, b"key", hpke.KEY_BYTES), hpke.expand(secret, b"nonce", hpke.NONCE_BYTES)
