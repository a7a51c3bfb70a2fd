"""Letters to people who are invited by mail, and the queue of those that wait to be sent.

An address stands in the book, sealed, beside the place of its invitation until its letter is sent, or until the survey
ends where its designer wants reminders. No token is ever stored: it is derived when the letter is made (addresses.py).
Letters are sent in an order of chance that is kept nowhere, so that people who answer soon after theirs leave no order
either.

A letter is sent once as far as SMTP allows. Each try is noted on the disk before the mail server hears of it, and that
it took the letter afterwards. Who dies in between cannot know whether it did, and the letter is sent again, the same to
the last byte but for its date, with the same Message-ID and the same link: at worst it arrives twice, and both are one
invitation. The other choice, not to try again, would lose people their invitation without a word.
"""

import secrets
import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from surveys.invitations import addresses, book
from surveys.invitations.file import NO_ADDRESS, OF_LETTERS, changed, delete, exists, opened
from surveys.invitations.texts import Words

WAITING, SENT, FAILED = "w", "s", "f"
TRIES_MOST = 15
FAILING = 3  # turns of the sender in a row in which no mail server took anything: from then on people are told
_MAILING_BYTES = 16


class Known(ValueError):
    """Addresses that stand in the book already."""

    def __init__(self, addresses: Sequence[str]) -> None:
        super().__init__(f"{len(addresses)} addresses were invited before")
        self.addresses = addresses


class Busy(ValueError):
    """Letters of the survey wait to be sent."""


class Letter(NamedTuple):
    digest: str
    place: bytes
    address: str
    token: str
    message_id: str
    words: Words


class Post(NamedTuple):
    """What is known of a survey's letters: how many wait, how many addresses are kept for reminders, and which of them
    no server took. `readable` is false where the key is lost."""

    waiting: int
    keeps: int
    undeliverable: tuple[str, ...]
    readable: bool = True


# Designers ------------------------------------------------------------------------------------------------------------


def invite(digest: str, people: Sequence[str], words: Words, group: str = "", least: int = 1) -> None:
    """An invitation for each address, by letter. Known, addresses.Lost, and what book.invite raises."""
    with changed() as rows:
        book.private(rows, digest)
        key = addresses.key(digest, make=not _addresses(rows, digest))
        if before := _before(rows, digest, key, people):
            raise Known(before)
        mailing, places = _enter(rows, digest, words), book.new_places(rows, digest, len(people), group, least)
        sealed = [(digest, place, addresses.seal(key, place, address)) for place, address in zip(
            places, secrets.SystemRandom().sample(people, len(people)), strict=True)]  # fmt: skip
        wait = f"INSERT INTO addressee VALUES (?, ?, ?, '{WAITING}', x'00', ?)"
        rows.executemany(wait, [(*each, mailing) for each in sealed])
        book.enter_tokens(rows, digest, [(addresses.secret(key, mailing, place), place) for place in places])


def remind(digest: str, words: Words) -> int:
    """Another letter for everybody whose address is kept and who had not used their invitation by the last count
    (counts.py). Busy; how many there are."""
    wait = f"UPDATE addressee SET state = '{WAITING}', attempts = x'00', mailing = ? WHERE digest = ? AND place = ?"
    with changed() as rows:
        book.private(rows, digest)
        key = addresses.key(digest)
        if _number(rows, digest, WAITING):
            raise Busy
        places = _unanswered(rows, digest)
        if places:
            mailing = _enter(rows, digest, words._replace(keeps=True))
            rows.executemany(wait, [(mailing, digest, place) for place in places])
            book.enter_tokens(rows, digest, [(addresses.secret(key, mailing, place), place) for place in places])
    return len(places)


def unanswered(digest: str) -> int:
    """How many would be reminded."""
    with opened() as rows:
        return len(_unanswered(rows, digest))


