"""Closing at a number, backpressure, keeping ids for retries, and what a start refuses."""

import json
import threading
from datetime import timedelta

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client
from django.utils import timezone

from surveys import durability
from surveys.intake import backlog
from surveys.models import Block, Heartbeat, Report, Survey, Tally
from tests.factories import open_survey, report
from tests.test_tally import store
from worker import tasks
from worker.estimation import IN_FLIGHT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def send(survey, seed):
    url = f"/api/v1/surveys/{survey.slug}/reports"
    return Client().post(url, report(survey, seed), content_type="application/json")


def test_a_survey_closes_at_its_number_and_confirms_retries():
    survey = open_survey(closes_after=3)
    assert [send(survey, seed).status_code for seed in (1, 1, 2, 2, 3)] == [201, 200, 201, 200, 201]
    survey.refresh_from_db()
    assert (survey.state, survey.taken) == ("closed", 3) and survey.closed_at is not None
    assert [send(survey, seed).status_code for seed in (4, 3)] == [410, 200]
    assert Report.objects.count() == 3


def test_a_survey_never_takes_one_too_many_at_the_same_time():
    survey = open_survey(closes_after=25)
    statuses = []

    def respond(seeds):
        try:
            statuses.extend(send(survey, seed).status_code for seed in seeds)
        finally:
            connections.close_all()

    browsers = [threading.Thread(target=respond, args=(range(k, 60, 4),)) for k in range(4)]
    for browser in browsers:
        browser.start()
    for browser in browsers:
        browser.join(60)
    assert (statuses.count(201), statuses.count(410)) == (25, 35)
    assert Report.objects.count() == Survey.objects.get(pk=survey.pk).taken == 25


def test_the_number_is_frozen_at_opening():
    survey = open_survey(closes_after=3)
    with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
        Survey.objects.filter(pk=survey.pk).update(closes_after=4)


@pytest.fixture
def look_again(monkeypatch):
    """Each request looks at the backlog anew."""
    monkeypatch.setattr(backlog, "LOOK_SECONDS", 0.0)
    yield
    backlog._full = False  # what this test saw is not what the next one would see


def test_browsers_are_told_to_wait_while_too_many_reports_wait(settings, look_again):
    settings.BACKLOG_MAX = 5
    survey = open_survey()
    assert [send(survey, seed).status_code for seed in range(5)] == [201] * 5
    refused = send(survey, 5)
    assert (refused.status_code, refused["Retry-After"]) == (429, "30")
    assert refused.json()["type"] == "/problems/backlog"
    tasks.process(survey.pk)
    assert send(survey, 5).status_code == 201


def test_ids_are_kept_until_some_time_after_the_end():
    survey, running = open_survey(), open_survey()
    store(survey, range(20))
    store(running, range(100, 110))
    for each in (survey, running):
        tasks.process(each.pk)
    survey.close()
    tasks.process(survey.pk)
    tasks.purge()
    assert Report.objects.count() == 30
    Survey.objects.filter(pk=survey.pk).update(closed_at=timezone.now() - tasks.KEEP_IDS)
    tasks.purge()
    assert set(Report.objects.values_list("survey", flat=True)) == {running.pk}
    assert Block.objects.get(survey=survey).n == Tally.objects.get(survey=survey).n == 20
    assert send(survey, 5).status_code == 410, "nothing can be counted again after the ids are gone"


def test_numbers_are_final_only_when_no_report_can_be_on_its_way():
    survey = open_survey()
    store(survey, range(5))
    survey.close()
    tasks.process(survey.pk)
    assert survey.estimate.provisional and not tasks.unfinished().exists()
    Survey.objects.filter(pk=survey.pk).update(closed_at=timezone.now() - IN_FLIGHT)
    tasks.process(survey.pk)
    survey.refresh_from_db()
    assert not survey.estimate.provisional


def test_sweeps_leave_a_heartbeat_and_status_reads_it(monkeypatch):
    monkeypatch.setattr(tasks.process, "apply_async", lambda *args, **options: None)
    assert (Client().get("/status").status_code, Client().get("/status").json()["status"]) == (503, "late")
    survey = open_survey()
    tasks.sweep()
    assert Client().get("/status").json() | {"seconds_since_sweep": 0} == {
        "status": "ok",
        "seconds_since_sweep": 0,
        "backlog": 0,
        "seconds_with_backlog": 0.0,
    }
    store(survey, range(3))
    tasks.sweep()
    first = Heartbeat.objects.get()
    tasks.sweep()
    again = Heartbeat.objects.get()
    assert (again.backlog, again.backlog_since) == (3, first.backlog_since)
    Heartbeat.objects.update(backlog_since=timezone.now() - timedelta(hours=1))
    assert Client().get("/status").json()["status"] == "behind"
    Heartbeat.objects.update(swept_at=timezone.now() - timedelta(hours=1))
    assert Client().get("/status").json()["status"] == "late"


