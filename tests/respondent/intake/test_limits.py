"""Closing at a number, backpressure, ids kept for retries, and the refusals of a start."""

import json
import threading

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client
from django.utils import timezone

from surveys.life.lifecycle import close_survey
from surveys.models import Block, Report, ReportId, Survey, Tally
from surveys.operation import checks, durability
from tests.support.factories import opened_survey, report
from tests.worker.test_batches import store
from worker import tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def send(survey, seed):
    url = f"/api/v1/surveys/{survey.slug}/reports"
    return Client().post(url, report(survey, seed), content_type="application/json")


def test_a_survey_closes_at_its_number_and_confirms_retries():
    survey = opened_survey(closes_after=20)
    assert [send(survey, seed).status_code for seed in (1, 1, 2, 2)] == [201, 200, 201, 200]
    assert [send(survey, seed).status_code for seed in range(3, 21)] == [201] * 18
    survey.refresh_from_db()
    assert (survey.state, survey.stored) == ("closed", 20) and survey.closed_at is not None
    assert [send(survey, seed).status_code for seed in (21, 20)] == [410, 200]
    assert Report.objects.count() == 20


def test_a_survey_never_takes_one_too_many_at_the_same_time():
    survey = opened_survey(closes_after=25)
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
    assert Report.objects.count() == Survey.objects.get(pk=survey.pk).stored == 25


def test_the_number_is_frozen_at_opening():
    survey = opened_survey(closes_after=30)
    with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
        Survey.objects.filter(pk=survey.pk).update(closes_after=40)


def test_browsers_are_told_to_wait_while_too_many_reports_wait(settings):
    settings.BACKLOG_MAX = 5
    survey = opened_survey()
    assert [send(survey, seed).status_code for seed in range(5)] == [201] * 5
    refused = send(survey, 5)
    assert (refused.status_code, refused["Retry-After"]) == (429, "30")
    assert refused.json()["type"] == "/problems/backlog"
    assert send(opened_survey(), 5).status_code == 201, "another survey's are taken"
    Survey.objects.update(state="closed")
    tasks.process(survey.pk)
    survey = opened_survey()
    assert send(survey, 5).status_code == 201


def test_ids_are_kept_until_some_time_after_the_end():
    survey, running = opened_survey(), opened_survey()
    store(survey, range(20))
    store(running, range(100, 210))
    close_survey(survey)
    for each in (survey, running):
        tasks.process(each.pk)
    tasks.purge()
    assert ReportId.objects.count() == 130
    Survey.objects.filter(pk=survey.pk).update(closed_at=timezone.now() - tasks.KEEP_IDS)
    tasks.purge()
    assert set(ReportId.objects.values_list("survey", flat=True)) == {running.pk}
    assert Block.objects.get(survey=survey).n == Tally.objects.get(survey=survey).n == 20
    assert send(survey, 5).status_code == 410, "nothing can be counted again after the ids are gone"


def serious(messages):
    """Return the serious messages, except Django's on the tests' mark for unknown template variables."""
    return [message for message in messages if message.is_serious() and message.id != "templates.E002"]


# Refusals -------------------------------------------------------------------------------------------------------------


def test_a_connection_that_acknowledges_before_the_disk_is_refused():
    volatile = "PRAGMA synchronous = NORMAL" if connection.vendor == "sqlite" else "SET synchronous_commit = off"
    with connection.cursor() as cursor:
        cursor.execute(volatile)
    try:
        assert [message.id for message in serious(run_checks(databases=["default"]))] == ["deniable.E001"]
        with pytest.raises(ImproperlyConfigured, match="synchronous"):
            durability.refuse_volatile(connection)
    finally:
        connection.close()
    connection.ensure_connection()
    assert not serious(run_checks(databases=["default"]))


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("CELERY_TASK_ACKS_LATE", False, "deniable.E002"),
        ("CELERY_TASK_REJECT_ON_WORKER_LOST", False, "deniable.E002"),
        ("CELERY_WORKER_PREFETCH_MULTIPLIER", 4, "deniable.E002"),
        ("CELERY_TASK_TIME_LIMIT", 3600, "deniable.E003"),
        ("CELERY_BROKER_TRANSPORT_OPTIONS", {}, "deniable.E003"),
        ("RELEASE_LEAST", 9, "deniable.E004"),
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
        ("INTAKE_PROCESSES", 4, "deniable.E103"),
        ("BATCH", 99, "deniable.E104"),
        ("STAFF_HOST", None, "deniable.E105"),
    ],
)
def test_an_unsafe_public_site_is_refused(settings, name, value, found):
    settings.SITE_URL, settings.STAFF_HOST = "https://example.org", "staff.example.org"
    settings.INTAKE_PROCESSES = 1
    settings.SITE_OPERATOR = settings.SITE_CONTACT = settings.SITE_NOTICE = "given"
    setattr(settings, name, value)
    ours = [message for message in run_checks(include_deployment_checks=True) if message.id.startswith("deniable.")]
    ours = [message for message in ours if message.id != "deniable.W108"]  # the project's owner writes it
    allowed = found == "deniable.E103" and connection.vendor != "sqlite"
    assert [message.id for message in ours] == ([] if allowed else [found])
    assert all(message.hint for message in ours)


def test_more_connections_than_the_database_takes_are_warned_of(settings):
    settings.WEB_PROCESSES, settings.WEB_THREADS = 1, 16
    few = checks.enough_connections(["default"])
    settings.WEB_PROCESSES = 16
    many = checks.enough_connections(["default"])
    if connection.vendor == "sqlite":
        assert few == many == []
    else:
        assert few == [] and [warning.id for warning in many] == ["deniable.W107"]
        assert f" {16 * 17 + 4 * settings.INTAKE_PROCESSES + 6} connections" in many[0].msg


def test_the_problem_of_a_full_backlog_names_no_report(settings):
    settings.BACKLOG_MAX = 1
    survey = opened_survey()
    send(survey, 1)
    refused = send(survey, 2)
    assert refused.status_code == 429
    assert json.loads(report(survey, 2))["report_id"] not in refused.content.decode()