def stop(digest: str, people: Iterable[str]) -> int:
    """Forget these addresses: no letter goes there any more, and their invitations stay. How many were there."""
    with changed() as rows:
        places = _places(rows, digest, addresses.key(digest), people)
        rows.executemany("DELETE FROM addressee WHERE digest = ? AND place = ?", [(digest, p) for p in places.values()])
        _tidy(rows, digest)
    return len(places)


def withdraw(digest: str) -> int:
    """Take back the invitations whose letters no server took, and forget their addresses. How many there were."""
    with changed() as rows:
        failed = "digest = ? AND state = ?"
        places = rows.execute(f"SELECT place FROM addressee WHERE {failed}", [digest, FAILED]).fetchall()
        for (place,) in places:
            book.take_back_place(rows, digest, place)
        rows.execute(f"DELETE FROM addressee WHERE {failed}", [digest, FAILED])
        _tidy(rows, digest)
    return len(places)


def forget(digest: str) -> None:
    """Forget all addresses of a survey. Letters that wait are not sent, and nobody can be reminded any more."""
    with changed() as rows:
        delete(rows, digest, OF_LETTERS)
    addresses.destroy_key(digest)


def post(digest: str) -> Post:
    with opened() as rows:
        waiting = _number(rows, digest, WAITING)
        keeps = len(_addresses(rows, digest, "AND state = ?", SENT))
        failed = _addresses(rows, digest, "AND state = ?", FAILED)
        try:
            key = addresses.key(digest) if waiting or keeps or failed else b""
            texts = sorted(addresses.unseal(key, place, address) for place, address in failed)
        except addresses.Lost:
            return Post(waiting, keeps, (), readable=False)
        return Post(waiting, keeps, tuple(texts))


# The sender -----------------------------------------------------------------------------------------------------------


def any_waiting() -> bool:
    if not exists():
        return False
    with opened() as rows:
        return rows.execute("SELECT 1 FROM addressee WHERE state = ? LIMIT 1", [WAITING]).fetchone() is not None


def number_waiting() -> int:
    """How many letters of all surveys wait."""
    with opened() as rows:
        return int(rows.execute("SELECT count(*) FROM addressee WHERE state = ?", [WAITING]).fetchone()[0])


def waiting(most: int) -> list[tuple[str, bytes, int]]:
    """Some letters that wait, in an order of chance: their surveys, their places, and how often each was tried."""
    if not exists():
        return []
    chosen = "SELECT digest, place, attempts FROM addressee WHERE state = ? ORDER BY random() LIMIT ?"
    with opened() as rows:
        some = rows.execute(chosen, [WAITING, most]).fetchall()
    return [(digest, place, attempts[0]) for digest, place, attempts in some if addresses.has_key(digest)]


def begin(digest: str, place: bytes) -> Letter | None:
    """A letter whose next try is noted; None where it waits no more, or was tried so often that this was given up."""
    with changed() as rows:
        here = "digest = ? AND place = ?"
        row = rows.execute(
            f"SELECT address, attempts, mailing FROM addressee WHERE {here} AND state = ?", [digest, place, WAITING]
        ).fetchone()
        if row is None:
            return None
        address, attempts, mailing = row
        if attempts[0] >= TRIES_MOST:
            _end(rows, digest, place, FAILED)
            return None
        rows.execute(f"UPDATE addressee SET attempts = ? WHERE {here}", [bytes([attempts[0] + 1]), digest, place])
        words = _words(rows, digest, mailing)
        key = addresses.key(digest)
        token = book.token(rows, digest, addresses.secret(key, mailing, place), place)
    message = addresses.message_id(key, mailing, place)
    return Letter(digest, place, addresses.unseal(key, place, address), token, message, words)


def sent(letter: Letter) -> None:
    """The mail server took it: where the address is not kept, it is gone from here."""
    with changed() as rows:
        _end(rows, letter.digest, letter.place, SENT, forget=not letter.words.keeps)


def failed(letter: Letter) -> None:
    """The mail server says that it can never be delivered."""
    with changed() as rows:
        _end(rows, letter.digest, letter.place, FAILED)


