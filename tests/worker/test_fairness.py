"""A survey with many reports does not delay other surveys' reports (P12)."""

import threading
import time

import pytest
from django.conf import settings
from django.db import connection, transaction

from surveys.life.lifecycle import close_survey
from surveys.models import Release, Report, Tally
from tests.support.factories import opened_survey
from tests.worker.test_batches import store
from worker import batches, tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture(autouse=True)
def small_turns(monkeypatch):
    """End a turn after each batch of a hundred."""
    monkeypatch.setattr(batches, "MOST", 100)
    monkeypatch.setattr(tasks, "TURN_SECONDS", 0)


def with_reports(count):
    survey = opened_survey()
    store(survey, range(1000 * survey.pk, 1000 * survey.pk + count))
    return survey


def waiting(survey):
    return Report.objects.filter(survey=survey).count()


def test_a_survey_is_taken_for_a_turn_at_a_time():
    crowded, other = with_reports(300), with_reports(100)
    tasks.process(crowded.pk)
    assert waiting(crowded) == 200, "whoever else waits for the worker comes now"
    tasks.process(other.pk)
    assert waiting(other) == 0
    for _ in range(2):
        tasks.process(crowded.pk)
    assert waiting(crowded) == 0


def test_a_survey_that_ended_has_its_final_release_after_as_many_turns_as_it_needs():
    ended = with_reports(250)
    close_survey(ended)
    for left in (150, 50, 0):
        assert not Release.objects.filter(survey=ended, final=True).exists()
        tasks.process(ended.pk)
        assert waiting(ended) == left
    assert Release.objects.get(survey=ended, final=True).n == 250


def test_neither_sweep_nor_process_waits_for_a_worker_that_takes_a_survey_s_reports(started):
    crowded, busy, free = with_reports(400), threading.Event(), threading.Event()

    def work():
        with transaction.atomic():
            batches.lock(crowded.pk)
            busy.set()
            free.wait(30)
        connection.close()

    worker = threading.Thread(target=work)
    if connection.vendor == "postgresql":  # SQLite has one writer, so all others wait
        worker.start()
        assert busy.wait(30)
        tasks.sweep()
        tasks.process(crowded.pk)
        assert Tally.objects.get(survey=crowded).attempts == 0 and not free.is_set()
        free.set()
        worker.join()
    tasks.process(crowded.pk)
    assert Tally.objects.get(survey=crowded).held[0]["n"] == 100


def test_a_release_waits_for_who_counts_people_at_that_moment(monkeypatch):
    """No other batch comes, so nothing else would make the release later."""
    survey, taken, counting = with_reports(205), threading.Event(), threading.Event()

    def count():
        with transaction.atomic():
            batches.lock(survey.pk, waits=True)
            counting.set()
            until_one_waits()
        connection.close()

    def take(survey):
        if taken.is_set():
            return 0
        number = batches.take(survey)
        taken.set()
        counter.start()
        assert counting.wait(30)
        return number

    counter = threading.Thread(target=count)
    monkeypatch.setattr(tasks, "take", take)
    monkeypatch.setattr(batches, "MOST", 1000)
    if connection.vendor == "postgresql":  # SQLite has one writer, so all others wait
        tasks.process(survey.pk)
        counter.join()
        assert Release.objects.get().n == 105


def until_one_waits():
    """Return once another transaction waits for a lock of this one."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return


SHORT = {"sweep", "process", "count_part", "notice", "count_people", "purge"}


def test_what_takes_long_has_a_worker_of_its_own():
    names = [name.removeprefix("worker.tasks.") for name in tasks.app.tasks if name.startswith("worker.tasks.")]
    queues = {name: tasks.app.amqp.router.route({}, f"worker.tasks.{name}")["queue"].name for name in names}
    assert queues == {name: "celery" if name in SHORT else "estimates" for name in names}
    assert {name.removeprefix("worker.tasks.") for name in settings.CELERY_TASK_ROUTES} == set(names) - SHORT
