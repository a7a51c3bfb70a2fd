"""HPKE (RFC 9180) in mode base with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-128-GCM, for one message.

`cryptography` has the suite but not the export of a secret, which seals the response (RFC 9458, 4.4). So this module
builds the key schedule from its primitives. No derived value is longer than one hash.
"""

import hmac
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEM, KDF, AEAD = 0x0020, 0x0001, 0x0001
PUBLIC_BYTES = 32
KEY_BYTES, NONCE_BYTES, TAG_BYTES = 16, 12, 16
_HASH_BYTES = 32
_VERSION = b"HPKE-v1"
_KEM = b"KEM" + KEM.to_bytes(2)
_SUITE = b"HPKE" + b"".join(each.to_bytes(2) for each in (KEM, KDF, AEAD))
_BASE = b"\0"


class Context(NamedTuple):
    """The state that both sides share for a message. Call `seal` and `open` at most once each."""

    key: bytes
    nonce: bytes
    exporter: bytes

    def seal(self, text: bytes, associated: bytes = b"") -> bytes:
        return AESGCM(self.key).encrypt(self.nonce, text, associated)

    def open(self, sealed: bytes, associated: bytes = b"") -> bytes:
        """Decrypt. Raise ValueError if the message was altered or sealed for another key."""
        try:
            return AESGCM(self.key).decrypt(self.nonce, sealed, associated)
        except InvalidTag:
            raise ValueError("sealed for another key, or altered") from None

    def export(self, purpose: bytes, length: int) -> bytes:
        return _labeled_expand(_SUITE, self.exporter, b"sec", purpose, length)


def sender(public: bytes, purpose: bytes, ephemeral: X25519PrivateKey | None = None) -> tuple[bytes, Context]:
    """Return the encapsulated key, `PUBLIC_BYTES` long, and the sender's context for a public key."""
    ephemeral = ephemeral or X25519PrivateKey.generate()
    enc = ephemeral.public_key().public_bytes_raw()
    shared = ephemeral.exchange(X25519PublicKey.from_public_bytes(public))
    return enc, _scheduled(_decapsulated(shared, enc, public), purpose)


def recipient(private: X25519PrivateKey, enc: bytes, purpose: bytes) -> Context:
    """Return the recipient's context. Raise ValueError if `enc` is no key, or gives everyone the same secret."""
    shared = private.exchange(X25519PublicKey.from_public_bytes(enc))
    return _scheduled(_decapsulated(shared, enc, private.public_key().public_bytes_raw()), purpose)


def extract(salt: bytes, secret: bytes) -> bytes:
    """Return HKDF-Extract with SHA-256 (RFC 5869)."""
    return hmac.digest(salt, secret, "sha256")


def expand(secret: bytes, purpose: bytes, length: int) -> bytes:
    """Return HKDF-Expand, at most one hash long."""
    assert length <= _HASH_BYTES
    return hmac.digest(secret, purpose + b"\1", "sha256")[:length]


def _decapsulated(shared: bytes, enc: bytes, public: bytes) -> bytes:
    """Return the secret of the key encapsulation (RFC 9180, 4.1)."""
    secret = _labeled_extract(_KEM, b"", b"eae_prk", shared)
    return _labeled_expand(_KEM, secret, b"shared_secret", enc + public, _HASH_BYTES)


def _scheduled(shared: bytes, purpose: bytes) -> Context:
    """Return the context of the key schedule without a pre-shared key (RFC 9180, 5.1)."""
    psk_id_hash = _labeled_extract(_SUITE, b"", b"psk_id_hash", b"")
    context = _BASE + psk_id_hash + _labeled_extract(_SUITE, b"", b"info_hash", purpose)
    secret = _labeled_extract(_SUITE, shared, b"secret", b"")
    lengths = {b"key": KEY_BYTES, b"base_nonce": NONCE_BYTES, b"exp": _HASH_BYTES}
    return Context(*(_labeled_expand(_SUITE, secret, label, context, length) for label, length in lengths.items()))


def _labeled_extract(suite: bytes, salt: bytes, label: bytes, secret: bytes) -> bytes:
    return extract(salt, _VERSION + suite + label + secret)


def _labeled_expand(suite: bytes, secret: bytes, label: bytes, purpose: bytes, length: int) -> bytes:
    return expand(secret, length.to_bytes(2) + _VERSION + suite + label + purpose, length)