def failures(count: int | None = None) -> int:
    """How many times in a row no mail server could be reached, or took nothing from this site; `count` sets it."""
    if not exists():
        return 0
    if count is not None:
        with changed() as rows:
            rows.execute("INSERT OR REPLACE INTO post VALUES (1, ?)", [count])
        return count
    with opened() as rows:
        row = rows.execute("SELECT failures FROM post").fetchone()
    return int(row[0]) if row else 0


# ----------------------------------------------------------------------------------------------------------------------


def _enter(rows: sqlite3.Connection, digest: str, words: Words) -> bytes:
    mailing = secrets.token_bytes(_MAILING_BYTES)
    values = [digest, mailing, int(words.keeps), words.language, words.subject, words.text]
    rows.execute(
        "INSERT INTO mailing (digest, mailing, keeps, language, subject, text) VALUES (?, ?, ?, ?, ?, ?)", values
    )
    return mailing


def _words(rows: sqlite3.Connection, digest: str, mailing: bytes) -> Words:
    columns = "SELECT language, subject, text, keeps FROM mailing WHERE digest = ? AND mailing = ?"
    language, subject, text, keeps = rows.execute(columns, [digest, mailing]).fetchone()
    return Words(language, subject, text, bool(keeps))


def _end(rows: sqlite3.Connection, digest: str, place: bytes, state: str, forget: bool = False) -> None:
    address = "address = ?, " if forget else ""
    values = [*[NO_ADDRESS] * forget, state, digest, place]
    rows.execute(f"UPDATE addressee SET {address}state = ? WHERE digest = ? AND place = ?", values)
    _tidy(rows, digest)


def _tidy(rows: sqlite3.Connection, digest: str) -> None:
    """Once no letter of a mailing waits, its words and its random number go, and the rows without an address: all
    together, so that none tells when its own letter was sent."""
    waits = f"SELECT mailing FROM addressee WHERE digest = :digest AND state = '{WAITING}'"
    done, values = f"digest = :digest AND mailing NOT IN ({waits})", {"digest": digest, "none": NO_ADDRESS}
    if rows.execute(f"DELETE FROM mailing WHERE {done}", values).rowcount:
        rows.execute(f"DELETE FROM addressee WHERE address = :none AND {done}", values)
        rows.execute(f"UPDATE addressee SET mailing = zeroblob({_MAILING_BYTES}) WHERE {done}", values)


def _number(rows: sqlite3.Connection, digest: str, state: str) -> int:
    row = rows.execute("SELECT count(*) FROM addressee WHERE digest = ? AND state = ?", [digest, state]).fetchone()
    return int(row[0])


def _unanswered(rows: sqlite3.Connection, digest: str) -> list[bytes]:
    chosen = (
        "SELECT place FROM addressee JOIN place USING (digest, place) "
        "WHERE digest = ? AND state = ? AND counted = 0 AND taken_back = 0 AND address != ?"
    )
    return [place for (place,) in rows.execute(chosen, [digest, SENT, NO_ADDRESS])]


def _addresses(rows: sqlite3.Connection, digest: str, more: str = "", *values: str) -> list[tuple[bytes, bytes]]:
    chosen = f"SELECT place, address FROM addressee WHERE digest = ? AND address != ? {more}"
    return rows.execute(chosen, [digest, NO_ADDRESS, *values]).fetchall()


def _places(rows: sqlite3.Connection, digest: str, key: bytes, people: Iterable[str]) -> dict[str, bytes]:
    """The places of those of these addresses that stand in the book."""
    named = {address.casefold() for address in people}
    texts = ((addresses.unseal(key, place, address).casefold(), place) for place, address in _addresses(rows, digest))
    return {address: place for address, place in texts if address in named}


def _before(rows: sqlite3.Connection, digest: str, key: bytes, people: Sequence[str]) -> list[str]:
    return sorted(_places(rows, digest, key, people))
