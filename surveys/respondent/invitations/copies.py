"""Copies of the book of invitations for backups. Two copies do not reveal which report belongs to which invitation.

A person with two images of the book and all tokens knows which invitations were used in between. With two copies of the
database this person also knows which reports came. On a quiet day there may be one of each. The book has to record a
use at once, or a kill would let a person answer twice. So two images of the whole disk always reveal this
(docs/developers/protection.md), but a copy does not. It has the uses of the last count, which also decides on
reminders. Two copies of a survey differ by no use or by at least a batch of uses, like releases by reports (P11). After
a copy is restored, people who used their invitations since that count can answer again.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from django.conf import settings

from surveys.respondent.invitations.file import UNUSED, exists, opened


def copy(target: Path) -> None:
    """Write a copy of the book to a file. Raise FileNotFoundError if there is no book."""
    if not exists():
        raise FileNotFoundError(settings.INVITATIONS_FILE)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as book:
        # Opened for writing: after a kill in the middle of a change, SQLite has to undo it before anyone can read.
        with opened() as live:
            live.backup(book)
        book.execute("UPDATE place SET used = ? WHERE counted = 0", [UNUSED])
        _write(book, target)


def _write(book: sqlite3.Connection, target: Path) -> None:
    """Write a new file completely, or not at all. It holds no deleted data and no count of the book's changes."""
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
