"""Copies of the book of invitations: two differ by no use of a survey or by at least a batch, and each restores the
rest."""

import sqlite3
import stat
from contextlib import closing

import pytest
from django.core.management import CommandError, call_command

from surveys.invitations import blind, book
from surveys.invitations.copies import copy
from tests.invitations import DIGEST, OTHER

BATCH = 5


@pytest.fixture
def tokens(file, settings):
    settings.BATCH = BATCH
    return book.invite(DIGEST, 3 * BATCH)


def used(path):
    """The hashes of all blinded messages in a copy."""
    with closing(sqlite3.connect(path)) as copied:
        return {use for (use,) in copied.execute("SELECT used FROM place") if use != book.UNUSED}


def use(tokens, key):
    for token in tokens:
        book.sign(DIGEST, token, blinded(key, token))


def blinded(key, token):
    return blind.blind(key.modulus, token.encode(), b"s" * 48, 3).message


def test_fewer_uses_than_a_batch_leave_a_copy_as_it_was_to_the_byte(tokens, key, tmp_path):
    target = tmp_path / "copy"
    copy(target)
    contents = {target.read_bytes()}
    for token in tokens[: BATCH - 1]:
        use([token], key)
        copy(target)
        contents.add(target.read_bytes())
    assert len(contents) == 1 and used(target) == set()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600 and list(tmp_path.glob(".copy*")) == []


def test_a_batch_comes_into_a_copy_as_a_whole_and_the_next_ones_wait_again(tokens, key, tmp_path, settings):
    target = tmp_path / "copy"
    counts = []
    for token in tokens:
        use([token], key)
        copy(target)
        counts.append(len(used(target)))
    assert counts == [k // BATCH * BATCH for k in range(1, len(tokens) + 1)]
    assert used(target) == used(settings.INVITATIONS_FILE)


def test_surveys_wait_for_batches_of_their_own(tokens, key, tmp_path):
    book.enter(OTHER, key)
    use(tokens[: BATCH - 1], key)
    book.sign(OTHER, book.invite(OTHER, 1)[0], blinded(key, "other"))
    copy(tmp_path / "copy")
    assert used(tmp_path / "copy") == set()


def test_a_restored_copy_signs_for_everybody_and_again_for_those_whose_use_it_lacks(tokens, key, tmp_path, settings):
    target = tmp_path / "copy"
    use(tokens[:BATCH], key)
    copy(target)
    use(tokens[BATCH : BATCH + 2], key)
    copy(target)
    settings.INVITATIONS_FILE.write_bytes(target.read_bytes())
    with pytest.raises(book.Used):
        book.sign(DIGEST, tokens[0], blinded(key, "another"))
    for token in tokens[BATCH:]:
        assert book.sign(DIGEST, token, blinded(key, "another"))


def test_a_book_whose_writer_was_killed_in_the_middle_is_copied_as_it_was_before(tokens, key, tmp_path, settings):
    use(tokens[:BATCH], key)
    book.invite(DIGEST, 2000)  # so that a change is on the disk in part before it is whole
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
