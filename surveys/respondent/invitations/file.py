"""The file of the book of invitations: its tables, and how it is opened and changed.

Whatever changes when an invitation is used, or when a letter is sent, is written over where it stands: it is as long
as what was there. So the file's bytes tell what was used and sent, and neither when nor in which order.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.conf import settings

from surveys.operation.environment import close_to_others

WAIT_SECONDS = 10
UNUSED = b"\0" * 32
# Nonce, text of at most 320 bytes behind its length, tag (addresses.py).
SEALED_BYTES = 12 + 322 + 16
NO_ADDRESS = b"\0" * SEALED_BYTES
VERSION = 1

# Several tokens may open one place: the first that is used uses it up. A place is `counted` once counts.py has told
# that it was used, and a unit (what people call a group; 0 is of those without one) has `used`, the number of these.
_TABLES = f"""
CREATE TABLE IF NOT EXISTS survey (
    digest TEXT PRIMARY KEY, private BLOB, release INTEGER NOT NULL DEFAULT 0, forgiven INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS token (
    digest TEXT, token BLOB, place BLOB NOT NULL, PRIMARY KEY (digest, token)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS place (
    digest TEXT, place BLOB, used BLOB NOT NULL CHECK (length(used) = 32), taken_back INTEGER NOT NULL,
    counted INTEGER NOT NULL DEFAULT 0, unit INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (digest, place)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS unit (
    digest TEXT, unit INTEGER, name TEXT NOT NULL, invited INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (digest, unit)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS addressee (
    digest TEXT, place BLOB, address BLOB NOT NULL CHECK (length(address) = {SEALED_BYTES}),
    state TEXT NOT NULL CHECK (length(state) = 1), attempts BLOB NOT NULL CHECK (length(attempts) = 1),
    mailing BLOB NOT NULL CHECK (length(mailing) = 16), PRIMARY KEY (digest, place)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mailing (
    digest TEXT, mailing BLOB, keeps INTEGER NOT NULL, language TEXT NOT NULL, subject TEXT NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (digest, mailing)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS post (one INTEGER PRIMARY KEY CHECK (one = 1), failures INTEGER NOT NULL);
"""
OF_LETTERS = ("addressee", "mailing")


def exists() -> bool:
    """A site that never had a survey by invitation has no file."""
    return settings.INVITATIONS_FILE.exists()


def delete(book: sqlite3.Connection, digest: str, tables: Iterable[str]) -> None:
    """A survey's rows of these tables."""
    for table in tables:
        book.execute(f"DELETE FROM {table} WHERE digest = ?", [digest])


@contextmanager
def opened(make: bool = False) -> Iterator[sqlite3.Connection]:
    """The book. Without a file it is empty and leaves none, unless it is to be made: another machine of the site may
    have it, and an empty one beside that would be refused at the next start (E008)."""
    place = settings.INVITATIONS_FILE if make or exists() else ":memory:"
    book = sqlite3.connect(place, timeout=WAIT_SECONDS, isolation_level=None)
    try:
        # What is deleted is overwritten with zeros, and the journal of a change is gone with it.
        book.executescript("PRAGMA secure_delete = ON; PRAGMA synchronous = EXTRA;")
        if book.execute("PRAGMA user_version").fetchone() != (VERSION,):
            _prepare(book)
        yield book
    finally:
        book.close()


@contextmanager
def changed(make: bool = False) -> Iterator[sqlite3.Connection]:
    """All of what is written, on the disk, or nothing."""
    with opened(make) as book:
        if exists():
            close_to_others(settings.INVITATIONS_FILE)
        with _transaction(book):
            yield book


@contextmanager
def _transaction(book: sqlite3.Connection) -> Iterator[None]:
    book.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        book.execute("ROLLBACK")
        raise
    book.execute("COMMIT")


def _prepare(book: sqlite3.Connection) -> None:
    with _transaction(book):
        for statement in _TABLES.split(";"):
            book.execute(statement)
        book.execute(f"PRAGMA user_version = {VERSION}")
