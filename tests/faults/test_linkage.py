"""No one can link a report to its invitation. This is a short version of the attack in `python -m
benchmarks.joining`, with checks that the attack finds a planted link."""

import hashlib
import sqlite3
from itertools import count

import pytest

from tests.services.mail import MailServer
from tests.services.system import EmbeddedSystem
from tests.support import linkage
from tests.support.thief import Piece, loot

PEOPLE = 60


@pytest.fixture(scope="module")
def server():
    server = MailServer()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def system(server):
    system = EmbeddedSystem(CLIENT_REPORTS_PER_MINUTE="0", BATCH="20", **server.settings())
    yield system
    system.stop()


@pytest.mark.system
def test_each_person_leaves_one_report_and_a_thief_of_everything_joins_none(system, server, tmp_path):
    """Half of the people get a letter and answer in the order of the letters, alternating with the others. SQLite's
    pages reveal which invitations were made together. That is no secret, so the first group must not answer first."""
    site = linkage.Site.open(system, tmp_path)
    written = site.write(server, PEOPLE // 2, kills=1)
    people = zip(written, site.invite(PEOPLE // 2), strict=True)
    story = linkage.live(site, [token for pair in people for token in pair], kills=2, copies=5)
    story.addresses += [address for address, _ in server.letters]
    assert linkage.joined_by_letters(story.uses, linkage.book_of(system)) == []
    assert story.wrong == [] and story.kills == 2 and story.cheats > 0
    stored = linkage.stored(system)
    assert sorted(stored) == sorted({each.replace("-", "") for each in story.reports}) and len(stored) == PEOPLE
    assert linkage.joined(story.uses, linkage.rankings(linkage.book_of(system))) == []
    assert linkage.told(loot(system), story) == []
    assert story.copies and linkage.thin(story.copies, 20) == []


USES = [hashlib.sha256(b"%d" % k).digest() for k in range(PEOPLE)]


def test_uses_that_are_appended_as_they_come_are_found_out():
    """A table of used tokens with a number for each row would look like this."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE used (id INTEGER PRIMARY KEY, use BLOB)")
    for use in USES:
        connection.execute("INSERT INTO used (use) VALUES (?)", [use])
    rows = dict(connection.execute("SELECT use, id FROM used"))
    file = connection.serialize()
    assert len(linkage.joined(USES, {"its row": rows.__getitem__})) == 2
    assert len(linkage.joined(USES, {"where it stands in the file": file.find})) == 2, (
        "backwards, as SQLite fills pages"
    )


def test_copies_of_a_book_that_tell_of_few_uses_are_found_out():
    """Copies made without waiting would be like this."""
    some, more = set(USES[:20]), set(USES[:21])
    assert linkage.thin([set(), some, some, set(USES)], 20) == []
    assert linkage.thin([some, more], 20) == ["two copies of the book differ by 1 uses"]


def test_what_is_in_no_order_is_not_said_to_be_in_one():
    """Hashes are in random order, so the attack accuses none of 200 books."""
    for k in range(200):
        uses = [hashlib.sha256(b"%d/%d" % (k, j)).digest() for j in range(PEOPLE)]
        assert linkage.joined(uses, {"itself": lambda use: use}) == []


def test_a_token_or_a_use_in_a_log_is_found():
    numbers = count()
    story = linkage.Story(uses=USES[:2], tokens=["a" * 22])
    pieces = [Piece(f"{next(numbers)}", content) for content in (b"x" + b"a" * 22, hashlib.sha256(b"a" * 22).digest())]
    assert len(linkage.told([*pieces, Piece("log", USES[1]), Piece("data/invitations.sqlite3", USES[1])], story)) == 3
