"""The sweep starts the tasks that the rows call for, and leaves a heartbeat."""

import pytest
from django.test import Client
from django.utils import timezone

from surveys.models import Release, Report, Survey, Tally
from surveys.operation import heartbeat
from tests.support.estimates import collect
from tests.support.factories import opened_survey
from tests.worker.test_batches import store
from worker import tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def test_a_sweep_closes_what_is_due_and_starts_what_the_rows_ask_for(started):
    idle, due, waiting, few = (opened_survey() for _ in range(4))
    Survey.objects.filter(pk=due.pk).update(closes_at=timezone.now())
    store(due, range(20))
    store(waiting, range(100, 205))
    store(few, range(300, 399))
    tasks.sweep()
    due.refresh_from_db()
    assert due.state == "closed" and due.closed_at is not None
    assert sorted(started["process"]) == [due.pk, waiting.pk] and idle.pk not in started["process"]
    tasks.process(due.pk)
    tasks.sweep()
    assert started["estimate"] == [Release.objects.get(survey=due).pk]


@pytest.mark.slow
def test_work_that_keeps_failing_is_tried_less_and_less_often(started, monkeypatch):
    survey = opened_survey()
    store(survey, range(100))
    with monkeypatch.context() as broken:
        broken.setattr(tasks, "take", lambda survey: 1 / 0)
        for _ in range(100):
            tasks.sweep()
            for pk in started["process"][tried(survey) :]:
                with pytest.raises(ZeroDivisionError):
                    tasks.process(pk)
    # The k-th try comes after about 2^k sweeps: 100 sweeps make about 6. Fewer than 3 or more than 12 come less than
    # once in a million runs.
    assert 3 <= len(started["process"]) <= 12
    assert tried(survey) == len(started["process"])
    tasks.process(survey.pk)
    assert tried(survey) == 0


def test_what_a_busy_worker_drops_is_not_tried_less_often(started):
    survey = opened_survey()
    store(survey, range(100))
    for _ in range(30):
        tasks.sweep()
    assert started["process"] == [survey.pk] * 30 and tried(survey) == 0


def test_what_was_taken_before_a_crash_is_released_without_another_batch(started, monkeypatch):
    survey = opened_survey()
    store(survey, range(205))
    with monkeypatch.context() as crash:
        crash.setattr(tasks, "release", lambda survey, day: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            tasks.process(survey.pk)
    assert not Report.objects.exists() and not Release.objects.exists()
    for _ in range(40):  # one sweep of two sends it
        tasks.sweep()
    assert set(started["process"]) == {survey.pk}
    tasks.process(survey.pk)
    assert Release.objects.get().n == 105
    started["process"].clear()
    tasks.sweep()
    assert started["process"] == []


def tried(survey):
    """Return the number of tries that have failed."""
    return Tally.objects.get(survey=survey).attempts


def test_sweeps_leave_a_heartbeat_and_status_reads_it(started, monkeypatch):
    assert (Client().get("/status").status_code, Client().get("/status").json()) == (503, {"status": "late"})
    survey = opened_survey()
    tasks.sweep()
    assert (Client().get("/status").status_code, Client().get("/status").json()) == (200, {"status": "ok"})
    store(survey, range(100))
    tasks.sweep()
    assert Client().get("/status").json() == {"status": "ok"}
    monkeypatch.setattr(heartbeat, "BEHIND_SECONDS", 0)
    assert Client().get("/status").json() == {"status": "behind"}
    tasks.process(survey.pk)
    tasks.sweep()
    assert Client().get("/status").json() == {"status": "ok"}


def test_a_heartbeat_that_does_not_end_since_the_clock_was_set_back_is_late(started):
    tasks.sweep()
    heartbeat._redis().set("deniable:alive", heartbeat._now() + 86400)
    assert Client().get("/status").json() == {"status": "late"}


def test_a_broker_that_does_not_answer_is_late(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert Client().get("/status").json() == {"status": "late"}


def test_numbers_are_for_anyone_who_has_the_token_and_follow_releases(settings, started):
    survey = opened_survey()
    collect(survey, 270)
    store(survey, range(5000, 5050))
    tasks.sweep()
    assert Client().get("/metrics").status_code == 404
    settings.METRICS_TOKEN = "secret"
    assert Client().get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 404
    text = Client().get("/metrics", headers={"Authorization": "Bearer secret"}).content.decode()
    assert "deniable_reports_released 170.0" in text
    assert 'deniable_surveys{state="open"} 1.0' in text and 'deniable_status{status="ok"} 1.0' in text
    assert survey.slug not in text and "320" not in text
