"""Email addresses of invited people: read from a designer's list, and encrypted in the book.

Each survey has a key for them, in a file beside the book that is in no backup. The key is destroyed when the survey
ends; then copies of the book are unreadable. The key is not derived from SECRET_KEY, which outlives surveys and is in
other backups. It is not in the database, so a stolen database contains no email address. The worker has to decrypt
without a user, so a thief of the whole running machine gets the key, too.
"""

import hmac
import os
import re
import secrets
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from surveys.rules.mail import is_address
from surveys.rules.texts import INVISIBLE

MOST_BYTES = 320
_KEY_BYTES, _NONCE_BYTES, _DERIVED_BYTES = 32, 12, 16
_SEPARATOR = re.compile("[,;\t\uff0c\uff1b\u060c\u061b\u3001]")  # with the Chinese and Arabic separators
_BRACKETS = re.compile("<([^<>]*)>")
_BETWEEN = re.compile(rf'[\s<>()\[\]:{_SEPARATOR.pattern[1:-1]}]+|"(?!@)')
_HANDLE = re.compile(r"@\w*")
_UNSEEN = re.compile(f"[{INVISIBLE}]")  # such as characters around an email address copied from a contact


class Lost(LookupError):
    """The key of a survey's email addresses is lost. No backup has it."""


class NoAddress(ValueError):
    """A line has no email address, or `text` in it is no valid one. `line` is its number, from 1."""

    def __init__(self, line: int, text: str = "") -> None:
        super().__init__(f"line {line}: {text!r} is no address" if text else f"line {line} has no address")
        self.line, self.text = line, text


class Several(ValueError):
    """A row of a table has several email addresses. Only the designer knows which one is the person's."""

    def __init__(self, line: int, addresses: Sequence[str]) -> None:
        super().__init__(f"line {line} has {len(addresses)} addresses beside other texts")
        self.line, self.addresses = line, addresses


class Twice(ValueError):
    """A list has an email address twice: in line `line`, and in line `before`, possibly the same."""

    def __init__(self, line: int, address: str, before: int) -> None:
        super().__init__(f"line {line}: {address} is also in line {before}")
        self.line, self.address, self.before = line, address, before


class NoGroup(ValueError):
    """The last column of a line names no group. `text` is its content."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line}: {text!r} is no group")
        self.line, self.text = line, text


class LongLine(ValueError):
    """A line, or a person's text in it, has more than `most` characters."""

    def __init__(self, line: int, most: int) -> None:
        super().__init__(f"line {line} is longer than {most} characters")
        self.line, self.most = line, most


class UnreadLines(ValueError):
    """A list with refused lines. `errors` has one of the errors above for each."""

    def __init__(self, *errors: Exception) -> None:
        super().__init__("; ".join(map(str, errors)))
        self.errors = errors


class ListLine(NamedTuple):
    """A line of a list that is not blank, with its number from 1."""

    number: int
    text: str


def rows(text: str) -> list[ListLine]:
    lines = text.lstrip("\ufeff").splitlines()
    return [ListLine(number, line) for number, line in enumerate(lines, 1) if line.strip()]


def read(text: str) -> list[str]:
    """Return every email address of a list or table, one for each person. Raise UnreadLines with all refused lines.

    A line has email addresses only, with or without names, as mail programs copy them; or it is a table's row with one
    email address. The first of several lines may be a heading."""
    every = rows(text)
    named = len(every) > 1 and "@" not in every[0].text
    return list(read_rows(every[named:]))


def read_rows(every: Sequence[ListLine]) -> dict[str, int]:
    """Return every email address of these lines with its line number, or raise UnreadLines."""
    people: dict[str, int] = {}
    known: dict[str, int] = {}
    errors: list[Exception] = [] if every else [NoAddress(1)]
    for number, line in every:
        try:
            own = _of_line(number, line)
        except (NoAddress, Several) as error:
            errors.append(error)
            continue
        for address in own:
            if address.casefold() in known:
                errors.append(Twice(number, address, known[address.casefold()]))
            else:
                known[address.casefold()] = people[address] = number
    if errors:
        raise UnreadLines(*errors)
    return people


