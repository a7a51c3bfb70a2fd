"""Copies of the book of invitations for backups, which two of them together make no join of.

Who has two copies of the book, and all tokens, knows which invitations were used between them; with two copies of the
database also which reports came. On a quiet day both may be one. The book itself has to know at once what was used, or
a kill would let somebody answer twice; so whatever has all that is on the disk at two moments tells it, whoever wrote
it and however (docs/privacy.md). A copy need not know it. Of each survey it has the uses of the copy before, and those
since only if they are a batch or more: two copies differ by no use of a survey or by at least a batch of them, as two
releases do by reports (P11). Who restores a copy lets in again whoever used theirs since.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from django.conf import settings

from surveys.invitations.book import UNUSED, WAIT_SECONDS

_USED = "SELECT digest, place, used FROM place WHERE used != ?"
_UNUSE = "UPDATE place SET used = ? WHERE digest = ? AND place = ?"

Use = tuple[str, bytes, bytes]  # digest, place, what for


def copy(target: Path) -> None:
    """Write a copy of the book to a file, which holds the copy before, or is not there yet. FileNotFoundError where
    there is no book."""
    if not settings.INVITATIONS_FILE.exists():
        raise FileNotFoundError(settings.INVITATIONS_FILE)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as book:
        # Not read only: a kill in the middle of a change leaves one to be undone before anything can be read.
        with closing(sqlite3.connect(settings.INVITATIONS_FILE, timeout=WAIT_SECONDS)) as live:
            live.backup(book)
        early = _too_few(_uses(book), _before(target))
        book.executemany(_UNUSE, [(UNUSED, digest, place) for digest, place, _ in early])
        _write(book, target)


def _before(target: Path) -> set[Use]:
    """The uses that the copy before has."""
    if not target.exists():
        return set()
    with closing(_read_only(target)) as copied:
        return _uses(copied)


def _too_few(uses: set[Use], before: set[Use]) -> list[Use]:
    """The uses since the copy before, of surveys of which they are no batch."""
    new: dict[str, list[Use]] = {}
    for use in uses - before:
        new.setdefault(use[0], []).append(use)
    return [use for of_survey in new.values() if len(of_survey) < settings.BATCH for use in of_survey]


def _uses(book: sqlite3.Connection) -> set[Use]:
    return set(book.execute(_USED, [UNUSED]))


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _write(book: sqlite3.Connection, target: Path) -> None:
    """Anew, so that nothing of what was left out or deleted lies in it, nor how often the book changed; whole, or not
    at all."""
    draft = target.with_name(f".{target.name}.new")
    draft.unlink(missing_ok=True)
    old = os.umask(0o077)
    try:
        book.execute("VACUUM INTO ?", [str(draft)])
    finally:
        os.umask(old)
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    draft.replace(target)
