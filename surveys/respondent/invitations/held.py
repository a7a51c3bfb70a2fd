"""Search for email addresses in the book.

A search decrypts every email address of the survey, up to 100,000. It does not lock the book, so signatures for other
surveys do not wait. Each process compares one list per survey at a time (P12).
"""

import sqlite3
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from typing import NamedTuple

from surveys.respondent.invitations import addresses
from surveys.respondent.invitations.file import NO_ADDRESS, opened
from surveys.web.gate import Gate

AT_ONCE = 2000  # rows in a read; others may write to the book between reads
WAITING_MAX = 1


class Held(NamedTuple):
    """The result of a search: the places of the requested email addresses, and all places with an email address."""

    named: dict[str, bytes]
    places: frozenset[bytes]


def held(digest: str, key: bytes, people: Iterable[str]) -> Held:
    """Return which of these email addresses the book holds now. Raise GateBusy or addresses.Lost."""
    wanted, named, places = _folded(people), {}, set()
    with _gate(digest).turn():
        for place, sealed in _rows(digest):
            places.add(place)
            if (address := addresses.unseal(key, place, sealed).casefold()) in wanted:
                named[address] = place
    return Held(named, frozenset(places))


def since(rows: sqlite3.Connection, digest: str, key: bytes, people: Iterable[str], before: Held) -> list[str]:
    """Return which of these email addresses were added after `before` was read. The book is locked now."""
    chosen = "SELECT place FROM addressee WHERE digest = ? AND address != ?"
    new = {place for (place,) in rows.execute(chosen, [digest, NO_ADDRESS])} - before.places
    one, wanted = "SELECT address FROM addressee WHERE digest = ? AND place = ?", _folded(people)
    sealed = ((place, *rows.execute(one, [digest, place]).fetchone()) for place in new)
    return sorted(wanted & {addresses.unseal(key, place, address).casefold() for place, address in sealed})


def any_held(digest: str) -> bool:
    return next(_rows(digest, 1), None) is not None


def _rows(digest: str, most: int = AT_ONCE) -> Iterator[tuple[bytes, bytes]]:
    """Yield places with their encrypted email addresses. Others may change the book between two reads."""
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
