"""One survey's many reports keep no other survey's waiting (P12)."""

import threading

import pytest
from django.db import connection, transaction

from surveys.life.lifecycle import close_survey
from surveys.models import Release, Report, Tally
from tests.support.factories import opened_survey
from tests.worker.test_batches import store
from worker import batches, tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture(autouse=True)
def small_turns(monkeypatch):
    """A turn is over after each batch of a hundred."""
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


def test_a_sweep_sends_nobody_where_a_worker_is_at_it_and_does_not_wait_for_them(monkeypatch, settings, redis_url):
    settings.REDIS_URL = redis_url
    asked, busy, free = [], threading.Event(), threading.Event()
    monkeypatch.setattr(tasks.process, "apply_async", lambda args, **options: asked.append(args[0]))
    crowded, other = with_reports(400), with_reports(100)

    def work():
        with transaction.atomic():
            batches.lock(crowded.pk)
            busy.set()
            free.wait(30)
        connection.close()

    worker = threading.Thread(target=work)
    if connection.vendor == "postgresql":  # SQLite has one writer, for whom everybody waits
        worker.start()
        assert busy.wait(30)
    tasks.sweep()
    free.set()
    if worker.ident is None:
        assert asked == [crowded.pk, other.pk]
    else:
        worker.join()
        assert asked == [other.pk] and Tally.objects.get(survey=crowded).attempts == 0


def test_what_takes_long_has_a_worker_of_its_own():
    route = tasks.app.amqp.router.route
    queues = {name: route({}, f"worker.tasks.{name}")["queue"].name for name in ("process", "sweep", "count_part")}
    assert set(queues.values()) == {"celery"}
    long = ("estimate", "export", "cross", "regress", "count_subgroups", "rake", "post")
    queues = {name: route({}, f"worker.tasks.{name}")["queue"].name for name in long}
    assert set(queues.values()) == {"estimates"}
