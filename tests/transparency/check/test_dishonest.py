"""A verifier or a witness notices a site that serves other code, another log or other releases than before."""

import base64
import json
from datetime import date, timedelta

import pytest
from django.core.management import call_command
from django.db import connection

from surveys.models import Cosignature, LogEntry, Release
from surveys.transparency.check import manifest, verify
from surveys.transparency.log import cosignatures, entries, keys, merkle, note
from tests.support.between import between
from tests.support.factories import opened_survey
from tests.support.merkle import parts

pytestmark = pytest.mark.django_db(transaction=True)

DAY = date(2026, 3, 4)


@pytest.fixture
def site(live_server, settings, tmp_path):
    settings.SITE_URL = live_server.url
    settings.LOG_KEY_FILE = tmp_path / "log_key"
    keys.announce()
    return live_server


@pytest.fixture
def kept(tmp_path):
    return tmp_path / "kept.json"


def seen(site, survey, kept=None, **more):
    """Return the verifier's findings as one text, or WRONG with the finding that ends it."""
    try:
        request = verify.Request(manifest.text().encode(), kept, **more)
        return "\n".join(f"{mark}: {text}" for mark, text in verify.verify(f"{site}/s/#{survey.slug}", request))
    except verify.Wrong as wrong:
        return f"WRONG: {wrong}"


class Dishonest:
    """A log like the site's up to an entry, then with other entries, signed with the site's own key."""

    def __init__(self, change):
        rows = list(LogEntry.objects.all())
        self.texts = change([row.content for row in rows])
        self.leaves = [merkle.leaf_hash(text.encode()) for text in self.texts]
        self.key = keys.current()

    def __call__(self, path, second, body):
        path = path.removeprefix("/check/log/")
        size = len(self.texts)
        if path == "checkpoint":
            root = base64.b64encode(merkle.root(self.leaves)).decode()
            text = f"{self.key.name}\n{size}\n{root}\n"
            return f"{text}\n{self.key.sign(text)}".encode()
        if path.startswith("tile/entries"):
            each = [text.encode() for text in self.texts]
            return b"".join(len(text).to_bytes(2) + text for text in each)
        if path.startswith("inclusion"):
            hashes = merkle.inclusion(int(path.split("/")[1]), size, parts(self.leaves))
        elif path.startswith("consistency"):
            before = int(path.split("/")[1])
            hashes = merkle.consistency(before, size, parts(self.leaves)) if before <= size else []
        else:
            return body
        return "".join(f"{each.hex()}\n" for each in hashes).encode()


def as_the_same_site(kept, address):
    """Make both URLs one site in the verifier's memory."""
    known = json.loads(kept.read_text())
    kept.write_text(json.dumps({address: next(iter(known.values()))}))


def later(kept, survey, site, change):
    """Return the verifier's findings about a log that changed since its last look."""
    assert "WRONG" not in seen(site.url, survey, kept)
    with between(site, Dishonest(change)) as address:
        as_the_same_site(kept, address)
        return seen(address, survey, kept)


def test_another_page_for_one_visitor_is_seen(site):
    survey = opened_survey()

    def alter(path, second, body):
        return body.replace(b"</body>", b"<script src=/evil.js></script></body>") if path.startswith("/s/") else body

    with between(site, alter) as address:
        assert "/s/ is not the file of the manifest" in seen(address, survey)
    with between(site, lambda path, second, body: alter(path, second, body) if second else body) as address:
        assert "is another for another client" in seen(address, survey)


def test_a_forked_log_is_seen_by_anyone_who_saw_the_other_one_and_by_no_one_else(site, kept):
    survey = opened_survey()

    def forked(texts):
        return [texts[0], texts[1].replace('"day":"', '"day":"1'), *texts[2:]]

    with between(site, Dishonest(forked)) as address:
        assert "WRONG" not in seen(address, survey)  # it looks right by itself
    assert "the log is another one than that of" in later(kept, survey, site, forked)


def test_a_log_that_is_cut_short_is_seen(site, kept):
    survey = opened_survey()
    opened_survey()
    assert "entries, and had" in later(kept, survey, site, lambda texts: texts[:-1])


def test_a_log_that_only_grew_is_right(site, kept):
    survey = opened_survey()
    assert "WRONG" not in seen(site.url, survey, kept)
    for _ in range(3):
        opened_survey()
        assert "right: The log continues the one of" in seen(site.url, survey, kept)


def test_entries_that_are_not_those_of_the_signed_root_are_seen(site):
    survey = opened_survey()

    def other(path, second, body):
        return body.replace(b'"day":"2', b'"day":"1') if "entries" in path else body

    with between(site, other) as address:
        assert "not those of its root" in seen(address, survey)


def test_a_survey_whose_entry_was_dropped_is_seen(site, kept):
    survey = opened_survey()
    opened_survey()
    link = entries.hash_of_link(survey.slug)
    dropped = [text for text in LogEntry.objects.values_list("content", flat=True) if link not in text]
    with between(site, Dishonest(lambda texts: dropped)) as address:
        assert "another definition of this survey, or none" in seen(address, survey)
    assert "WRONG" in later(kept, survey, site, lambda texts: dropped)


