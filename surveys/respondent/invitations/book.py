"""The book of invitations, in a file of its own: the invited people, the used invitations, and the signing keys.

A report and its invitation share no row, key, date, order or transaction. Reports are in the database; this file has no
times, no report ids and no order. Each invitation has a place of fixed length from the start. Use overwrites the bytes
of the place, so the file depends on which invitations were used, not on when or in which order
(docs/developers/protection.md; a test compares the bytes). SQLite's counter of changes reveals the number of
transactions.

The file has only the SHA-256 of tokens, so no one can answer with the file alone. Revoking an invitation, or replacing
a lost link, looks the same whether it was used or not. So a designer's actions reveal no use.
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
_SOUND = bytes(blind.BITS // 8 - 1) + b"\2"  # signed instead of an unsound message


class UnknownInvitation(LookupError):
    """No invitation of the survey has this token, or it was revoked."""


class Used(ValueError):
    """The invitation was used for another report."""


class Ended(LookupError):
    """The survey's key was destroyed when it ended."""


class Elsewhere(Ended):
    """This machine's book does not have the survey. Another machine has it, or it was deleted."""


class TooManyInvitations(ValueError):
    """The survey would have more than `MOST` invitations."""


class SmallUnit(ValueError):
    """A new group cannot begin with so few people, or there are `UNITS_MOST` groups already."""


class NoUnit(ValueError):
    """The survey's results are published by group, and it has no group of this name."""


def enter(digest: str, keys: Sequence[blind.SigningKey], groups: Sequence[str] = ()) -> None:
    """Enter a survey with its signing key, or one key for each group. Its definition has the moduli."""
    with changed(make=True) as book:
        private = b"".join(key.data for key in keys)
        book.execute("INSERT INTO survey (digest, private) VALUES (?, ?)", [digest, private])
        units = [(digest, unit, name) for unit, name in enumerate(groups, 1)]
        book.executemany("INSERT INTO unit (digest, unit, name, invited) VALUES (?, ?, ?, 0)", units)


def invite(digest: str, count: int, group: str = "", least: int = 1) -> list[str]:
    """Return `count` new tokens as they are in links, shown only once. Raise Ended if the survey is over,
    TooManyInvitations, SmallUnit if a group would begin with fewer than `least`, or NoUnit."""
    return invite_each(digest, [group] * count, least)


def invite_each(digest: str, groups: Sequence[str], least: int = 1) -> list[str]:
    """Return a new token for each group in the list. An error of `invite` means that none was made."""
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
    """Return the places divided among the groups, as many as each has people, in order."""
    left, shares = list(places), dict[str, list[bytes]]()
    for group, count in Counter(groups).items():
        shares[group] = sorted(left.pop() for _ in range(count))
    return shares


def group_number(digest: str, name: str) -> int | None:
    """Return the number of a group, from 0, if each group has a key. Return None if groups have no keys or no group has
    this name. Groups with keys are never renamed."""
    with opened() as book:
        if not _in_groups(book, digest):
            return None
        row = book.execute("SELECT unit FROM unit WHERE digest = ? AND name = ?", [digest, name]).fetchone()
    return int(row[0]) - 1 if row else None


def token(book: sqlite3.Connection, digest: str, secret: bytes, place: bytes) -> str:
    """Return a token as it is in a link. If each group has a key, it includes the group's number, from 0. So the page
    can name the group before the first question, without a request."""
    return spelled(secret, INVITATION, _group(book, digest, place))


def _group(book: sqlite3.Connection, digest: str, place: bytes) -> int | None:
    if not _in_groups(book, digest):
        return None
    row = book.execute("SELECT unit FROM place WHERE digest = ? AND place = ?", [digest, place]).fetchone()
    return int(row[0]) - 1


def groups_of(book: sqlite3.Connection, digest: str, places: Iterable[bytes]) -> dict[bytes, int | None]:
    """Return the group number of each place, as `token` spells it."""
    if not _in_groups(book, digest):
        return dict.fromkeys(places)
    units = dict(book.execute("SELECT place, unit FROM place WHERE digest = ?", [digest]).fetchall())
    return {place: units[place] - 1 for place in places}


