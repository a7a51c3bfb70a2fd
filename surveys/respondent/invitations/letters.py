"""Emails with invitations ("letters"), and the queue of waiting ones.

The book keeps an email address, encrypted, beside its invitation's place until the letter is sent, or until the survey
ends if its designer wants reminders. No token is ever stored; each is derived when its letter is made (addresses.py).
Letters are sent in a random order that is stored nowhere, so people who answer soon after their letter leave no order
either.

A letter is sent once as far as SMTP allows. Each try is on the disk before the mail server sees the letter, and the
server's acceptance is stored afterwards. After a crash in between, the letter is sent again with the same Message-ID
and link; only its date differs. At worst it arrives twice, as one invitation. Without a second try, people would lose
their invitation unnoticed.
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
REMINDS = 2  # in mailing.keeps: email addresses are kept; people counted as having answered get no letter
FAILING = 3  # consecutive turns of the sender without success, after which designers see the failure
_MAILING_BYTES = 16
# All letters of a reminder count as waiting until the last is sent. Otherwise their number would reveal how many people
# had answered.
_WAITS = f"(state = '{WAITING}' OR (state = '{SENT}' AND keeps = {REMINDS}))"
_KEPT = f"(state = '{SENT}' OR (state = '{WAITING}' AND keeps > 0))"
_POST = "FROM addressee LEFT JOIN mailing USING (digest, mailing) WHERE address != ?"


class AddressesKnown(ValueError):
    """Some of the email addresses are already in the book."""

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
    """The state of a survey's letters: the number of waiting letters, the number of email addresses kept for reminders,
    and the undeliverable ones. `readable` is False if the key is lost."""

    waiting: int
    keeps: int
    undeliverable: tuple[str, ...]
    readable: bool = True


# Designers ------------------------------------------------------------------------------------------------------------


def invite(digest: str, people: Sequence[str], words: Words, group: str = "", least: int = 1) -> None:
    """Invite each email address by letter. Raise AddressesKnown, addresses.Lost, gate.GateBusy, or an error of
    book.invite."""
    invite_each(digest, dict.fromkeys(people, group), words, least)


def invite_each(digest: str, people: Mapping[str, str], words: Words, least: int = 1) -> None:
    """Invite each email address into its group. An error of `invite` means that no one was invited.

    All slow work is done before the book is locked."""
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
    """Send another letter to everyone whose email address is kept and whose invitation was unused at the last count
    (counts.py). Return an upper bound on their number. Raise LettersWaiting if letters still wait.

    A letter is queued for every kept email address, and the sender skips people who had answered (`begin`). So the
    number of waiting letters, and the time they wait, do not depend on who has answered."""
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
    """Return an upper bound on the people to remind: the number of kept email addresses, or of invitations unused at
    the last count if that is smaller. Forgetting or revoking one changes both, used or not."""
    with opened() as rows:
        places = _reminded(rows, digest)
    return min(len(places), counts.unanswered(digest))


def stop(digest: str, people: Iterable[str]) -> int:
    """Forget these email addresses; return their number. They get no more letters, but their invitations stay."""
    places = held(digest, addresses.key(digest), people).named.values()
    gone = [(digest, place, NO_ADDRESS) for place in places]
    with changed() as rows:
        count = rows.executemany("DELETE FROM addressee WHERE digest = ? AND place = ? AND address != ?", gone).rowcount
        _tidy(rows, digest)
    return max(0, count)


def withdraw(digest: str) -> int:
    """Revoke the undelivered invitations and forget their email addresses. Return their number."""
    with changed() as rows:
        failed = "digest = ? AND state = ?"
        places = rows.execute(f"SELECT place FROM addressee WHERE {failed}", [digest, FAILED]).fetchall()
        for (place,) in places:
            book.take_back_place(rows, digest, place)
        rows.execute(f"DELETE FROM addressee WHERE {failed}", [digest, FAILED])
        _tidy(rows, digest)
    return len(places)


def forget(digest: str) -> None:
    """Forget all email addresses of a survey. Waiting letters are not sent, and no one can be reminded."""
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
    """Return the number of waiting letters of all surveys."""
    with opened() as rows:
        return int(rows.execute(f"SELECT count(*) {_POST} AND {_WAITS}", [NO_ADDRESS]).fetchone()[0])


def waiting(most: int) -> list[tuple[str, bytes, int]]:
    """Return the surveys, places and numbers of tries of waiting letters, in random order, at most `most` of each
    survey."""
    if not exists():
        return []
    chosen = "SELECT place, attempts FROM addressee WHERE digest = ? AND state = ? ORDER BY random() LIMIT ?"
    with opened() as rows:
        digests = [each for (each,) in rows.execute("SELECT DISTINCT digest FROM mailing") if addresses.has_key(each)]
        some = {each: rows.execute(chosen, [each, WAITING, most]).fetchall() for each in digests}
    return [(digest, place, tries[0]) for digest, of_survey in some.items() for place, tries in of_survey]


def begin(digest: str, place: bytes) -> Letter | None:
    """Store the next try of a letter and return the letter. Return None if it no longer waits, was tried too often, or
    its person had used the invitation at the last count."""
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
    """Store that the mail server accepted the letter. Forget the email address unless it is kept."""
    with changed() as rows:
        _end(rows, letter.digest, letter.place, SENT, forget=not letter.words.keeps)


def failed(letter: Letter) -> None:
    """Store that the mail server finally refused the letter."""
    with changed() as rows:
        _end(rows, letter.digest, letter.place, FAILED)


def failures(count: int | None = None) -> int:
    """Return the number of consecutive turns in which the mail server accepted nothing; `count` sets it."""
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
    """Return the rows of a mailing's tokens; `groups` has the group numbers by place."""
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
    """Delete a mailing's words and random number once none of its letters waits, with its rows without an email
    address. All go together, so no row reveals when its letter was sent. Letters wait in random order, so a waiting one
    is found soon."""
    for mailing in rows.execute("SELECT mailing FROM mailing WHERE digest = ?", [digest]).fetchall():
        of, values = "digest = ? AND mailing = ?", [digest, *mailing]
        if rows.execute(f"SELECT 1 FROM addressee WHERE {of} AND state = ? LIMIT 1", [*values, WAITING]).fetchone():
            continue
        rows.execute(f"DELETE FROM mailing WHERE {of}", values)
        rows.execute(f"DELETE FROM addressee WHERE {of} AND address = ?", [*values, NO_ADDRESS])
        rows.execute(f"UPDATE addressee SET mailing = zeroblob({_MAILING_BYTES}) WHERE {of}", values)


def _reminded(rows: sqlite3.Connection, digest: str) -> list[bytes]:
    """Return the places of the kept email addresses, without revoked invitations."""
    chosen = f"SELECT place {_POST} AND digest = ? AND {_KEPT}"
    taken_back = "SELECT 1 FROM place WHERE place.digest = addressee.digest AND place.place = addressee.place"
    places = rows.execute(f"{chosen} AND NOT EXISTS ({taken_back} AND taken_back = 1)", [NO_ADDRESS, digest])
    return [place for (place,) in places]
