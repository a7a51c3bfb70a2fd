"""Lists of email addresses are compared with the book while others use it, and no survey's lists delay another's."""

import sqlite3
import threading

import pytest

from surveys.respondent.invitations import addresses, blind, book, held, letters
from surveys.respondent.invitations.refusals import reasons
from surveys.web import gate
from tests.respondent.invitations.test_letters import KEPT, people

DIGEST, OTHER = "a" * 64, "b" * 64


@pytest.fixture(autouse=True)
def file(settings, tmp_path):
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"
    for digest in (DIGEST, OTHER):
        book.enter(digest, [blind.new_key()])
    return settings.INVITATIONS_FILE


def send_all():
    for digest, place, _ in letters.waiting(999):
        letters.sent(letters.begin(digest, place))


@pytest.fixture
def free(file, monkeypatch):
    """Record whether others can write to the book while email addresses are decrypted, encrypted or given tokens."""
    free = []

    def looking(act):
        def look(*given):
            with sqlite3.connect(file, timeout=0) as other:
                try:
                    other.execute("BEGIN IMMEDIATE")
                    other.execute("UPDATE survey SET forgiven = forgiven")
                    other.commit()
                    free.append(True)
                except sqlite3.OperationalError:
                    free.append(False)
            other.close()
            return act(*given)

        return look

    for name in ("seal", "unseal", "secret"):
        monkeypatch.setattr(addresses, name, looking(getattr(addresses, name)))
    return free


def test_no_address_is_read_or_written_while_the_book_is_locked(free, monkeypatch):
    monkeypatch.setattr(held, "AT_ONCE", 7)
    letters.invite(DIGEST, people(20), KEPT)
    assert len(free) == 40 and all(free)
    send_all()
    free.clear()
    with pytest.raises(letters.AddressesKnown):
        letters.invite(DIGEST, ["PERSON3@example.org", "new@example.org"], KEPT)
    letters.invite(DIGEST, ["new@example.org"], KEPT)
    assert letters.stop(DIGEST, ["person1@example.org", "nobody@example.org"]) == 1
    assert len(free) == 20 + 20 + 2 + 21 and all(free)
    send_all()
    free.clear()
    letters.remind(DIGEST, KEPT)
    for digest, place, _ in letters.waiting(1):
        letters.failed(letters.begin(digest, place))
    letters.post(DIGEST)
    assert free.pop(20) is False, "one token is made for the letter whose turn it is"
    assert len(free) == 22 and all(free)


def test_an_address_that_comes_while_a_list_is_compared_is_not_invited_twice(monkeypatch):
    places = book.places

    def meanwhile(count):
        monkeypatch.setattr(book, "places", places)
        letters.invite(DIGEST, ["bob@example.org"], KEPT)
        return places(count)

    monkeypatch.setattr(book, "places", meanwhile)
    with pytest.raises(letters.AddressesKnown) as refusal:
        letters.invite(DIGEST, ["ada@example.org", "Bob@example.org"], KEPT)
    assert refusal.value.addresses == ["bob@example.org"] and book.invited(DIGEST) == 1


def test_a_survey_compares_one_list_at_a_time_and_holds_up_no_other(monkeypatch):
    letters.invite(DIGEST, people(3), KEPT)
    letters.invite(OTHER, people(3), KEPT)
    began, goes_on, unseal = threading.Event(), threading.Event(), addresses.unseal

    def slow(*given):
        began.set()
        goes_on.wait()
        return unseal(*given)

    monkeypatch.setattr(addresses, "unseal", slow)
    first = threading.Thread(target=letters.stop, args=(DIGEST, ["person0@example.org"]))
    first.start()
    began.wait()
    monkeypatch.setattr(addresses, "unseal", unseal)
    second = threading.Thread(target=letters.stop, args=(DIGEST, ["person1@example.org"]))
    second.start()
    while held._gate(DIGEST)._waiting < 2:
        pass
    with pytest.raises(gate.GateBusy) as refusal:
        letters.stop(DIGEST, ["person2@example.org"])
    assert reasons(refusal.value, 1) == (
        "addresses",
        ["Other lists for this survey are being checked. Please try again."],
    )
    assert letters.stop(OTHER, ["person2@example.org"]) == 1
    goes_on.set()
    first.join()
    second.join()
    assert letters.post(DIGEST).waiting == 1
