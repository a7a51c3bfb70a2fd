"""Counts of used invitations, made with a release, in steps of at least a batch (P11).

Each group has a count, and so have people in no group. A count changes only if at least a batch of its people have used
their invitations since the last count, so two counts differ by no one or by a batch. Everything that depends on used
invitations, including reminders, follows the last count and not the present book. So no one learns more by asking
often, by counting letters, or by being invited.
"""

import sqlite3
from typing import NamedTuple

from surveys.respondent.invitations.file import UNUSED, changed, exists, opened


class Group(NamedTuple):
    """A group. `used` is from the last count, None before the first. People in no group have the name ""."""

    name: str
    invited: int
    used: int | None

    @property
    def percent(self) -> int | None:
        return percent(self.used or 0, self.invited)


def percent(answered: int, invited: int) -> int | None:
    """Return the percentage. Return None if no one has answered, or if revoked invitations leave fewer invited people
    than answers."""
    return round(100 * answered / invited) if 0 < answered <= invited else None


def groups(digest: str) -> list[Group]:
    """Return the groups in the order of their entry."""
    with opened() as book:
        rows = book.execute("SELECT name, invited, used FROM unit WHERE digest = ? ORDER BY unit", [digest])
        return [Group(name, invited, used or None) for name, invited, used in rows]


def unanswered(digest: str) -> int:
    """Return how many invitations were unused at the last count, including those revoked since."""
    with opened() as book:
        return int(book.execute("SELECT count(*) FROM place WHERE digest = ? AND counted = 0", [digest]).fetchone()[0])


def last_releases() -> dict[str, int]:
    """Return the release of the last count of each survey that still signs; 0 before the first count."""
    if not exists():
        return {}
    with opened() as book:
        return dict(book.execute("SELECT digest, release FROM survey WHERE private IS NOT NULL"))


def count(digest: str, release: int, least: int) -> None:
    """Count used invitations, once for each release, in all groups with at least `least` new uses."""
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
