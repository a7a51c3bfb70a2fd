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
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from surveys.respondent.invitations import addresses, book, counts
from surveys.respondent.invitations.file import NO_ADDRESS, OF_LETTERS, changed, delete, exists, opened
from surveys.respondent.invitations.held import any_held, held, since
from surveys.respondent.invitations.texts import Words
from surveys.rules.spelling import INVITATION, spelled

WAITING, SENT, FAILED = "w", "s", "f"
TRIES_MOST = 15
REMINDS = 2  # as mailing.keeps: addresses are kept, and people who had answered by the last count get no letter
FAILING = 3  # turns of the sender in a row in which no mail server took anything: from then on people are told
_MAILING_BYTES = 16
# All of a reminder wait until the last is sent: how many still do would reveal how many had not answered.
_WAITS = f"(state = '{WAITING}' OR (state = '{SENT}' AND keeps = {REMINDS}))"
_KEPT = f"(state = '{SENT}' OR (state = '{WAITING}' AND keeps > 0))"
_POST = "FROM addressee LEFT JOIN mailing USING (digest, mailing) WHERE address != ?"


class AddressesKnown(ValueError):
    """Addresses that stand in the book already."""

    def __init__(self, addresses: Sequence[str]) -> None:
        super().__init__(f"{len(addresses)} addresses were invited before")
        self.addresses = addresses


class LettersWaiting(ValueError):
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
    """An invitation for each address, by letter. AddressesKnown, addresses.Lost, gate.LettersWaiting, and what
    book.invite raises."""
    invite_each(digest, dict.fromkeys(people, group), words, least)


def invite_each(digest: str, people: Mapping[str, str], words: Words, least: int = 1) -> None:
    """An invitation for each address, in the group beside it: all of them, or what `invite` raises and none.

    Everything that takes long is done before the book is locked."""
    with opened() as rows:
        book.private(rows, digest)
    key = addresses.key(digest, make=not any_held(digest))
    before = held(digest, key, people)
    if before.named:
        raise AddressesKnown(sorted(before.named))
    mailing, chance = secrets.token_bytes(_MAILING_BYTES), secrets.SystemRandom()
    mixed = chance.sample(list(people.items()), len(people))
    places = book.shared_out(book.places(len(people)), people.values())
    left = {group: iter(own) for group, own in places.items()}
    waiting = sorted(
        (digest, place, addresses.seal(key, place, address), mailing)
        for address, place in ((address, next(left[group])) for address, group in mixed)
    )
    numbers = {group: book.group_number(digest, group) for group in places}
    tokens = _tokens(digest, key, mailing, {place: numbers[group] for group, own in places.items() for place in own})
    with changed() as rows:
        book.private(rows, digest)
        if known := since(rows, digest, key, people, before):
            raise AddressesKnown(known)
        for group, own in places.items():
            book.enter_places(rows, digest, own, group, least)
        _enter(rows, digest, mailing, words)
        rows.executemany(f"INSERT INTO addressee VALUES (?, ?, ?, '{WAITING}', x'00', ?)", waiting)
        book.enter_tokens(rows, tokens)


def remind(digest: str, words: Words) -> int:
    """Another letter for everybody whose address is kept and who had not used their invitation by the last count
    (counts.py). LettersWaiting; how many at most.

    A letter waits for every address that is kept, and the sender leaves out those of people who had (`begin`). So how
    many wait, and for how long, does not depend on who has answered."""
    with opened() as rows:
        book.private(rows, digest)
        key, places = addresses.key(digest), book.groups_of(rows, digest, _reminded(rows, digest))
    mailing = secrets.token_bytes(_MAILING_BYTES)
    waiting = [(mailing, digest, place, NO_ADDRESS) for place in places]
    tokens = _tokens(digest, key, mailing, places)
    wait = f"UPDATE addressee SET state = '{WAITING}', attempts = x'00', mailing = ?"
    with changed() as rows:
        book.private(rows, digest)
        if rows.execute("SELECT 1 FROM addressee WHERE digest = ? AND state = ?", [digest, WAITING]).fetchone():
            raise LettersWaiting
        if places:
            _enter(rows, digest, mailing, words, REMINDS)
            rows.executemany(f"{wait} WHERE digest = ? AND place = ? AND address != ?", waiting)
            book.enter_tokens(rows, tokens)
    return min(len(places), counts.unanswered(digest))


def unanswered(digest: str) -> int:
    """How many at most would be reminded: no more than addresses are kept, or invitations unused by the last count. To
    forget an address or to take an invitation back changes both alike, whether or not it was used."""
    with opened() as rows:
        places = _reminded(rows, digest)
    return min(len(places), counts.unanswered(digest))


