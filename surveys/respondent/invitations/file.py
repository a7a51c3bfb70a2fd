"""The file of the book of invitations: its tables, opening and changing it.

Using an invitation and sending a letter overwrite values of the same length. So the file's bytes reveal which
invitations were used and which letters were sent, but neither time nor order.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.conf import settings

from surveys.operation.environment import close_to_others

WAIT_SECONDS = 10
UNUSED = b"\0" * 32
# Nonce; length and text of at most 320 bytes; tag (addresses.py).
SEALED_BYTES = 12 + 322 + 16
NO_ADDRESS = b"\0" * SEALED_BYTES
VERSION = 1

# Several tokens may open a place; the first use of one uses it up. A place is `counted` once counts.py has counted its
# use. A unit is called a group on pages (0 for people without one); its `used` is the number of counted places.
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
    """Return whether there is a file. A site that never had a survey by invitation has none."""
    return settings.INVITATIONS_FILE.exists()


def delete(book: sqlite3.Connection, digest: str, tables: Iterable[str]) -> None:
    """Delete a survey's rows from these tables."""
    for table in tables:
        book.execute(f"DELETE FROM {table} WHERE digest = ?", [digest])


@contextmanager
def opened(make: bool = False) -> Iterator[sqlite3.Connection]:
    """Yield the book. A missing file yields an empty book in memory and is made only with `make`, because another
    machine of the site may have the book, and an empty one here would be refused at the next start (E008)."""
    place = settings.INVITATIONS_FILE if make or exists() else ":memory:"
    book = sqlite3.connect(place, timeout=WAIT_SECONDS, isolation_level=None)
    try:
        # Deleted data are overwritten with zeros, and so is a change's journal.
        book.executescript("PRAGMA secure_delete = ON; PRAGMA synchronous = EXTRA;")
        if book.execute("PRAGMA user_version").fetchone() != (VERSION,):
            _prepare(book)
        yield book
    finally:
        book.close()


@contextmanager
def changed(make: bool = False) -> Iterator[sqlite3.Connection]:
    """Yield the book in a transaction that is on the disk when it ends."""
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
