"""The public log is one chain, whoever adds to it at the same time, and the database lets nobody change it."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import DatabaseError, connection, connections, transaction

from surveys.check import log, manifest, verify
from surveys.lifecycle import create_draft, open_survey
from surveys.models import Served, Survey
from tests.support.factories import DRAFT, opened_survey

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def opened(pk):
    try:
        open_survey(Survey.objects.get(pk=pk))
    finally:
        connections.close_all()


def test_surveys_that_are_opened_at_the_same_time_follow_each_other():
    keys = [create_draft(DRAFT).pk for _ in range(12)]
    with ThreadPoolExecutor(6) as people:
        list(people.map(opened, keys))
    entries = log.entries()
    verify.check_chain(entries)
    hashes = {log.hash_of_slug(slug) for slug in Survey.objects.filter(pk__in=keys).values_list("slug", flat=True)}
    assert len(hashes) == 12 and hashes <= {entry["slug_hash"] for entry in entries}


def test_an_opening_that_fails_leaves_no_entry():
    before, survey = Served.objects.count(), create_draft(DRAFT)
    with pytest.raises(RuntimeError), transaction.atomic():
        open_survey(survey)
        raise RuntimeError
    assert Served.objects.count() == before


def test_a_manifest_is_entered_once():
    log.note_manifest()
    before = Served.objects.count()
    log.note_manifest()
    assert Served.objects.count() == before and Served.objects.last().manifest == manifest.digest()


@pytest.mark.parametrize("statement", ["UPDATE surveys_served SET digest = ''", "DELETE FROM surveys_served"])
def test_no_entry_can_be_changed_or_deleted_even_in_sql(statement):
    opened_survey()
    with pytest.raises(DatabaseError, match="only ever added to"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("field", ["number", "previous"])
def test_an_entry_that_does_not_follow_is_noticed_though_its_own_hash_is_right(field):
    for _ in range(3):
        opened_survey()
    entries = log.entries()
    entries[-1][field] = 99 if field == "number" else "f" * 64
    entries[-1]["hash"] = log.hash_of(entries[-1])
    with pytest.raises(verify.Wrong):
        verify.check_chain(entries)
    with pytest.raises(verify.Wrong):
        verify.check_chain([*log.entries()[:-2], log.entries()[-1]])
