"""Signed notes (C2SP signed-note): a text, and below it lines with Ed25519 signatures of named keys."""

import base64
import binascii
import hashlib
import re
import secrets
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # the intake signs nothing, but reads the settings, which contain keys
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PLAIN, COSIGNATURE = 1, 4  # types of signatures
_NAME = re.compile(r"[^\s+]+")
_LINE = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})")
LINES_MOST = 64


class MalformedNote(ValueError):
    """The text is not a signed note, or not a key."""


class PublicKey(NamedTuple):
    """A verifier key: its owner's name, the type of its signatures, and its 32 bytes."""

    name: str
    kind: int
    public: bytes

    @property
    def id(self) -> bytes:
        return key_id(self.name, self.kind, self.public)

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(bytes([self.kind]) + self.public).decode()}"

    def holds(self, signature: bytes, message: bytes) -> bool:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except InvalidSignature:
            return False
        return True


class PrivateKey(NamedTuple):
    """A signing key and the name that it signs for."""

    name: str
    seed: bytes

    @property
    def public(self) -> PublicKey:
        return self.public_of(PLAIN)

    def public_of(self, kind: int) -> PublicKey:
        return PublicKey(self.name, kind, self._key().public_key().public_bytes_raw())

    def __str__(self) -> str:
        secret = base64.b64encode(bytes([PLAIN]) + self.seed).decode()
        return f"PRIVATE+KEY+{self.name}+{self.public.id.hex()}+{secret}"

    def sign(self, text: str) -> str:
        """Return the line with the text's signature."""
        return signature_line(self.public, self._key().sign(text.encode()))

    def _key(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self.seed)


class Signature(NamedTuple):
    """A line below a note. `value` is the part after the key's id."""

    name: str
    id: bytes
    value: bytes


def key_id(name: str, kind: int, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]


def new_key(name: str) -> PrivateKey:
    return PrivateKey(name, secrets.token_bytes(32))


def public_key(text: str, kinds: tuple[int, ...] = (PLAIN, COSIGNATURE)) -> PublicKey:
    """Return the key in a text name+id+base64. Raise MalformedNote for another kind of key or a wrong id."""
    name, number, material = _parts(text)
    key = PublicKey(name, material[0] if material else 0, material[1:])
    if key.kind not in kinds or len(key.public) != 32 or number != key.id.hex():
        raise MalformedNote("not the key of a signer")
    return key


def private_key(text: str) -> PrivateKey:
    """Return the key in a text PRIVATE+KEY+name+id+base64, or raise MalformedNote."""
    if not text.startswith("PRIVATE+KEY+"):
        raise MalformedNote("not a private key")
    name, number, material = _parts(text.removeprefix("PRIVATE+KEY+"))
    if len(material) != 33 or material[0] != PLAIN:
        raise MalformedNote("not a private key")
    key = PrivateKey(name, material[1:])
    if number != key.public.id.hex():
        raise MalformedNote("the private key's id is not its own")
    return key


def _parts(text: str) -> tuple[str, str, bytes]:
    """Return name, id and bytes of a key's text. Base64 may contain a plus itself."""
    name, _, rest = text.partition("+")
    number, _, material = rest.partition("+")
    if not _NAME.fullmatch(name):
        raise MalformedNote("not the name of a key")
    return name, number, decoded(material)


def decoded(text: str) -> bytes:
    """Return the bytes of base64 in its canonical notation, or raise MalformedNote."""
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error:
        raise MalformedNote("not base64") from None
    if base64.b64encode(data).decode() != text:
        raise MalformedNote("not base64")
    return data


def signature_line(key: PublicKey, value: bytes) -> str:
    return f"— {key.name} {base64.b64encode(key.id + value).decode()}\n"


def parsed(note: bytes) -> tuple[str, list[Signature]]:
    """Return the text of a note, with its last newline, and its signatures, not verified yet."""
    try:
        whole = note.decode()
    except UnicodeDecodeError:
        raise MalformedNote("not UTF-8") from None
    text, blank, lines = whole.rpartition("\n\n")
    if not blank or not lines.endswith("\n") or any(ord(mark) < 32 and mark != "\n" for mark in whole):
        raise MalformedNote("not a signed note")
    return text + "\n", signatures(lines)


def signatures(lines: str) -> list[Signature]:
    each = lines.split("\n")[:-1]
    if len(each) > LINES_MOST:
        raise MalformedNote("too many signatures")
    return [_signature(line) for line in each]


def _signature(line: str) -> Signature:
    parts = _LINE.fullmatch(line)
    value = decoded(parts[2]) if parts else b""
    if parts is None or len(value) < 5:
        raise MalformedNote("not a signature")
    return Signature(parts[1], value[:4], value[4:])