def test_a_site_that_is_set_back_to_an_earlier_version_is_seen(site):
    """Only the log shows it: the served version was published once and replaced since."""
    survey = opened_survey()
    entries.enter_software("next", "c", "e" * 96)
    assert "it is being updated, or was set back" in seen(site.url, survey)


def test_a_second_definition_for_one_link_is_seen(site):
    survey = opened_survey()
    link = entries.hash_of_link(survey.slug)
    entries.append({"kind": "survey", "day": "2026-03-04", "link": link, "definition": "e" * 64, "manifest": "m"})
    assert "another definition of this survey, or none" in seen(site.url, survey)


def test_a_signature_of_another_key_is_seen(site):
    survey = opened_survey()

    def other(path, second, body):
        if not path.endswith("/checkpoint"):
            return body
        text = body.decode().partition("\n\n")[0] + "\n"
        return f"{text}\n{note.PrivateKey(keys.origin(), b'x' * 32).sign(text)}".encode()

    with between(site, other) as address:
        assert "signed by no key that the log names" in seen(address, survey)


def test_a_key_that_was_changed_with_agreement_is_right_and_a_lost_or_an_old_one_is_seen(site, kept, settings):
    survey, before = opened_survey(), keys.current()
    assert "WRONG" not in seen(site.url, survey, kept)
    call_command("log", "rotate")
    assert keys.current() != before and "WRONG" not in seen(site.url, survey, kept)

    def with_the_old_one(path, second, body):
        text = body.decode().partition("\n\n")[0] + "\n" if path.endswith("/checkpoint") else ""
        return f"{text}\n{before.sign(text)}".encode() if text else body

    with between(site, with_the_old_one) as address:
        assert "signed by a key that the log has replaced" in seen(address, survey)
    entries.append({"kind": "key", "day": "2026-03-04", "key": str(before.public), "lost": "x"})
    settings.LOG_KEY_FILE.write_text(str(before))
    assert "brings back a key that was replaced" in seen(site.url, survey, kept)


def test_a_lost_key_is_seen_by_anyone_who_knew_it(site, kept, settings):
    survey = opened_survey()
    assert "WRONG" not in seen(site.url, survey, kept)
    settings.LOG_KEY_FILE.unlink()
    keys.announce()
    assert "the key was lost" in seen(site.url, survey, kept)
    assert "WRONG" not in seen(site.url, survey)


def test_a_log_key_that_was_given_is_asked_for(site):
    survey = opened_survey()
    own, other = (verify.key_of(str(key.public)) for key in (keys.current(), note.new_key("x")))
    assert "signed by the key that was given" in seen(site.url, survey, log_key=own)
    assert "WRONG: the log is signed by" in seen(site.url, survey, log_key=other)


# Witnesses ------------------------------------------------------------------------------------------------------------


def witnessing(address, name, tmp_path):
    """Return the findings of one run of a witness."""
    try:
        found = verify.witness(verify.Site(address), name, tmp_path / f"{name}.key", tmp_path / f"{name}.json")
        return "\n".join(f"{mark}: {text}" for mark, text in found)
    except verify.Wrong as wrong:
        return f"WRONG: {wrong}"


@pytest.fixture
def witnesses(settings, tmp_path):
    names = ["one.example", "two.example"]
    trusted = [
        verify.Key(name, verify.COSIGNATURE, verify.public_of(verify.witness_seed(name, tmp_path / f"{name}.key")))
        for name in names
    ]
    settings.LOG_WITNESSES = [note.public_key(str(key)) for key in trusted]
    settings.LOG_QUORUM = 2
    return dict(zip(names, trusted, strict=True))


def test_two_witnesses_make_a_quorum(site, witnesses, tmp_path):
    survey, trusted = opened_survey(), list(witnesses.values())
    assert "0 of the witnesses that you trust" in seen(site.url, survey, trusted=trusted, quorum=2)
    assert "right: Signed its" in witnessing(site.url, "one.example", tmp_path)
    assert cosignatures.quorum() is None
    assert "1 of the witnesses that you trust" in seen(site.url, survey, trusted=trusted, quorum=2)
    assert "right: Signed its" in witnessing(site.url, "two.example", tmp_path)
    assert cosignatures.quorum() == LogEntry.objects.count()
    said = seen(site.url, survey, trusted=trusted, quorum=2)
    assert "right: 2 of the witnesses that you trust have signed a tree with the survey" in said
    newer = opened_survey()
    assert "not checked: Whether witnesses saw the survey's entry" in seen(site.url, newer, trusted=trusted, quorum=2)
    assert "right: The log continues" in witnessing(site.url, "one.example", tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda texts: [texts[0], texts[1].replace('"day":"', '"day":"1'), *texts[2:]], "the log is another one than"),
        (lambda texts: texts[:-1], "entries, and had"),
        (lambda texts: [*texts[:-2], texts[-1], "{}"], "the log is another one than"),
    ],
    ids=["fork", "cut", "drop"],
)
def test_a_witness_signs_no_fork_and_nothing_that_was_dropped(site, witnesses, tmp_path, change, said):
    opened_survey()
    opened_survey()
    assert "right: Signed its" in witnessing(site.url, "one.example", tmp_path)
    file = tmp_path / "one.example.json"
    before = json.loads(file.read_text())
    with between(
        site, Dishonest(lambda texts: [text if text != "{}" else texts[-1] for text in change(texts)])
    ) as other:
        as_the_same_site(file, other)
        assert said in witnessing(other, "one.example", tmp_path)
        assert list(json.loads(file.read_text()).values()) == list(before.values())
    assert Cosignature.objects.get().size == LogEntry.objects.count()