def stop(digest: str, people: Iterable[str]) -> int:
    """Forget these addresses: no letter goes there any more, and their invitations stay. How many were there."""
    places = held(digest, addresses.key(digest), people).named.values()
    gone = [(digest, place, NO_ADDRESS) for place in places]
    with changed() as rows:
        count = rows.executemany("DELETE FROM addressee WHERE digest = ? AND place = ? AND address != ?", gone).rowcount
        _tidy(rows, digest)
    return max(0, count)


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
        sums = f"SELECT COALESCE(SUM({_WAITS}), 0), COALESCE(SUM({_KEPT}), 0) {_POST} AND digest = ?"
        waiting, keeps = rows.execute(sums, [NO_ADDRESS, digest]).fetchone()
        failed = rows.execute("SELECT place, address FROM addressee WHERE digest = ? AND state = ?", [digest, FAILED])
        sealed = [(place, address) for place, address in failed if address != NO_ADDRESS]
    try:
        key = addresses.key(digest) if waiting or keeps or sealed else b""
        texts = sorted(addresses.unseal(key, place, address) for place, address in sealed)
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
        return int(rows.execute(f"SELECT count(*) {_POST} AND {_WAITS}", [NO_ADDRESS]).fetchone()[0])


def waiting(most: int) -> list[tuple[str, bytes, int]]:
    """Letters that wait, of each survey some in an order of chance: their surveys, their places, and how often each was
    tried."""
    if not exists():
        return []
    chosen = "SELECT place, attempts FROM addressee WHERE digest = ? AND state = ? ORDER BY random() LIMIT ?"
    with opened() as rows:
        digests = [each for (each,) in rows.execute("SELECT DISTINCT digest FROM mailing") if addresses.has_key(each)]
        some = {each: rows.execute(chosen, [each, WAITING, most]).fetchall() for each in digests}
    return [(digest, place, tries[0]) for digest, of_survey in some.items() for place, tries in of_survey]


def begin(digest: str, place: bytes) -> Letter | None:
    """A letter whose next try is noted; None where it waits no more, was tried so often that this was given up, or
    would go to a person who had used their invitation by the last count."""
    with changed() as rows:
        here = "digest = ? AND place = ?"
        joined = "FROM addressee JOIN place USING (digest, place) JOIN mailing USING (digest, mailing)"
        waits = f"SELECT address, attempts, mailing, keeps = {REMINDS} AND counted {joined}"
        row = rows.execute(f"{waits} WHERE {here} AND state = ?", [digest, place, WAITING]).fetchone()
        if row is None:
            return None
        address, attempts, mailing, has_answered = row
        if has_answered or attempts[0] >= TRIES_MOST:
            _end(rows, digest, place, SENT if has_answered else FAILED)
            return None
        rows.execute(f"UPDATE addressee SET attempts = ? WHERE {here}", [bytes([attempts[0] + 1]), digest, place])
        words, key = _words(rows, digest, mailing), addresses.key(digest)
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


def _enter(rows: sqlite3.Connection, digest: str, mailing: bytes, words: Words, keeps: int | None = None) -> None:
    values = [digest, mailing, keeps or int(words.keeps), words.language, words.subject, words.text]
    rows.execute(
        "INSERT INTO mailing (digest, mailing, keeps, language, subject, text) VALUES (?, ?, ?, ?, ?, ?)", values
    )


def _tokens(digest: str, key: bytes, mailing: bytes, groups: Mapping[bytes, int | None]) -> list[book.BookEntry]:
    """The rows of a mailing's tokens, by places with the numbers of their groups."""
    spelled_at = (
        (spelled(addresses.secret(key, mailing, place), INVITATION, group), place) for place, group in groups.items()
    )
    return book.entries(digest, spelled_at)


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
    together, so that none tells when its own letter was sent. Letters wait in an order of chance, so the first that
    does is found soon."""
    for mailing in rows.execute("SELECT mailing FROM mailing WHERE digest = ?", [digest]).fetchall():
        of, values = "digest = ? AND mailing = ?", [digest, *mailing]
        if rows.execute(f"SELECT 1 FROM addressee WHERE {of} AND state = ? LIMIT 1", [*values, WAITING]).fetchone():
            continue
        rows.execute(f"DELETE FROM mailing WHERE {of}", values)
        rows.execute(f"DELETE FROM addressee WHERE {of} AND address = ?", [*values, NO_ADDRESS])
        rows.execute(f"UPDATE addressee SET mailing = zeroblob({_MAILING_BYTES}) WHERE {of}", values)


def _reminded(rows: sqlite3.Connection, digest: str) -> list[bytes]:
    """The places of the addresses that are kept, but for invitations that were taken back."""
    chosen = f"SELECT place {_POST} AND digest = ? AND {_KEPT}"
    taken_back = "SELECT 1 FROM place WHERE place.digest = addressee.digest AND place.place = addressee.place"
    places = rows.execute(f"{chosen} AND NOT EXISTS ({taken_back} AND taken_back = 1)", [NO_ADDRESS, digest])
    return [place for (place,) in places]
