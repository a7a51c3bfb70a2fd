"""Copies of the book of invitations have the uses of the last count, and each copy restores the rest."""

import sqlite3
import stat
from contextlib import closing

import pytest
from django.core.management import CommandError, call_command

from surveys.respondent.invitations import book, letters
from surveys.respondent.invitations.copies import copy
from surveys.respondent.invitations.counts import count
from surveys.respondent.invitations.file import UNUSED
from surveys.respondent.invitations.texts import Words
from tests.respondent.invitations import DIGEST
from tests.support import blinding

BATCH = 5
WORDS = Words("en", "A survey", "Please answer: {link}", True)


@pytest.fixture
def tokens(file):
    return book.invite(DIGEST, 3 * BATCH)


def used(path):
    """Return the hashes of all blinded messages in a copy."""
    with closing(sqlite3.connect(path)) as copied:
        return {use for (use,) in copied.execute("SELECT used FROM place") if use != UNUSED}


def use(tokens, key):
    for token in tokens:
        book.sign(DIGEST, token, blinded(key, token))


def blinded(key, token):
    return blinding.blind(key.modulus, token.encode(), b"s" * 48, 3).message


def test_uses_that_are_not_counted_leave_a_copy_as_it_was_to_the_byte(tokens, key, tmp_path):
    target = tmp_path / "copy"
    copy(target)
    contents = {target.read_bytes()}
    for token in tokens:
        use([token], key)
        copy(target)
        contents.add(target.read_bytes())
    assert len(contents) == 1 and used(target) == set()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600 and list(tmp_path.glob(".copy*")) == []


def test_copies_have_the_uses_of_the_last_count_so_they_differ_by_none_or_by_a_batch(tokens, key, tmp_path, settings):
    target = tmp_path / "copy"
    counts = []
    for release, token in enumerate(tokens, 1):
        use([token], key)
        count(DIGEST, release, BATCH)
        copy(target)
        counts.append(len(used(target)))
    assert counts == [k // BATCH * BATCH for k in range(1, len(tokens) + 1)]
    assert used(target) == used(settings.INVITATIONS_FILE)


def test_reminders_tell_of_no_use_that_a_copy_has_not(tokens, key, tmp_path, settings):
    """A use after the count changes nothing in a copy that is made after a reminder."""
    letters.invite(DIGEST, [f"{i}@example.org" for i in range(2 * BATCH)], WORDS)
    for digest, place, _tries in letters.waiting(2 * BATCH):
        letters.sent(letters.begin(digest, place))
    use(tokens[:BATCH], key)
    count(DIGEST, 1, BATCH)
    assert letters.unanswered(DIGEST) == 2 * BATCH
    before = settings.INVITATIONS_FILE.read_bytes()
    copies = []
    for more in (0, 2):
        settings.INVITATIONS_FILE.write_bytes(before)
        use(tokens[BATCH : BATCH + more], key)
        copy(tmp_path / "copy")
        copies.append((tmp_path / "copy").read_bytes())
    assert copies[0] == copies[1] and len(used(tmp_path / "copy")) == BATCH


def test_a_restored_copy_signs_for_everyone_and_again_for_those_whose_use_it_lacks(tokens, key, tmp_path, settings):
    target = tmp_path / "copy"
    use(tokens[:BATCH], key)
    count(DIGEST, 1, BATCH)
    use(tokens[BATCH : BATCH + 2], key)
    copy(target)
    settings.INVITATIONS_FILE.write_bytes(target.read_bytes())
    with pytest.raises(book.Used):
        book.sign(DIGEST, tokens[0], blinded(key, "another"))
    for token in tokens[BATCH:]:
        assert book.sign(DIGEST, token, blinded(key, "another"))


def test_a_book_whose_writer_was_killed_in_the_middle_is_copied_as_it_was_before(tokens, key, tmp_path, settings):
    use(tokens[:BATCH], key)
    count(DIGEST, 1, BATCH)
    book.invite(DIGEST, 2000)  # a change is partly on the disk before it is complete
    journal, half = settings.INVITATIONS_FILE.with_name(f"{settings.INVITATIONS_FILE.name}-journal"), tmp_path / "half"
    half.mkdir()
    with closing(sqlite3.connect(settings.INVITATIONS_FILE, isolation_level=None)) as writer:
        writer.executescript("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE")
        writer.execute("UPDATE place SET used = randomblob(32)")
        for file in (settings.INVITATIONS_FILE, journal):
            (half / file.name).write_bytes(file.read_bytes())
        writer.execute("ROLLBACK")
    settings.INVITATIONS_FILE = half / settings.INVITATIONS_FILE.name
    copy(tmp_path / "copy")
    assert len(used(tmp_path / "copy")) == BATCH


def test_the_command_writes_it_and_says_where_there_is_no_book(tokens, tmp_path, settings):
    call_command("copy_invitations", str(tmp_path / "copy"))
    assert used(tmp_path / "copy") == set()
    settings.INVITATIONS_FILE = tmp_path / "none"
    with pytest.raises(CommandError, match="no such file"):
        call_command("copy_invitations", str(tmp_path / "copy"))