def serious(messages):
    return [message for message in messages if message.is_serious()]


# What is refused ------------------------------------------------------------------------------------------------------


def test_a_connection_that_acknowledges_before_the_disk_is_refused():
    volatile = "PRAGMA synchronous = NORMAL" if connection.vendor == "sqlite" else "SET synchronous_commit = off"
    with connection.cursor() as cursor:
        cursor.execute(volatile)
    try:
        assert [message.id for message in run_checks(databases=["default"]) if message.is_serious()] == [
            "deniable.E001"
        ]
        with pytest.raises(ImproperlyConfigured, match="synchronous"):
            durability.refuse_volatile(connection)
    finally:
        connection.close()
    connection.ensure_connection()
    assert not serious(run_checks(databases=["default"]))


def test_a_machine_with_another_key_moves_nothing_and_takes_no_retry_for_a_strangers_report(settings):
    moved, waiting = open_survey(), open_survey()
    for seed in range(3):
        assert send(moved, seed).status_code == 201
    moved.close()
    tasks.process(moved.pk)
    assert Block.objects.count() == 1 and not serious(run_checks(databases=["default"]))

    settings.SECRET_KEY = "another" * 10
    assert [message.id for message in serious(run_checks(databases=["default"]))] == ["deniable.E004"]
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        send(moved, 0)
    store(waiting, range(100, 103))
    waiting.close()
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        tasks.process(waiting.pk)
    assert Tally.objects.get(survey=waiting).n == 3 and Block.objects.count() == 1, "counted, and not moved"


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("CELERY_TASK_ACKS_LATE", False, "deniable.E002"),
        ("CELERY_TASK_REJECT_ON_WORKER_LOST", False, "deniable.E002"),
        ("CELERY_WORKER_PREFETCH_MULTIPLIER", 4, "deniable.E002"),
        ("CELERY_TASK_TIME_LIMIT", 3600, "deniable.E003"),
        ("CELERY_BROKER_TRANSPORT_OPTIONS", {}, "deniable.E003"),
    ],
)
def test_a_careless_worker_is_refused(settings, name, value, found):
    setattr(settings, name, value)
    assert [message.id for message in serious(run_checks())] == [found]


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("DEBUG", True, "deniable.E101"),
        ("SITE_URL", "http://example.org", "deniable.E102"),
        ("WEB_PROCESSES", 4, "deniable.E103"),
    ],
)
def test_an_unsafe_public_site_is_refused(settings, name, value, found):
    settings.SITE_URL = "https://example.org"
    settings.WEB_PROCESSES = 1
    setattr(settings, name, value)
    ours = [message for message in run_checks(include_deployment_checks=True) if message.id.startswith("deniable.")]
    allowed = found == "deniable.E103" and connection.vendor != "sqlite"
    assert [message.id for message in ours] == ([] if allowed else [found])
    assert all(message.hint for message in ours)


def test_the_problem_of_a_full_backlog_names_no_report(settings, look_again):
    settings.BACKLOG_MAX = 1
    survey = open_survey()
    send(survey, 1)
    refused = send(survey, 2)
    assert refused.status_code == 429
    assert json.loads(report(survey, 2))["report_id"] not in refused.content.decode()


def test_figures_are_for_whoever_has_the_token(settings, monkeypatch):
    monkeypatch.setattr(tasks.process, "apply_async", lambda *args, **options: None)
    survey = open_survey()
    store(survey, range(4))
    tasks.sweep()
    tasks.process(survey.pk)
    assert Client().get("/metrics").status_code == 404
    settings.METRICS_TOKEN = "secret"
    assert Client().get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 404
    text = Client().get("/metrics", headers={"Authorization": "Bearer secret"}).content.decode()
    assert "deniable_reports_counted_total 4.0" in text
    assert 'deniable_surveys{state="open"} 1.0' in text
    assert "deniable_backlog_reports 4.0" in text and "deniable_sweep_age_seconds" in text
    assert survey.slug not in text