def test_only_the_cosignatures_of_named_witnesses_and_of_this_log_are_kept(site, witnesses, tmp_path, client):
    opened_survey()
    said = witnessing(site.url, "three.example", tmp_path)
    assert "right: Signed its" in said and "the site does not name this witness" in said
    assert not Cosignature.objects.exists()
    assert "does not name this witness" not in witnessing(site.url, "one.example", tmp_path)
    good = Cosignature.objects.get()
    text = str(cosignatures.newest())
    line, *_ = note.signatures(good.line)
    spoiled = note.signature_line(
        note.PublicKey(*witnesses["one.example"]), line.value[:-1] + bytes([line.value[-1] ^ 1])
    )
    for body in (f"{text}\n{spoiled}", f"other\n{text}\n{good.line}", text, "", f"{text}\n{good.line}"[:-2]):
        assert client.post("/check/log/cosignatures", body, content_type="text/plain").status_code == 422, body
    assert client.post("/check/log/cosignatures", "x" * 20_000, content_type="text/plain").status_code == 413
    assert Cosignature.objects.get().line == good.line


def test_the_command_is_a_witness(site, settings, capsys, tmp_path):
    settings.DATA_DIR = tmp_path
    for said in ("not checked", "right        The log continues"):
        with pytest.raises(SystemExit) as ended:
            call_command("witness", site.url, "--name", "my.example")
        out = capsys.readouterr().out
        assert ended.value.code == 0 and said in out and "my.example+" in out


# Releases -------------------------------------------------------------------------------------------------------------


def released(survey, number, n):
    Release.objects.create(
        survey=survey, number=number, day=DAY, final=False, n=n, tallies=[], digest=f"{number}" * 64, document={}
    )
    entries.sweep(manifest.digest(), DAY + timedelta(1))


@pytest.fixture
def published():
    survey = opened_survey()
    type(survey).objects.filter(pk=survey.pk).update(results_public=True)
    survey.refresh_from_db()
    return survey


def test_releases_that_are_those_of_the_log_are_right_and_what_no_log_shows_is_not_called_so(site, published):
    released(published, 1, 200)
    released(published, 2, 300)
    said = seen(site.url, published, release=2)
    assert "right: Release 1, of 200 reports" in said and "right: Release 2, of 300 reports" in said
    assert "not checked: Whether a release holds every report" in said


def test_a_release_that_is_not_there_is_said_with_those_that_are(site, published):
    none_yet = "the site shows no release: the survey has none yet, or its results are not public"
    assert f"WRONG: {none_yet}" in seen(site.url, published, release=1)
    released(published, 1, 200)
    last = "WRONG: the site shows no release 5 of this survey: the last is release "
    assert f"{last}1" in seen(site.url, published, release=5)
    released(published, 2, 300)
    assert f"{last}2" in seen(site.url, published, release=5)


def test_a_release_of_the_log_that_the_site_hides_is_seen(site, published):
    released(published, 1, 200)
    type(published).objects.filter(pk=published.pk).update(results_public=False)
    said = seen(site.url, published, release=1)
    assert "WRONG: the log has release 1 of this survey, and the site does not show it" in said


def test_a_release_that_was_replaced_by_one_that_omits_reports_is_seen(site, published):
    released(published, 1, 200)
    with connection.cursor() as cursor:  # the guard is the database's own; its owner can remove it
        cursor.execute("ALTER TABLE surveys_release DISABLE TRIGGER ALL")
        cursor.execute("UPDATE surveys_release SET n = 190, digest = %s", ["e" * 64])
        cursor.execute("ALTER TABLE surveys_release ENABLE TRIGGER ALL")
    assert "WRONG: release 1 is not the one that the log has" in seen(site.url, published, release=1)


def test_a_later_release_with_fewer_reports_is_seen(site, published):
    released(published, 1, 200)
    released(published, 2, 190)
    assert "WRONG: release 2 has fewer reports than the one before" in seen(site.url, published, release=2)


def test_a_release_whose_day_is_not_over_is_not_called_right(site, published):
    released(published, 1, 200)
    Release.objects.create(
        survey=published, number=2, day=date(2999, 1, 1), final=False, n=300, tallies=[], digest="f" * 64, document={}
    )
    assert "not checked: Release 2: it is entered into the log when its day is over" in seen(
        site.url, published, release=2
    )