def _in_groups(book: sqlite3.Connection, digest: str) -> bool:
    """Return whether each group has a key. Otherwise groups serve response rates only."""
    return len(blind.split(private(book, digest))) > 1


def places(count: int) -> list[bytes]:
    """Return this many new places, in the file's order."""
    return sorted(secrets.token_bytes(PLACE_BYTES) for _ in range(count))


def entries(digest: str, tokens: Iterable[tuple[str, bytes]]) -> list[BookEntry]:
    """Return the rows of tokens with their places, sorted by hash as in the file. So the order does not reveal which
    was made first."""
    return sorted((digest, hash_of(token), place) for token, place in tokens)


def enter_places(book: sqlite3.Connection, digest: str, places: Sequence[bytes], group: str, least: int) -> None:
    """Write new places. Raise the errors of `invite`."""
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
    """Return the number of invitations that were not revoked."""
    with opened() as book:
        return _invited(book, digest)


def take_back(digest: str, token: str) -> bool:
    """Revoke an invitation, so that no one can begin to use it; a used one stays used. Return False if it was revoked
    before or never existed."""
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
    tokens. They are public. Only the owner of a token can recognize its mark."""
    hashes = "SELECT token FROM token JOIN place USING (digest, place) WHERE digest = ? AND taken_back = 1"
    with opened() as book:
        return sorted(token[:MARK] for (token,) in book.execute(hashes, [digest]))


def replace(digest: str, lost: str) -> str:
    """Return another token for an invitation, for a person who lost the first one. The first use of either uses up the
    invitation. Raise UnknownInvitation if there is no invitation, Ended if the survey is over."""
    with changed() as book:
        private(book, digest)
        place = _place(book, digest, lost)
        if place is None:
            raise UnknownInvitation
        made = token(book, digest, _new_secret(), place)
        enter_tokens(book, entries(digest, [(made, place)]))
    return made


def sign(digest: str, token: str, blinded: bytes) -> bytes:
    """Return the blind signature for the report that uses this invitation. A repeated request gets the same signature.

    The use is on the disk before the signature leaves, so a browser that dies in between can repeat its request. Raise
    ValueError if the message is not sound for this key, in any state of the invitation; UnknownInvitation; Used.
    Clients must not learn which, because anyone with the link could ask. So all refusals take the same steps, with a
    signature that is thrown away."""
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
    """Destroy the keys of a survey that is over, and all its email addresses. Signatures stay valid, but no one can
    make new ones."""
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
    """Return the number of a group, and enter a new group. Groups with keys are known from the start."""
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
    """Return a survey's key, or its groups' keys concatenated. Raise Ended if they were destroyed, Elsewhere if this
    book never had them."""
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
    """Return the token's place, its use, whether it was revoked, and its unit. An unknown token has an empty place that
    counts as revoked."""
    chosen = "SELECT place, used, taken_back, unit FROM token JOIN place USING (digest, place)"
    row = book.execute(f"{chosen} WHERE digest = ? AND token = ?", [digest, hash_of(token)]).fetchone()
    return row or (b"", UNUSED, 1, 1)


def _check_usable(before: bytes, taken_back: int, use: bytes) -> None:
    if before == UNUSED and taken_back:
        raise UnknownInvitation
    if before not in (UNUSED, use):
        raise Used


def _use(digest: str, place: bytes, use: bytes) -> None:
    """Overwrite the use of the place, which has a fixed length. Another tab or device, or a designer who revoked the
    invitation, may have been first."""
    with changed() as book:
        state = "SELECT used, taken_back FROM place WHERE digest = ? AND place = ?"
        row = book.execute(state, [digest, place]).fetchone()
        if row is None:  # the survey was deleted
            raise UnknownInvitation
        before, taken_back = row
        _check_usable(before, taken_back, use)
        book.execute("UPDATE place SET used = ? WHERE digest = ? AND place = ?", [use, digest, place])
