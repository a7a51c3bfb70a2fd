"""/check/ shows what is served, where the source is and who watches. Its log follows C2SP."""

import base64

import pytest
from django.test import Client

from surveys.models import LogEntry
from surveys.transparency.check import verify
from surveys.transparency.log import merkle, note
from tests.support.factories import opened_survey
from tests.support.merkle import every_root

pytestmark = pytest.mark.django_db


def page():
    return Client().get("/check/").content.decode()


def test_where_the_source_is_published_is_said_or_plainly_not_known(settings):
    assert "this site does not say. Ask its operator" in page()
    settings.SOURCE_URL = "https://code.example.org/deniable"
    assert '<a href="https://code.example.org/deniable">' in page()


def test_version_commit_and_manifest_are_said():
    release = Client().get("/check/release.json").json()
    text = page()
    assert set(release) == {"format", "version", "commit", "manifest"}
    assert all(release[name] in text for name in ("version", "commit", "manifest")) and len(release["manifest"]) == 96


def test_witnesses_and_their_quorum_are_shown(settings):
    assert "This site names no witness." in page()
    settings.LOG_WITNESSES = [note.new_key(name).public_of(note.COSIGNATURE) for name in ("one.example", "two.example")]
    settings.LOG_QUORUM = 2
    text = page()
    assert "This site names 2 witnesses, and 2 make a quorum." in text and "Not enough of them have signed yet." in text
    assert str(settings.LOG_WITNESSES[0]) in text and text.count("has not signed yet") == 2


def test_the_newest_entries_are_shown():
    survey = opened_survey()
    text = page()
    assert f"{survey.digest[:16]}…" in text and survey.slug not in text


def test_tiles_have_the_hashes_and_the_entries_of_the_tree():
    rows = [opened_survey() for _ in range(3)] and list(LogEntry.objects.all())
    width = len(rows)
    hashes = Client().get(f"/check/log/tile/0/000.p/{width}").content
    assert hashes == b"".join(bytes.fromhex(row.leaf) for row in rows)
    answer = Client().get(f"/check/log/tile/entries/000.p/{width}")
    entries = [row.content.encode() for row in rows]
    assert answer.content == b"".join(len(entry).to_bytes(2) + entry for entry in entries)
    assert "immutable" in answer["Cache-Control"] and answer["Content-Type"] == "application/octet-stream"


def test_full_tiles_and_tiles_of_tiles_are_there_once_the_tree_is_as_large():
    first = LogEntry.objects.count()
    leaves = [bytes.fromhex(row.leaf) for row in LogEntry.objects.all()]
    leaves += [merkle.leaf_hash(bytes([i % 256, i // 256])) for i in range(600 - first)]
    roots = list(every_root(leaves))
    LogEntry.objects.bulk_create(
        LogEntry(number=i, kind="other", content="", leaf=leaves[i].hex(), root=roots[i].hex())
        for i in range(first, 600)
    )
    client = Client()
    assert client.get("/check/log/tile/0/001").content == b"".join(leaves[256:512])
    assert client.get("/check/log/tile/0/002.p/88").content == b"".join(leaves[512:])
    assert client.get("/check/log/tile/1/000.p/2").content == merkle.root(leaves[:256]) + merkle.root(leaves[256:512])
    for absent in ("0/002", "0/002.p/89", "1/000.p/3", "1/000", "2/000.p/1", "0/x000/001", "0/000.p/256", "9/000"):
        assert client.get(f"/check/log/tile/{absent}").status_code == 404, absent


def test_the_verifier_names_tiles_as_the_site_does():
    assert [verify.tile_path(i) for i in (0, 7, 1000, 1234067)] == ["000", "007", "x001/000", "x001/x234/067"]


def test_the_checkpoint_is_signed_and_every_earlier_one_can_be_had():
    opened_survey()
    client = Client()
    key = verify.key_of(client.get("/check/log/policy").content.decode().split()[1])
    size = LogEntry.objects.count()
    for address in ("checkpoint", f"checkpoint/{size}", f"checkpoint/{size - 1}"):
        checkpoint = verify.checkpoint_of(client.get(f"/check/log/{address}").content)
        assert checkpoint.note.signed_by(key) and checkpoint.origin == key.name
        assert base64.b64encode(checkpoint.root).decode() in checkpoint.note.text
    assert client.get(f"/check/log/checkpoint/{size + 1}").status_code == 404


def test_nothing_is_signed_without_the_key_that_the_log_names(settings, tmp_path):
    settings.LOG_KEY_FILE = tmp_path / "none"
    assert Client().get("/check/log/checkpoint").status_code == 503


def test_a_link_is_checked_at_the_name_where_surveys_are_answered(settings):
    assert 'id="lookup"' in page()
    settings.SITE_URL = "https://answers.example.org"
    assert 'id="lookup"' not in page() and '<a href="https://answers.example.org/check/">' in page()
