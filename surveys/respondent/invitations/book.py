"""The book of invitations: who was invited, which invitations were used, and the signing keys, in a file of its own.

A report and its invitation share no row, key, date, order or transaction: the reports are in the database, and this
file has no times, no report ids and no order. Each invitation has a place of a fixed length from the start. Use
overwrites the bytes of the place, so the file depends on which invitations were used, not on when or in which order
(docs/developers/protection.md; a test compares the bytes). SQLite's counter of changes shows how many transactions
there were.

The file has only the SHA-256 of a token: with the file alone no one can answer. No action of a designer reveals whether
an invitation was used: revoking one, or replacing a lost link, looks the same either way.
"""

import hashlib
import secrets
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from surveys.respondent.invitations import addresses, blind, file
from surveys.respondent.invitations.file import UNUSED, changed, opened
from surveys.rules.spelling import INVITATION, SECRET_BYTES, spelled

PLACE_BYTES = 16
MARK = 8  # bytes
MOST = 100_000  # invitations of one survey
UNITS_MOST = 100
BookEntry = tuple[str, bytes, bytes]  # the row of a token: the survey's digest, the token's hash, its place
_SOUND = bytes(blind.BITS // 8 - 1) + b"\2"  # signed instead of a message that is not sound


class UnknownInvitation(LookupError):
    """No invitation of the survey has this token, or it was revoked."""


class Used(ValueError):
    """The invitation was used for another report."""


class Ended(LookupError):
    """The survey's key was destroyed when it ended."""


class Elsewhere(Ended):
    """The book of this machine does not have the survey: another machine has it, or it was deleted."""


class TooManyInvitations(ValueError):
    """A survey has at most `MOST` invitations."""


class SmallUnit(ValueError):
    """A group with this name cannot begin with so few people, or there are already `UNITS_MOST` groups."""


class NoUnit(ValueError):
    """The survey's results are published by group, and none of its groups has this name."""


def enter(digest: str, keys: Sequence[blind.SigningKey], groups: Sequence[str] = ()) -> None:
    """Enter a survey with its signing key, or one key for each group; its definition has their moduli."""
    with changed(make=True) as book:
        private = b"".join(key.data for key in keys)
        book.execute("INSERT INTO survey (digest, private) VALUES (?, ?)", [digest, private])
        units = [(digest, unit, name) for unit, name in enumerate(groups, 1)]
        book.executemany("INSERT INTO unit (digest, unit, name, invited) VALUES (?, ?, ?, 0)", units)


def invite(digest: str, count: int, group: str = "", least: int = 1) -> list[str]:
    """Return `count` new tokens as links have them, shown only this once. Raise Ended if the survey is over,
    TooManyInvitations, SmallUnit if a group would begin with fewer than `least`, or NoUnit."""
    return invite_each(digest, [group] * count, least)


def invite_each(digest: str, groups: Sequence[str], least: int = 1) -> list[str]:
    """Return a new token for each group in the list: all of them, or none and an error of `invite`."""
    new = shared_out(places(len(groups)), groups)
    numbers = {group: group_number(digest, group) for group in new}
    tokens = [spelled(_new_secret(), INVITATION, numbers[group]) for group in groups]
    mixed = {group: iter(secrets.SystemRandom().sample(own, len(own))) for group, own in new.items()}
    of_tokens = entries(digest, ((token, next(mixed[group])) for token, group in zip(tokens, groups, strict=True)))
    with changed() as book:
        for group, own in new.items():
            enter_places(book, digest, own, group, least)
        enter_tokens(book, of_tokens)
    return tokens


def shared_out(places: Sequence[bytes], groups: Iterable[str]) -> dict[str, list[bytes]]:
    """Return as many of these places for each group as it has people, in their order."""
    left, shares = list(places), dict[str, list[bytes]]()
    for group, count in Counter(groups).items():
        shares[group] = sorted(left.pop() for _ in range(count))
    return shares


def group_number(digest: str, name: str) -> int | None:
    """Return the number of a group, from 0 on, if each group has a key; None if groups have none or no group has this
    name. Groups with keys are never renamed."""
    with opened() as book:
        if not _in_groups(book, digest):
            return None
        row = book.execute("SELECT unit FROM unit WHERE digest = ? AND name = ?", [digest, name]).fetchone()
    return int(row[0]) - 1 if row else None


def token(book: sqlite3.Connection, digest: str, secret: bytes, place: bytes) -> str:
    """Return a token as a link has it: with the number of the group, from 0 on, if each group has a key. So the page
    can name the group before the first question, without a request."""
    return spelled(secret, INVITATION, _group(book, digest, place))


def _group(book: sqlite3.Connection, digest: str, place: bytes) -> int | None:
    if not _in_groups(book, digest):
        return None
    row = book.execute("SELECT unit FROM place WHERE digest = ? AND place = ?", [digest, place]).fetchone()
    return int(row[0]) - 1


def groups_of(book: sqlite3.Connection, digest: str, places: Iterable[bytes]) -> dict[bytes, int | None]:
    """Return for each place the number of its group, as `token` spells it."""
    if not _in_groups(book, digest):
        return dict.fromkeys(places)
    units = dict(book.execute("SELECT place, unit FROM place WHERE digest = ?", [digest]).fetchall())
    return {place: units[place] - 1 for place in places}


def _in_groups(book: sqlite3.Connection, digest: str) -> bool:
    """Return whether each group has a key; else groups are for response rates alone."""
    return len(blind.split(private(book, digest))) > 1


def places(count: int) -> list[bytes]:
    """Return new places for so many people, in the order of the file."""
    return sorted(secrets.token_bytes(PLACE_BYTES) for _ in range(count))


def entries(digest: str, tokens: Iterable[tuple[str, bytes]]) -> list[BookEntry]:
    """Return the rows of pairs of a token and its place, in the order of the hashes, as in the file: the order does not
    reveal which was made first."""
    return sorted((digest, hash_of(token), place) for token, place in tokens)


def enter_places(book: sqlite3.Connection, digest: str, places: Sequence[bytes], group: str, least: int) -> None:
    """Write new places. Raises what `invite` raises."""
    private(book, digest)
    count = len(places)
    if _invited(book, digest) + count > MOST:
        raise TooManyInvitations
    unit = _unit(book, digest, group, count >= least)
    rows = ((digest, place, UNUSED, unit) for place in places)
    book.executemany("INSERT INTO place (digest, place, used, taken_back, unit) VALUES (?, ?, ?, 0, ?)", rows)
    book.execute("UPDATE unit SET invited = invited + ? WHERE digest = ? AND unit = ?", [count, digest, unit])


def enter_tokens(book: sqlite3.Connection, rows: Sequence[BookEntry]) -> None:
    book.executemany("INSERT INTO token VALUES (?, ?, ?)", rows)


def invited(digest: str) -> int:
    """Return how many invitations were made and not revoked."""
    with opened() as book:
        return _invited(book, digest)


def take_back(digest: str, token: str) -> bool:
    """Revoke an invitation: no one can begin to use it any more; if it was used, it stays used. Return False if it was
    revoked before or never existed."""
    with changed() as book:
        return take_back_place(book, digest, _place(book, digest, token))


def take_back_place(book: sqlite3.Connection, digest: str, place: bytes | None) -> bool:
    mark = "UPDATE place SET taken_back = 1 WHERE digest = ? AND place = ? AND taken_back = 0 RETURNING unit"
    row = book.execute(mark, [digest, place]).fetchone()
    if row:
        book.execute("UPDATE unit SET invited = invited - 1 WHERE digest = ? AND unit = ?", [digest, row[0]])
    return row is not None


def revoked(digest: str) -> list[bytes]:
    """Return marks of the revoked invitations, used or not, in order: the first `MARK` bytes of the SHA-256 of their
    tokens. They are public: only the owner of a token can recognize its mark."""
    hashes = "SELECT token FROM token JOIN place USING (digest, place) WHERE digest = ? AND taken_back = 1"
    with opened() as book:
        return sorted(token[:MARK] for (token,) in book.execute(hashes, [digest]))


def replace(digest: str, lost: str) -> str:
    """Return another token for the same invitation, for a person who lost the first; the one that is used first uses up
    the invitation. Raise UnknownInvitation if there is no such invitation, Ended if the survey is over."""
    with changed() as book:
        private(book, digest)
        place = _place(book, digest, lost)
        if place is None:
            raise UnknownInvitation
        made = token(book, digest, _new_secret(), place)
        enter_tokens(book, entries(digest, [(made, place)]))
    return made


def sign(digest: str, token: str, blinded: bytes) -> bytes:
    """Return the blind signature for the report that uses this invitation, the same for each repeated request.

    The use is on the disk before the signature leaves, so a browser that dies in between can repeat its request. Raise
    ValueError if the message is not sound for this key, in any state of the invitation; UnknownInvitation; Used.
    Clients must not learn which of them, since anyone with the link could ask. So all refusals take the same steps,
    with a signature that is thrown away."""
    use = hashlib.sha256(blinded).digest()
    with opened() as book:
        keys = blind.split(private(book, digest))
        place, before, taken_back, unit = _of_token(book, digest, token)
    key = blind.SigningKey(keys[unit - 1 if len(keys) > 1 else 0])
    sound = blind.sound(key.modulus, blinded)
    signature = blind.sign(key, blinded if sound else _SOUND)
    if not sound:
        raise ValueError("must be a number below the modulus of the key")
    _check_usable(before, taken_back, use)
    if before == UNUSED:
        _use(digest, place, use)
    return signature


def end(digest: str) -> None:
    """Destroy the keys of a survey that is over, and all its email addresses. Signatures stay valid; no one can make
    new ones."""
    with changed() as book:
        book.execute("UPDATE survey SET private = NULL WHERE digest = ?", [digest])
        file.delete(book, digest, file.OF_LETTERS)
    addresses.destroy_key(digest)


def forget(digest: str) -> None:
    """Delete everything about a deleted survey."""
    with changed() as book:
        file.delete(book, digest, (*file.OF_LETTERS, "unit", "token", "place", "survey"))
    addresses.destroy_key(digest)


def signing() -> list[str]:
    """Return the digests of all surveys with keys. A site that never had any has no file."""
    if not file.exists():
        return []
    with opened() as book:
        return [digest for (digest,) in book.execute("SELECT digest FROM survey WHERE private IS NOT NULL")]


# ----------------------------------------------------------------------------------------------------------------------


def _new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def hash_of(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _invited(book: sqlite3.Connection, digest: str) -> int:
    row = book.execute("SELECT COALESCE(SUM(invited), 0) FROM unit WHERE digest = ?", [digest]).fetchone()
    return int(row[0])


def _unit(book: sqlite3.Connection, digest: str, name: str, enough: bool) -> int:
    """Return the number of a group, and enter a new one; groups with keys are known from the start."""
    row = book.execute("SELECT unit, invited FROM unit WHERE digest = ? AND name = ?", [digest, name]).fetchone()
    if _in_groups(book, digest):
        if row is None:
            raise NoUnit
        if row[1] == 0 and not enough:
            raise SmallUnit(name)
    if row:
        return int(row[0])
    last = book.execute("SELECT COALESCE(MAX(unit), 0) FROM unit WHERE digest = ?", [digest]).fetchone()[0]
    if name and (not enough or last >= UNITS_MOST):
        raise SmallUnit(name)
    number = last + 1 if name else 0
    book.execute("INSERT INTO unit (digest, unit, name, invited) VALUES (?, ?, ?, 0)", [digest, number, name])
    return number


def private(book: sqlite3.Connection, digest: str) -> bytes:
    """Return the key of a survey, or those of its groups concatenated. Raise Ended if they were destroyed, Elsewhere if
    this book never had them."""
    row = book.execute("SELECT private FROM survey WHERE digest = ?", [digest]).fetchone()
    if row is None:
        raise Elsewhere
    if row[0] is None:
        raise Ended
    key: bytes = row[0]
    return key


def _place(book: sqlite3.Connection, digest: str, token: str) -> bytes | None:
    row = book.execute("SELECT place FROM token WHERE digest = ? AND token = ?", [digest, hash_of(token)]).fetchone()
    return row[0] if row else None


def _of_token(book: sqlite3.Connection, digest: str, token: str) -> tuple[bytes, bytes, int, int]:
    """Return the token's place, its use, whether it was revoked, and its unit. An unknown token gets an empty place
    that counts as revoked."""
    chosen = "SELECT place, used, taken_back, unit FROM token JOIN place USING (digest, place)"
    row = book.execute(f"{chosen} WHERE digest = ? AND token = ?", [digest, hash_of(token)]).fetchone()
    return row or (b"", UNUSED, 1, 1)


def _check_usable(before: bytes, taken_back: int, use: bytes) -> None:
    if before == UNUSED and taken_back:
        raise UnknownInvitation
    if before not in (UNUSED, use):
        raise Used


def _use(digest: str, place: bytes, use: bytes) -> None:
    """Overwrite the use of the place, which has a fixed length. Another tab or device may have come first, or a
    designer who revoked the invitation."""
    with changed() as book:
        state = "SELECT used, taken_back FROM place WHERE digest = ? AND place = ?"
        row = book.execute(state, [digest, place]).fetchone()
        if row is None:  # the survey was deleted
            raise UnknownInvitation
        before, taken_back = row
        _check_usable(before, taken_back, use)
        book.execute("UPDATE place SET used = ? WHERE digest = ? AND place = ?", [use, digest, place])
