"""How many have used their invitation: counted with a release, and told no more finely than by a batch (P11).

A count is of a group, or of those who are in none. It goes on only where at least a batch of them have used theirs
since the one before, so two counts differ by nobody or by a batch of people. Whatever depends on who has used an
invitation, the reminders too, goes by the last count and not by the book as it stands: nobody learns more by asking
often, by counting letters, or by being one of those who are invited.
"""

import sqlite3
from typing import NamedTuple

from surveys.respondent.invitations.file import UNUSED, changed, exists, opened


class Group(NamedTuple):
    """`used`: of the last count, None before the first. Those in no group have an empty name."""

    name: str
    invited: int
    used: int | None

    @property
    def percent(self) -> int | None:
        return percent(self.used or 0, self.invited)


def percent(answered: int, invited: int) -> int | None:
    """How many percent of the invitations that are; None before any, and where more have answered than are left, since
    some were taken back after that."""
    return round(100 * answered / invited) if 0 < answered <= invited else None


def groups(digest: str) -> list[Group]:
    """In the order in which they began."""
    with opened() as book:
        rows = book.execute("SELECT name, invited, used FROM unit WHERE digest = ? ORDER BY unit", [digest])
        return [Group(name, invited, used or None) for name, invited, used in rows]


def unanswered(digest: str) -> int:
    """How many invitations had not been used by the last count, whether or not they were taken back since."""
    with opened() as book:
        return int(book.execute("SELECT count(*) FROM place WHERE digest = ? AND counted = 0", [digest]).fetchone()[0])


def last_releases() -> dict[str, int]:
    """The release with which each survey that still signs was counted last, 0 before the first."""
    if not exists():
        return {}
    with opened() as book:
        return dict(book.execute("SELECT digest, release FROM survey WHERE private IS NOT NULL"))


def count(digest: str, release: int, least: int) -> None:
    """Count what was used, with a release, which is done once for each: in all groups where at least `least` more have
    used theirs."""
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