def _of_line(number: int, line: str) -> list[str]:
    people, is_list = recipients(line)
    if wrong := next((address for address in people if not _is_valid(address)), None):
        raise NoAddress(number, wrong)
    if not people:
        raise NoAddress(number)
    if not is_list:
        raise Several(number, people)
    return people


class Recipients(NamedTuple):
    """The texts in a line that look like email addresses, valid or not. `is_list`: each belongs to a person. Several
    among other texts belong to one person, unless the texts are names before brackets."""

    addresses: list[str]
    is_list: bool


def recipients(line: str) -> Recipients:
    """Return the email addresses of a line, separated by commas, semicolons, tabs or spaces: `a@b.org`, `<a@b.org>`,
    `"B, A" <a@b.org>`, `B, A <a@b.org>`, `a@b.org <mailto:a@b.org>`, `a@b.org (A)`."""
    addresses: list[str] = []
    before = beside = bare = 0  # texts since the last address; texts that are no name; addresses without brackets
    for cell in _cells(_UNSEEN.sub("", line)):
        if "@" not in cell:
            before += bool(cell.strip())
            continue
        here = {word.casefold(): word for word in _words(cell)}
        in_brackets = {word.casefold() for part in _BRACKETS.findall(cell) for word in _words(part)}
        if not here:
            before += 1
            continue
        addresses += here.values()
        # Brackets hold the email address of the name before them. The name may have commas, or be an email address
        # itself.
        beside += len(here.keys() - in_brackets) if in_brackets else before
        bare += not in_brackets
        before = 0
    return Recipients(addresses, len(addresses) < 2 or not (beside or (bare and before)))


def _cells(line: str) -> list[str]:
    """Return the parts between separators outside quotes. A quote without an end does not count."""
    parts = line.replace('\\"', "'").split('"')
    if len(parts) % 2 == 0:
        return _SEPARATOR.split(line)
    cells = [""]
    for k, part in enumerate(parts):
        first, *others = [f'"{part}"'] if k % 2 else _SEPARATOR.split(part)
        cells[-1] += first
        cells += others
    return cells


def _words(cell: str) -> list[str]:
    """Return the words with an @, except other services' names such as `@ada`."""
    words = (_without_fields(word.lstrip("'").rstrip("'.")) for word in _BETWEEN.split(cell) if "@" in word)
    return [word for word in words if not _HANDLE.fullmatch(word)]


def _without_fields(word: str) -> str:
    """Return the email address of `a@b.org?subject=c`, as in a mailto link."""
    fields = word.rpartition("@")[2].partition("?")[2]
    return word.removesuffix(f"?{fields}") if fields else word


def _is_valid(address: str) -> bool:
    return is_address(address) and len(address.encode()) <= MOST_BYTES


# The key --------------------------------------------------------------------------------------------------------------


def key(digest: str, make: bool = False) -> bytes:
    """Return the survey's key. If it has none, make one with `make`, else raise Lost."""
    path = _path(digest)
    if make and not path.exists():
        path.parent.mkdir(mode=0o700, exist_ok=True)
        draft = path.with_suffix(f".{secrets.token_hex(4)}")
        _write(draft, secrets.token_bytes(_KEY_BYTES))
        try:
            os.link(draft, path)  # fails if another process was first
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
    """Overwrite the key with zeros and delete it."""
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


# Encryption -----------------------------------------------------------------------------------------------------------


def seal(key: bytes, place: bytes, address: str) -> bytes:
    """Encrypt an email address for one place. All results have the same length."""
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
    """Return the secret in a letter's token. It is derived, so it is stored nowhere and stays the same if sending is
    repeated. No one can derive it after the mailing's random number is deleted."""
    return _derived(key, b"token", mailing, place)


def message_id(key: bytes, mailing: bytes, place: bytes) -> str:
    return _derived(key, b"message", mailing, place).hex()


def _derived(key: bytes, purpose: bytes, mailing: bytes, place: bytes) -> bytes:
    return hmac.digest(key, b"\0".join([purpose, mailing, place]), sha256)[:_DERIVED_BYTES]
