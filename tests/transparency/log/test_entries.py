"""The log only grows, even with simultaneous writers. Each entry is there once and reveals no more than it may."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import DatabaseError, connection, connections, transaction

from surveys.life.lifecycle import create_draft, open_survey
from surveys.models import Commitment, LogEntry, Release, Survey
from surveys.transparency.check import manifest
from surveys.transparency.log import entries, merkle
from tests.support.factories import DRAFT, opened_survey
from tests.support.merkle import every_root

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
    assert [row.root for row in rows] == [root.hex() for root in every_root(leaves)]
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
    """Releases are sorted by their random commitments. With twelve, that is the order of creation by chance once in
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
