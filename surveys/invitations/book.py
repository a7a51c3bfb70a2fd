"""Who was invited, which invitations were used, and the keys that sign: in a file of its own, apart from the database.

A report and its invitation share no row, key, date, order or transaction: the reports are in the database, and this
file has no time, no number and no order. Each invitation has a place of a fixed length from the day it is made, and
using it writes over the bytes of that place where they stand, so that the file's content depends on which invitations
were used and not on when, or which was first (docs/privacy.md; a test compares the bytes). SQLite's counter of changes
tells how many transactions there were.

Of a token only the SHA-256 is here: who has the file can let nobody answer. Nothing that a designer does tells whether
an invitation was used: taking one back, or replacing a lost link, looks the same either way.
"""

import hashlib
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from surveys.invitations import blind
from surveys.operation.environment import close_to_others

TOKEN_BYTES = 16
MARK = 8
UNUSED = b"\0" * 32
MOST = 100_000  # invitations of one survey
WAIT_SECONDS = 10

# Several tokens may open one place: the first that is used uses it up.
_TABLES = """
CREATE TABLE IF NOT EXISTS survey (digest TEXT PRIMARY KEY, private BLOB, invited INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS token (
    digest TEXT, token BLOB, place BLOB NOT NULL, PRIMARY KEY (digest, token)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS place (
    digest TEXT, place BLOB, used BLOB NOT NULL CHECK (length(used) = 32), taken_back INTEGER NOT NULL,
    PRIMARY KEY (digest, place)
) WITHOUT ROWID;
"""


class Unknown(LookupError):
    """No invitation of the survey has this token, or it was taken back."""


class Used(ValueError):
    """The invitation was used for another report."""


class Ended(LookupError):
    """The survey's key was destroyed when it ended."""


class TooMany(ValueError):
    """A survey has at most `MOST` invitations."""


def enter(digest: str, key: blind.SigningKey) -> None:
    """Begin the survey whose definition, with the key's modulus, has this digest."""
    with _changed() as book:
        book.execute("INSERT INTO survey VALUES (?, ?, 0)", [digest, key.data])


def invite(digest: str, count: int) -> list[str]:
    """So many new tokens, which are told this once. Ended where the survey is over; TooMany."""
    with _changed() as book:
        _private(book, digest)
        if _invited(book, digest) + count > MOST:
            raise TooMany
        tokens = [_new_token() for _ in range(count)]
        places = sorted(secrets.token_bytes(TOKEN_BYTES) for _ in tokens)
        book.executemany("INSERT INTO place VALUES (?, ?, ?, 0)", [(digest, place, UNUSED) for place in places])
        # In the order of the hashes, which is that of the rows, so that nothing tells which was made first.
        rows = zip(sorted(map(_hash, tokens)), secrets.SystemRandom().sample(places, count), strict=True)
        book.executemany("INSERT INTO token VALUES (?, ?, ?)", [(digest, token, place) for token, place in rows])
        book.execute("UPDATE survey SET invited = invited + ? WHERE digest = ?", [count, digest])
    return tokens


def invited(digest: str) -> int:
    """How many invitations were made and not taken back."""
    with _opened() as book:
        return _invited(book, digest)


def take_back(digest: str, token: str) -> bool:
    """Let nobody begin to use an invitation any more; one that was used stays used. False where it was taken back
    before, or never was."""
    with _changed() as book:
        place = _place(book, digest, token)
        mark = "UPDATE place SET taken_back = 1 WHERE digest = ? AND place = ? AND taken_back = 0"
        changed = book.execute(mark, [digest, place]).rowcount == 1
        if changed:
            book.execute("UPDATE survey SET invited = invited - 1 WHERE digest = ?", [digest])
    return changed


def revoked(digest: str) -> list[bytes]:
    """Marks of the invitations that were taken back, used or not, in order: the first `MARK` bytes of the SHA-256 of
    their tokens. Everybody may have them, since whose they are only their owners can tell."""
    hashes = "SELECT token FROM token JOIN place USING (digest, place) WHERE digest = ? AND taken_back = 1"
    with _opened() as book:
        return sorted(token[:MARK] for (token,) in book.execute(hashes, [digest]))


