"""Copies of the book of invitations for backups, which two of them together make no join of.

Who has two copies of the book, and all tokens, knows which invitations were used between them; with two copies of the
database also which reports came. On a quiet day both may be one. The book itself has to know at once what was used, or
a kill would let somebody answer twice; so whatever has all that is on the disk at two moments tells it, whoever wrote
it and however (docs/developers/protection.md). A copy need not know it. It has the uses of the last count, by which
reminders go too: two copies differ by no use of a survey or by at least a batch of them, as two releases do by reports
(P11). Who restores a copy lets in again whoever used theirs since that count.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from django.conf import settings

from surveys.respondent.invitations.file import UNUSED, exists, opened


def copy(target: Path) -> None:
    """Write a copy of the book to a file. FileNotFoundError where there is no book."""
    if not exists():
        raise FileNotFoundError(settings.INVITATIONS_FILE)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as book:
        # Not read only: a kill in the middle of a change leaves one to be undone before anything can be read.
        with opened() as live:
            live.backup(book)
        book.execute("UPDATE place SET used = ? WHERE counted = 0", [UNUSED])
        _write(book, target)


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
