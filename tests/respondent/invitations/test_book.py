"""The file of invitations: each allows one report, and nothing in it reveals when or in which order they were used."""

import random
import sqlite3
import stat
import threading
from itertools import permutations

import pytest

from surveys.respondent.invitations import blind, book
from surveys.respondent.invitations.file import changed
from tests.respondent.invitations import DIGEST, OTHER
from tests.support import blinding


def blinded(key, place=0):
    return blinding.blind(key.modulus, b"report %d" % place, b"s" * 48, 3 + place).message


def bytes_but_counters(file):
    """Return the file without the counters in SQLite's header: changes, and the version that made the last one."""
    data = bytearray(file.read_bytes())
    data[24:28] = data[92:100] = b""
    return bytes(data)


def test_an_invitation_signs_one_message_however_often_it_is_asked_for(file, key):
    [token] = book.invite(DIGEST, 1)
    first = book.sign(DIGEST, token, blinded(key))
    assert book.sign(DIGEST, token, blinded(key)) == first
    with pytest.raises(book.Used):
        book.sign(DIGEST, token, blinded(key, 1))
    assert book.sign(DIGEST, token, blinded(key)) == first


def test_what_the_file_holds_does_not_depend_on_the_order_in_which_invitations_were_used(file, key):
    """Every order of four of 300 people on the same file leaves the same bytes, except for counters in its header."""
    tokens = book.invite(DIGEST, 300)
    some, before = tokens[10:300:80], file.read_bytes()
    contents = set()
    for order in permutations(some):
        file.write_bytes(before)
        for token in order:
            book.sign(DIGEST, token, blinded(key, some.index(token)))
        contents.add(bytes_but_counters(file))
    assert len(contents) == 1 and contents != {before}


def test_nothing_stands_beside_the_file_after_it_was_written_to(file, key):
    [token] = book.invite(DIGEST, 1)
    book.sign(DIGEST, token, blinded(key))
    assert [each.name for each in file.parent.iterdir()] == [file.name]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_file_has_no_token_and_no_order_in_which_they_were_made(file):
    tokens = book.invite(DIGEST, 50)
    data = file.read_bytes()
    assert not any(token.encode() in data for token in tokens)
    with sqlite3.connect(file) as connection:
        rows = connection.execute("SELECT token, place FROM token").fetchall()
    assert rows == sorted(rows) and [place for _, place in rows] != sorted(place for _, place in rows)


def test_of_two_devices_with_one_link_exactly_one_gets_a_signature(file, key):
    """Two messages with the same token arrive at the same moment, many times."""
    outcomes = []

    def ask(token, place):
        try:
            outcomes.append(bool(book.sign(DIGEST, token, blinded(key, place))))
        except book.Used:
            outcomes.append(False)

    tokens = book.invite(DIGEST, 12)
    for token in tokens:
        pair = [threading.Thread(target=ask, args=(token, place)) for place in range(2)]
        for thread in pair:
            thread.start()
        for thread in pair:
            thread.join()
    assert outcomes.count(True) == outcomes.count(False) == len(tokens)


def test_a_token_that_no_one_was_given_signs_nothing(file, key):
    book.invite(DIGEST, 3)
    for token in ("x" * 22, "", "\0"):
        with pytest.raises(book.UnknownInvitation):
            book.sign(DIGEST, token, blinded(key))


def test_an_invitation_is_to_one_survey(file, key):
    book.enter(OTHER, [blind.new_key()])
    [token] = book.invite(OTHER, 1)
    with pytest.raises(book.UnknownInvitation):
        book.sign(DIGEST, token, blinded(key))


def test_a_message_that_is_no_number_of_the_key_uses_nothing_up(file, key):
    [token] = book.invite(DIGEST, 1)
    with pytest.raises(ValueError, match="below"):
        book.sign(DIGEST, token, b"\xff" * 256)
    assert book.sign(DIGEST, token, blinded(key))


def test_a_lost_link_is_replaced_whether_or_not_it_was_used_and_both_together_let_in_one(file, key):
    unused, used = book.invite(DIGEST, 2)
    first = book.sign(DIGEST, used, blinded(key))
    other, useless = book.replace(DIGEST, unused), book.replace(DIGEST, used)
    assert book.sign(DIGEST, other, blinded(key, 1))
    with pytest.raises(book.Used):
        book.sign(DIGEST, unused, blinded(key, 2))
    with pytest.raises(book.Used):
        book.sign(DIGEST, useless, blinded(key, 3))
    assert book.sign(DIGEST, useless, blinded(key)) == first, "the same browser, with the other link"
    assert book.invited(DIGEST) == 2


def test_one_that_is_taken_back_can_no_longer_be_used_and_one_that_was_used_stays_so(file, key):
    unused, used = book.invite(DIGEST, 2)
    first = book.sign(DIGEST, used, blinded(key))
    assert [book.take_back(DIGEST, token) for token in (unused, used)] == [True, True], "which reveals nothing"
    assert [book.take_back(DIGEST, token) for token in (unused, used, "x" * 22)] == [False] * 3
    with pytest.raises(book.UnknownInvitation):
        book.sign(DIGEST, unused, blinded(key, 1))
    assert book.sign(DIGEST, used, blinded(key)) == first
    assert book.invited(DIGEST) == 0


def test_after_the_end_no_one_can_sign_and_the_key_is_nowhere_in_the_file(file, key):
    [token] = book.invite(DIGEST, 1)
    secret = key.data[-300:-200]
    assert secret in file.read_bytes() and book.signing() == [DIGEST]
    book.end(DIGEST)
    assert secret not in file.read_bytes() and book.signing() == []
    for act in (lambda: book.sign(DIGEST, token, blinded(key)), lambda: book.invite(DIGEST, 1)):
        with pytest.raises(book.Ended):
            act()


def test_of_a_deleted_survey_nothing_is_left(file):
    book.invite(DIGEST, 1)
    book.forget(DIGEST)
    with sqlite3.connect(file) as connection:
        for table in ("survey", "token", "place"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    assert DIGEST.encode() not in file.read_bytes()


def test_so_many_can_be_invited_and_no_more(file, monkeypatch):
    monkeypatch.setattr(book, "MOST", 3)
    book.invite(DIGEST, 2)
    with pytest.raises(book.TooManyInvitations):
        book.invite(DIGEST, 2)
    assert book.invited(DIGEST) == 2 and len(book.invite(DIGEST, 1)) == 1


def test_a_site_that_never_invited_anyone_has_no_file(settings, tmp_path):
    settings.INVITATIONS_FILE = tmp_path / "none.sqlite3"
    assert book.signing() == [] and not settings.INVITATIONS_FILE.exists()


def test_a_thousand_uses_in_random_order_leave_what_the_sorted_order_leaves(file, key):
    """400 uses need more than a page of the file; the marks are random bytes like those of real messages."""
    tokens = book.invite(DIGEST, 400)
    before, contents = file.read_bytes(), []
    marks = {token: random.Random(token).randbytes(32) for token in tokens}
    for order in (sorted(tokens), random.Random(1).sample(tokens, len(tokens))):
        file.write_bytes(before)
        with changed() as connection:
            places = [book._place(connection, DIGEST, token) for token in order]
        for token, place in zip(order, places, strict=True):
            book._use(DIGEST, place, marks[token])
        contents.append(bytes_but_counters(file))
    assert contents[0] == contents[1]
