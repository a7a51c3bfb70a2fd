"""Counts of used invitations, made with a release, in steps of at least a batch (P11).

There is a count for each group, and one for people in no group. It changes only if at least a batch of them have used
their invitations since the last count, so two counts differ by no one or by a batch of people. All that depends on used
invitations, also reminders, goes by the last count and not by the present book: no one learns more by asking often, by
counting letters, or by being invited.
"""

import sqlite3
from typing import NamedTuple

from surveys.respondent.invitations.file import UNUSED, changed, exists, opened


class Group(NamedTuple):
    """`used` is from the last count, None before the first. People in no group have an empty name."""

    name: str
    invited: int
    used: int | None

    @property
    def percent(self) -> int | None:
        return percent(self.used or 0, self.invited)


def percent(answered: int, invited: int) -> int | None:
    """Return the percentage; None if no one has answered, or if more have answered than are invited now, since some
    invitations were revoked after their use."""
    return round(100 * answered / invited) if 0 < answered <= invited else None


def groups(digest: str) -> list[Group]:
    """Return the groups in the order in which they began."""
    with opened() as book:
        rows = book.execute("SELECT name, invited, used FROM unit WHERE digest = ? ORDER BY unit", [digest])
        return [Group(name, invited, used or None) for name, invited, used in rows]


def unanswered(digest: str) -> int:
    """Return how many invitations were unused by the last count, including those that were revoked since."""
    with opened() as book:
        return int(book.execute("SELECT count(*) FROM place WHERE digest = ? AND counted = 0", [digest]).fetchone()[0])


def last_releases() -> dict[str, int]:
    """Return the release of the last count of each survey that still signs; 0 before the first."""
    if not exists():
        return {}
    with opened() as book:
        return dict(book.execute("SELECT digest, release FROM survey WHERE private IS NOT NULL"))


def count(digest: str, release: int, least: int) -> None:
    """Count used invitations, once for each release, in all groups in which at least `least` more were used."""
    with changed() as book:
        mark = "UPDATE survey SET release = ? WHERE digest = ? AND release < ?"
        if book.execute(mark, [release, digest, release]).rowcount == 0:
            return
        for (unit,) in book.execute("SELECT unit FROM unit WHERE digest = ?", [digest]).fetchall():
            _count(book, digest, unit, least)


def _count(book: sqlite3.Connection, digest: str, unit: int, least: int) -> None:
    news = "digest = ? AND unit = ? AND counted = 0 AND used != ?"
    chosen = [digest, unit, UNUSED]
    more = book.execute(f"SELECT count(*) FROM place WHERE {news}", chosen).fetchone()[0]
    if more >= least:
        book.execute(f"UPDATE place SET counted = 1 WHERE {news}", chosen)
        book.execute("UPDATE unit SET used = used + ? WHERE digest = ? AND unit = ?", [more, digest, unit])
