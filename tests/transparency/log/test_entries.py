"""The log only grows, whoever adds to it at the same time; each entry is there once, and tells no more than it may."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor

from surveys.life.lifecycle import create_draft, open_survey
from surveys.models import Commitment, LogEntry, Release, Survey
from surveys.transparency.check import manifest, verify
from surveys.transparency.log import entries, keys, merkle, note
from tests.support.factories import DRAFT, opened_survey

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

TODAY = date(2026, 3, 4)


def opened(pk):
    try:
        open_survey(Survey.objects.get(pk=pk))
    finally:
        connections.close_all()


def contents(kind):
    return [json.loads(row.content) for row in LogEntry.objects.filter(kind=kind)]


def is_one_tree():
    rows = list(LogEntry.objects.all())
    leaves = [merkle.leaf_hash(row.content.encode()) for row in rows]
    assert [row.number for row in rows] == list(range(len(rows)))
    assert [row.leaf for row in rows] == [leaf.hex() for leaf in leaves]
    assert [row.root for row in rows] == [root.hex() for root in merkle.roots(leaves)]
    return True


def released(survey, number, day, digest="d" * 64):
    return Release.objects.create(
        survey=survey, number=number, day=day, final=False, n=100 * number, tallies=[], digest=digest
    )


def test_surveys_that_are_opened_at_the_same_time_follow_each_other():
    pks = [create_draft(DRAFT).pk for _ in range(12)]
    with ThreadPoolExecutor(6) as people:
        list(people.map(opened, pks))
    assert is_one_tree()
    links = {entries.hash_of_link(slug) for slug in Survey.objects.filter(pk__in=pks).values_list("slug", flat=True)}
    assert len(links) == 12 and links == {entry["link"] for entry in contents("survey")}


def test_an_opening_that_fails_leaves_no_entry():
    before, survey = LogEntry.objects.count(), create_draft(DRAFT)
    with pytest.raises(RuntimeError), transaction.atomic():
        open_survey(survey)
        raise RuntimeError
    assert LogEntry.objects.count() == before


def test_what_is_served_is_entered_once_and_again_when_the_commit_is_another():
    entries.enter_software("1", "a", "m")
    before = LogEntry.objects.count()
    entries.enter_software("1", "a", "m")
    assert LogEntry.objects.count() == before
    entries.enter_software("1", "b", "m")
    assert LogEntry.objects.count() == before + 1 and contents("software")[-1]["commit"] == "b"


@pytest.mark.parametrize("statement", ["UPDATE surveys_logentry SET content = ''", "DELETE FROM surveys_logentry"])
def test_no_entry_can_be_changed_or_deleted_even_in_sql(statement):
    opened_survey()
    with pytest.raises(DatabaseError, match="only ever added to"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_what_another_version_opened_is_entered_by_the_worker_once():
    survey = opened_survey()
    Survey.objects.create(slug="other", draft={}, state="open", canonical="{}", digest="e" * 64, batch=100)
    for _ in range(2):
        entries.sweep(manifest.digest(), TODAY)
    assert [entry["definition"] for entry in contents("survey")] == [survey.digest, "e" * 64]
    assert is_one_tree()


def test_a_release_is_entered_once_and_only_when_its_day_is_over():
    survey = opened_survey()
    released(survey, 1, TODAY)
    entries.sweep(manifest.digest(), TODAY)
    assert contents("release") == []
    with ThreadPoolExecutor(4) as workers:
        list(workers.map(swept, [TODAY + timedelta(1)] * 4))
    [entry] = contents("release")
    assert (entry["number"], entry["day"], entry["link"]) == (1, "2026-03-04", entries.hash_of_link(survey.slug))
    assert is_one_tree()


def swept(day):
    try:
        entries.sweep(manifest.digest(), day)
    finally:
        connections.close_all()


def test_the_releases_of_a_day_stand_in_an_order_that_is_not_theirs():
    """By what of them looks random: with twelve the order in which they were made would come of it by chance once in
    479 million times."""
    surveys = [opened_survey() for _ in range(12)]
    for survey in surveys:
        released(survey, 1, TODAY)
    entries.sweep(manifest.digest(), TODAY + timedelta(1))
    links = [entry["link"] for entry in contents("release")]
    made = [entries.hash_of_link(survey.slug) for survey in surveys]
    assert sorted(links) == sorted(made) and links != made
    commitments = [entry["commitment"] for entry in contents("release")]
    assert commitments == sorted(commitments)


def test_the_log_tells_neither_keys_nor_counts_nor_digests_of_totals_nor_times():
    survey = opened_survey()
    release = released(survey, 1, TODAY, hashlib.sha256(b"totals").hexdigest())
    entries.sweep(manifest.digest(), TODAY + timedelta(1))
    text = "\n".join(LogEntry.objects.values_list("content", flat=True))
    assert survey.slug not in text and release.digest not in text
    assert Commitment.objects.get(release=release).nonce not in text
    names = {name for row in LogEntry.objects.all() for name in json.loads(row.content)}
    assert names == {
        "kind", "day", "key", "version", "commit", "manifest", "link", "definition", "number", "commitment"
    }  # fmt: skip
    days = {json.loads(row.content)["day"] for row in LogEntry.objects.all()}
    assert all(datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC) for day in days)


def test_a_deleted_survey_leaves_nothing_that_opens_its_commitment():
    survey = opened_survey()
    release = released(survey, 1, TODAY)
    entries.sweep(manifest.digest(), TODAY + timedelta(1))
    assert Commitment.objects.filter(release=release).exists()
    Release.objects.filter(pk=release.pk).delete()
    assert not Commitment.objects.exists() and len(contents("release")) == 1


def test_the_chained_log_is_carried_over_in_order_with_its_hashes(migrated_back):
    served = migrated_back.get_model("surveys", "Served")
    previous = "0" * 64
    survey = migrated_back.get_model("surveys", "Survey").objects.create(
        slug="known", draft={}, state="open", canonical="{}", digest="b" * 64, batch=100
    )
    links = ["", entries.hash_of_link("known"), entries.hash_of_link("deleted"), ""]
    for number, link in enumerate(links, start=1):
        entry = {"number": number, "day": "2026-01-02", "manifest": f"{number}" * 96, "slug_hash": link}
        entry |= {"digest": "b" * 64 if link else "", "previous": previous}
        text = json.dumps(entry, sort_keys=True, separators=(",", ":"))
        previous = hashlib.sha256(text.encode()).hexdigest()
        served.objects.create(**entry, hash=previous)
    MigrationExecutor(connection).migrate([("surveys", "0018_log")])
    assert is_one_tree()
    carried = [json.loads(row.content) for row in LogEntry.objects.all()]
    assert [(entry["kind"], entry.get("link", "")) for entry in carried] == list(
        zip(("software", "survey", "survey", "software"), links, strict=True)
    )
    previous = "0" * 64
    for entry in carried:
        link, digest, was = entry.get("link", ""), entry.get("definition", ""), entry["was"]
        old = {"number": was["number"], "day": entry["day"], "manifest": entry["manifest"], "slug_hash": link}
        text = json.dumps(old | {"digest": digest, "previous": previous}, sort_keys=True, separators=(",", ":"))
        assert (was["previous"], was["hash"]) == (previous, hashlib.sha256(text.encode()).hexdigest())
        previous = was["hash"]
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    entries.sweep("m" * 96, TODAY)
    assert len(contents("survey")) == 2 and LogEntry.objects.get(number=1).survey == survey.pk


@pytest.fixture
def migrated_back():
    """The apps as they were before, with an empty log; what they are in the end is put back."""
    executor = MigrationExecutor(connection)
    executor.migrate([("surveys", "0017_reasons")])
    yield MigrationExecutor(connection).loader.project_state([("surveys", "0017_reasons")]).apps
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("TRUNCATE surveys_served")
        else:
            cursor.execute("DROP TRIGGER surveys_served_kept")
            cursor.execute("DELETE FROM surveys_served")
    Survey.objects.filter(slug="known").delete()


def test_the_log_names_its_key_and_says_that_it_was_lost(settings, tmp_path):
    settings.LOG_KEY_FILE = tmp_path / "log_key"
    keys.announce()
    first = keys.current()
    keys.announce()
    assert [entry["key"] for entry in contents("key")][-1] == str(first.public) and "lost" in contents("key")[-1]
    count = LogEntry.objects.count()
    keys.announce()
    assert LogEntry.objects.count() == count


def test_a_key_is_changed_with_the_agreement_of_the_one_before(settings, tmp_path):
    settings.LOG_KEY_FILE = tmp_path / "log_key"
    keys.announce()
    before = keys.current()
    new = note.new_key(keys.origin())
    keys.rotate(new)
    assert keys.current() == new
    rows = [json.loads(row.content) for row in LogEntry.objects.all()]
    assert list(verify.named_keys(rows))[-1][1:] == (verify.key_of(str(new.public)), True)
    assert contents("key")[-1]["before"] == str(before.public)
    with pytest.raises(verify.Wrong, match="brings back"):
        list(verify.named_keys([*rows, {"kind": "key", "key": str(before.public)}]))
    with pytest.raises(verify.Wrong, match="did not"):
        list(verify.named_keys([*rows[:-1], rows[-1] | {"key": str(note.new_key("x").public)}]))


def test_a_crash_between_the_entry_and_the_file_loses_no_key(settings, tmp_path, monkeypatch):
    settings.LOG_KEY_FILE = tmp_path / "log_key"
    keys.announce()
    new = note.new_key(keys.origin())
    monkeypatch.setattr(keys, "_adopt", lambda: None)
    keys.rotate(new)
    assert keys.current() is None
    monkeypatch.undo()
    keys.announce()
    assert keys.current() == new


def test_a_key_that_was_brought_back_signs_nothing_and_enters_nothing(settings, tmp_path):
    settings.LOG_KEY_FILE = tmp_path / "log_key"
    keys.announce()
    before = settings.LOG_KEY_FILE.read_text()
    keys.rotate(note.new_key(keys.origin()))
    settings.LOG_KEY_FILE.write_text(before)
    count = LogEntry.objects.count()
    keys.announce()
    assert keys.current() is None and LogEntry.objects.count() == count
