"""A batch's traces in the database's files are removed, and waiting reports stay."""

import threading

import pytest
from django.db import connection, connections, transaction

from surveys.models import Report, Tally
from tests.support.estimates import collect
from tests.support.factories import opened_survey
from tests.worker.test_batches import store
from worker import batches, traces

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def removed():
    """Return whether one of a few sweeps removes traces. PostgreSQL's own vacuum may hold a table for a moment."""
    return any(traces.remove() for _ in range(5))


def test_the_traces_of_a_batch_are_removed_and_what_waits_stays():
    survey = opened_survey()
    store(survey, range(100))
    batches.take(survey)
    waiting = store(survey, range(500, 507))
    assert Tally.objects.get(survey=survey).traces
    connections.close_all()  # SQLite's log can be cut when no one reads
    assert removed() and not Tally.objects.get(survey=survey).traces
    assert {str(row.id) for row in Report.objects.all()} == {body["report_id"] for body in waiting}


def test_a_backup_that_just_begins_finds_what_waits():
    survey = opened_survey()
    collect(survey, 120, 5)
    if connection.vendor != "postgresql":
        return
    with connections.create_connection("default").cursor() as backup:
        backup.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        backup.execute("SELECT count(*) FROM surveys_survey")
        assert not traces.remove()
        backup.execute("SELECT count(*) FROM surveys_report")
        assert backup.fetchone() == (5,)
        backup.execute("COMMIT")
        backup.connection.close()
    assert removed()


def test_traces_that_cannot_be_removed_now_are_removed_later():
    if connection.vendor != "postgresql":
        return  # SQLite has one writer
    survey = opened_survey()
    store(survey, range(100))
    batches.take(survey)
    reading, over = threading.Event(), threading.Event()

    def read():
        try:
            with transaction.atomic():
                Report.objects.count()
                reading.set()
                over.wait(30)
        finally:
            connections.close_all()

    thread = threading.Thread(target=read)
    thread.start()
    reading.wait(30)
    assert not traces.remove() and Tally.objects.get(survey=survey).traces
    assert thread.is_alive(), "nobody waits until the reader has gone"
    over.set()
    thread.join(30)
    assert removed() and not Tally.objects.get(survey=survey).traces
