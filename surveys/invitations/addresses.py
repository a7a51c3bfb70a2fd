"""Addresses of people who are invited by mail: read from what a designer pastes, and sealed in the book.

Each survey has a key of its own for them, in a file beside the book and in no backup of it: destroyed when the survey
ends, it makes unreadable whatever copies of the book still hold. It is not derived from SECRET_KEY, which outlives
surveys and stands in other backups, and not in the database, whose thief is then told nothing of addresses. The worker
has to read them by itself, so who takes the whole machine while the survey runs has the key as well.
"""

import csv
import hmac
import os
import re
import secrets
from collections import Counter
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from surveys.rules.mail import is_address
from surveys.rules.texts import INVISIBLE

MOST_BYTES = 320
_KEY_BYTES, _NONCE_BYTES, _DERIVED_BYTES = 32, 12, 16
_CELL = re.compile(r"(?:[^<>]*<)?([^<>\s]+@[^<>\s]+?)>?")
_UNSEEN = re.compile(f"[{INVISIBLE}]")  # as around an address that was copied from a list of contacts


class Lost(LookupError):
    """The key of a survey's addresses is gone: it stands in no backup."""


class NoAddress(ValueError):
    """A line of a list has none; `line` is its number, from 1 on."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line} has no address")
        self.line = line


class Twice(ValueError):
    """An address stands in a list more than once."""

    def __init__(self, address: str) -> None:
        super().__init__(f"{address} stands there twice")
        self.address = address


def read(text: str) -> list[str]:
    """The first address of each line that is not empty; of a table the first line may have names of its columns."""
    lines = text.lstrip("\ufeff").splitlines()
    separator = max(",;\t", key=lambda each: sum(line.count(each) for line in lines))
    rows = [(number, line, _address(line, separator)) for number, line in enumerate(lines, 1) if line.strip()]
    names = len(rows) > 1 and "@" not in rows[0][1]
    if not rows[names:]:
        raise NoAddress(1)
    for number, _, address in rows[names:]:
        if address is None:
            raise NoAddress(number)
    people = [address for *_, address in rows if address]
    if repeated := next((each for each, n in Counter(map(str.casefold, people)).items() if n > 1), None):
        raise Twice(repeated)
    return people


def _address(line: str, separator: str) -> str | None:
    try:
        cells = [_UNSEEN.sub("", cell).strip() for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return None
    return next((match[1] for cell in cells if (match := _CELL.fullmatch(cell)) and _is_valid(match[1])), None)


def _is_valid(address: str) -> bool:
    return is_address(address) and len(address.encode()) <= MOST_BYTES


# The key --------------------------------------------------------------------------------------------------------------


def key(digest: str, make: bool = False) -> bytes:
    """Lost where the survey has none, and none is to be made."""
    path = _path(digest)
    if make and not path.exists():
        path.parent.mkdir(mode=0o700, exist_ok=True)
        draft = path.with_suffix(f".{secrets.token_hex(4)}")
        _write(draft, secrets.token_bytes(_KEY_BYTES))
        try:
            os.link(draft, path)  # which fails where another process was first
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise Lost from None


def has_key(digest: str) -> bool:
    return _path(digest).exists()


def destroy_key(digest: str) -> None:
    """Written over where it stands, and gone."""
    path = _path(digest)
    if path.exists():
        with path.open("r+b") as file:
            file.write(bytes(_KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        path.unlink()


def _path(digest: str) -> Path:
    return Path(settings.INVITATIONS_FILE.parent, "address-keys", digest)


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


# What is made with it -------------------------------------------------------------------------------------------------


def seal(key: bytes, place: bytes, address: str) -> bytes:
    """As long for every address. It is of one place, and cannot be moved to another."""
    data = address.encode()
    text = len(data).to_bytes(2) + data.ljust(MOST_BYTES, b"\0")
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, text, place)


def unseal(key: bytes, place: bytes, sealed: bytes) -> str:
    try:
        text = AESGCM(key).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], place)
    except InvalidTag:
        raise Lost from None
    return text[2 : 2 + int.from_bytes(text[:2])].decode()


def secret(key: bytes, mailing: bytes, place: bytes) -> bytes:
    """What the token of a letter spells: derived, so that it need be stored nowhere until the letter is sent, and is
    the same if that is tried again. Once the mailing's random number is deleted nobody can derive it any more."""
    return _derived(key, b"token", mailing, place)


def message_id(key: bytes, mailing: bytes, place: bytes) -> str:
    return _derived(key, b"message", mailing, place).hex()


def _derived(key: bytes, purpose: bytes, mailing: bytes, place: bytes) -> bytes:
    return hmac.digest(key, b"\0".join([purpose, mailing, place]), sha256)[:_DERIVED_BYTES]
