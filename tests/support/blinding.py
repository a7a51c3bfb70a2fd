"""The respondent's part of blind signatures (RFC 9474) in Python: the twin of surveys/static/respond/invitation.js."""

import math
import secrets
from hashlib import sha384
from typing import NamedTuple

from surveys.respondent.invitations.blind import EXPONENT, SALT_BYTES, verify

HASH_BYTES = 48


class Blinded(NamedTuple):
    """The message for the signer, and the number that removes the factor from the signature. Both are as long as the
    modulus."""

    message: bytes
    inverse: bytes


def blind(modulus: int, message: bytes, salt: bytes | None = None, factor: int | None = None) -> Blinded:
    """Return the blinded message (RFC 9474, 4.2). By default `salt` and `factor` are random; `factor` must be prime to
    the modulus. ValueError if the encoded message has a divisor of the modulus, which never happens in practice."""
    salt = secrets.token_bytes(SALT_BYTES) if salt is None else salt
    encoded = int.from_bytes(encode(message, modulus.bit_length() - 1, salt))
    if math.gcd(encoded, modulus) != 1:
        raise ValueError("the message has a divisor of the modulus")
    r = 1 + secrets.randbelow(modulus - 1) if factor is None else factor
    length = _length(modulus)
    blinded, inverse = encoded * pow(r, EXPONENT, modulus) % modulus, pow(r, -1, modulus)
    return Blinded(blinded.to_bytes(length), inverse.to_bytes(length))


def finalize(modulus: int, message: bytes, signature: bytes, inverse: bytes) -> bytes:
    """Return the signature of the message from the blind signature (RFC 9474, 4.4). ValueError if this key did not sign
    it."""
    unblinded = _number(signature, modulus) * _number(inverse, modulus) % modulus
    if not verify(modulus, message, unblinded.to_bytes(_length(modulus))):
        raise ValueError("invalid signature")
    return unblinded.to_bytes(_length(modulus))


def encode(message: bytes, bits: int, salt: bytes) -> bytes:
    """Return EMSA-PSS-ENCODE (RFC 8017, 9.1.1) with SHA-384, as a number of at most `bits` bits."""
    length = -(-bits // 8)
    hashed = sha384(bytes(8) + sha384(message).digest() + salt).digest()
    block = b"\1" + salt
    masked = int.from_bytes(block) ^ int.from_bytes(_mask(hashed, length - HASH_BYTES - 1))
    room = bits - 8 * (HASH_BYTES + 1)
    return (masked % (1 << room)).to_bytes(length - HASH_BYTES - 1) + hashed + b"\xbc"


def _mask(seed: bytes, length: int) -> bytes:
    """Return MGF1 (RFC 8017, B.2.1)."""
    blocks = (sha384(seed + counter.to_bytes(4)).digest() for counter in range(-(-length // HASH_BYTES)))
    return b"".join(blocks)[:length]


def _number(data: bytes, modulus: int) -> int:
    number = int.from_bytes(data)
    if len(data) != _length(modulus) or number >= modulus:
        raise ValueError("must be as long as the modulus and a number below it")
    return number


def _length(modulus: int) -> int:
    return -(-modulus.bit_length() // 8)
