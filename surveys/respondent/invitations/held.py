"""Which of some email addresses the book holds.

To find out, every address of the survey is decrypted, up to 100,000 of them. That is done while the book is not locked,
so signatures for other surveys do not wait for it, and one list of a survey at a time in each process (P12).
"""

import sqlite3
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from typing import NamedTuple

from surveys.respondent.invitations import addresses
from surveys.respondent.invitations.file import NO_ADDRESS, opened
from surveys.web.gate import Gate

AT_ONCE = 2000  # rows that are read before others may write to the book
WAITING_MAX = 1


class Held(NamedTuple):
    """`named`: the places of the addresses that were asked for, by address in lower case. `places`: those of all."""

    named: dict[str, bytes]
    places: frozenset[bytes]


def held(digest: str, key: bytes, people: Iterable[str]) -> Held:
    """Return what the book holds of these people, as long as no one changes it. gate.Busy; addresses.Lost."""
    wanted, named, places = _folded(people), {}, set()
    with _gate(digest).turn():
        for place, sealed in _rows(digest):
            places.add(place)
            if (address := addresses.unseal(key, place, sealed).casefold()) in wanted:
                named[address] = place
    return Held(named, frozenset(places))


def since(rows: sqlite3.Connection, digest: str, key: bytes, people: Iterable[str], before: Held) -> list[str]:
    """Return those of these people who came into the book, which is locked now, after `before` was read."""
    chosen = "SELECT place FROM addressee WHERE digest = ? AND address != ?"
    new = {place for (place,) in rows.execute(chosen, [digest, NO_ADDRESS])} - before.places
    one, wanted = "SELECT address FROM addressee WHERE digest = ? AND place = ?", _folded(people)
    sealed = ((place, *rows.execute(one, [digest, place]).fetchone()) for place in new)
    return sorted(wanted & {addresses.unseal(key, place, address).casefold() for place, address in sealed})


def any_held(digest: str) -> bool:
    return next(_rows(digest, 1), None) is not None


def _rows(digest: str, most: int = AT_ONCE) -> Iterator[tuple[bytes, bytes]]:
    """Yield places with their sealed addresses. The book is free between two parts."""
    chosen = (
        "SELECT place, address FROM addressee WHERE digest = ? AND address != ? AND place > ? ORDER BY place LIMIT ?"
    )
    last = b""
    while True:
        with opened() as book:
            part = book.execute(chosen, [digest, NO_ADDRESS, last, most]).fetchall()
        yield from part
        if len(part) < most:
            return
        last = part[-1][0]


def _folded(people: Iterable[str]) -> Set[str]:
    return {address.casefold() for address in people}


@lru_cache(maxsize=1024)
def _gate(digest: str) -> Gate:
    return Gate(WAITING_MAX)