def replace(digest: str, token: str) -> str:
    """Another token for the same invitation, for somebody who lost the link; whichever comes first uses it up. Unknown
    where there is no such invitation, Ended where the survey is over."""
    with _changed() as book:
        _private(book, digest)
        place, other = _place(book, digest, token), _new_token()
        if place is None:
            raise Unknown
        book.execute("INSERT INTO token VALUES (?, ?, ?)", [digest, _hash(other), place])
    return other


def sign(digest: str, token: str, blinded: bytes) -> bytes:
    """The blind signature for the report that this invitation is used for, the same each time that it is asked for.

    The use is on the disk before the signature leaves, so whoever dies in between asks with the same message again and
    gets what was meant for it. ValueError where the message is none of this key.
    """
    use = hashlib.sha256(blinded).digest()
    with _opened() as book:
        key = blind.SigningKey(_private(book, digest))
        place = _place(book, digest, token)
        before = _used(book, digest, place)
    if place is None or before not in (UNUSED, use):
        raise Unknown if place is None else Used
    signature = blind.sign(key, blinded)
    if before == UNUSED:
        _use(digest, place, use)
    return signature


def end(digest: str) -> None:
    """Destroy the key of a survey that is over. What it signed stays valid, and nobody can sign for it any more."""
    with _changed() as book:
        book.execute("UPDATE survey SET private = NULL WHERE digest = ?", [digest])


def forget(digest: str) -> None:
    """Delete all of a survey that is deleted."""
    with _changed() as book:
        for table in ("token", "place", "survey"):
            book.execute(f"DELETE FROM {table} WHERE digest = ?", [digest])


def signing() -> list[str]:
    """The digests of all surveys whose keys were not destroyed. A site that never had any has no file."""
    if not settings.INVITATIONS_FILE.exists():
        return []
    with _opened() as book:
        return [digest for (digest,) in book.execute("SELECT digest FROM survey WHERE private IS NOT NULL")]


# ----------------------------------------------------------------------------------------------------------------------


def _new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _invited(book: sqlite3.Connection, digest: str) -> int:
    row = book.execute("SELECT invited FROM survey WHERE digest = ?", [digest]).fetchone()
    return row[0] if row else 0


def _private(book: sqlite3.Connection, digest: str) -> bytes:
    row = book.execute("SELECT private FROM survey WHERE digest = ?", [digest]).fetchone()
    if row is None or row[0] is None:
        raise Ended
    private: bytes = row[0]
    return private


def _place(book: sqlite3.Connection, digest: str, token: str) -> bytes | None:
    """The place that a token opens."""
    row = book.execute("SELECT place FROM token WHERE digest = ? AND token = ?", [digest, _hash(token)]).fetchone()
    return row[0] if row else None


def _used(book: sqlite3.Connection, digest: str, place: bytes | None) -> bytes | None:
    """What a place was used for; Unknown where it was taken back before it was used."""
    row = book.execute("SELECT used, taken_back FROM place WHERE digest = ? AND place = ?", [digest, place]).fetchone()
    if row is not None and row[1] and row[0] == UNUSED:
        raise Unknown
    return row[0] if row else None


def _use(digest: str, place: bytes, use: bytes) -> None:
    """Write over the place where it stands: what was there is as long. Another tab, or another device, may have come
    first."""
    with _changed() as book:
        mark = "UPDATE place SET used = ? WHERE digest = ? AND place = ? AND used = ? AND taken_back = 0"
        if book.execute(mark, [use, digest, place, UNUSED]).rowcount == 0 and _used(book, digest, place) != use:
            raise Used


@contextmanager
def _opened() -> Iterator[sqlite3.Connection]:
    book = sqlite3.connect(settings.INVITATIONS_FILE, timeout=WAIT_SECONDS, isolation_level=None)
    try:
        # What is deleted is overwritten with zeros, and the journal of a change is gone with it.
        book.executescript(f"PRAGMA secure_delete = ON; PRAGMA synchronous = EXTRA; {_TABLES}")
        yield book
    finally:
        book.close()


@contextmanager
def _changed() -> Iterator[sqlite3.Connection]:
    """All of what is written, on the disk, or nothing."""
    with _opened() as book:
        close_to_others(settings.INVITATIONS_FILE)
        book.execute("BEGIN IMMEDIATE")
        try:
            yield book
        except BaseException:
            book.execute("ROLLBACK")
            raise
        book.execute("COMMIT")
