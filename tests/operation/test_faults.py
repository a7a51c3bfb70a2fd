"""An error of a visitor's request is counted with the others of its minute, so no line has the time of a visit."""

import logging
import threading
from contextlib import suppress

import pytest
from celery import Celery
from celery.app.trace import build_tracer
from django.test import Client

from surveys.operation import faults, timers
from surveys.operation.faults import STACKS_MAX, Faults
from surveys.respondent.intake import storage
from surveys.respondent.page import views
from tests.respondent.intake.test_recording import rows
from tests.support.factories import opened_survey


def error_of(place):
    try:
        place()
    except Exception as error:
        return type(error), error, error.__traceback__


def away():
    raise ConnectionError("the row (1, 2, \\x03)")


def elsewhere():
    raise ConnectionError


@pytest.fixture
def lines(caplog):
    caplog.set_level(logging.INFO)
    return lambda: [record.getMessage() for record in caplog.records if record.name == "surveys.faults"]


def test_a_minute_leaves_one_line_with_a_count_and_each_stack_once(lines):
    waits, now = [], [90.0]
    counted = Faults(later=lambda seconds, act: waits.append((seconds, act)), clock=lambda: now[0])
    for count in (1, 40, 1):
        counted.add("Reports could not be stored", error_of(away), count)
    assert lines() == [] and [seconds for seconds, _ in waits] == [30.0], "until the minute is over"
    waits[0][1]()
    (line,) = lines()
    assert line.startswith("Reports could not be stored, 42 in a minute: ConnectionError\n  ") and "away" in line
    assert "row" not in line
    counted.add("Reports could not be stored", error_of(away))
    counted.add("Reports could not be stored", error_of(elsewhere))
    assert len(waits) == 2
    waits[1][1]()
    assert lines()[1] == "Reports could not be stored, 1 in a minute: ConnectionError"
    assert "elsewhere" in lines()[2]


def test_it_is_written_without_anyones_doing(lines, monkeypatch):
    monkeypatch.setattr(faults, "MINUTE", 0.05)
    written = threading.Event()
    counted = Faults(later=lambda seconds, act: timers.later(seconds, lambda: (act(), written.set())))
    counted.add("Page failed", error_of(away))
    assert written.wait(30) and len(lines()) == 1


def test_stacks_are_remembered_up_to_a_bound(lines):
    counted = Faults(later=lambda *_: None)
    counted._written = {str(i) for i in range(STACKS_MAX)}
    counted.add("Page failed", error_of(away))
    counted.write()
    assert lines() == ["Page failed, 1 in a minute: ConnectionError"]


def test_a_task_that_fails_every_second_leaves_one_line_a_minute(lines, caplog):
    app = Celery("failing", broker="memory://", set_as_current=False)
    failing = app.task(away, name="worker.tasks.sweep")
    faults.FAULTS.write()
    for _ in range(3):
        build_tracer("worker.tasks.sweep", failing, app=app)("id", (), {})
    assert not [record for record in caplog.records if record.name == "celery.app.trace"]
    faults.FAULTS.write()
    (line,) = lines()
    assert line.startswith("Task worker.tasks.sweep failed, 3 in a minute: ConnectionError\n  ") and "row" not in line


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_away_leaves_no_line_for_each_try(lines, monkeypatch, caplog):
    faults.FAULTS.write()
    caplog.clear()
    survey = opened_survey()
    monkeypatch.setattr(storage, "_stored", lambda *_: away())
    for seed in range(30):
        (outcome,) = storage.store_all([rows(survey, seed + 1)[-1]])
        assert isinstance(outcome, ConnectionError)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
    faults.FAULTS.write()
    (line,) = lines()
    assert line.startswith("Reports could not be stored, 30 in a minute: ConnectionError\n")


@pytest.mark.django_db
def test_a_page_that_fails_for_a_respondent_is_counted_too(lines, monkeypatch, caplog):
    faults.FAULTS.write()
    caplog.clear()
    slug = opened_survey().slug
    monkeypatch.setattr(views.Survey.objects, "linked", lambda *_: away())
    (handler,) = [h for h in logging.getLogger().handlers if h.filters]
    written = []
    monkeypatch.setattr(handler, "emit", lambda record: written.append(record.getMessage()))
    for _ in range(3):
        with suppress(ConnectionError):
            Client(raise_request_exception=False).get("/respond/definition", headers={"survey-link": slug})
    assert written == []
    faults.FAULTS.write()
    (line,) = written
    assert line.startswith("Page failed, 3 in a minute: ConnectionError") and slug not in line


@pytest.mark.django_db
def test_no_path_that_tells_a_visit_leaves_a_line_however_it_is_written(monkeypatch):
    slug, written = opened_survey().slug, []
    (handler,) = [h for h in logging.getLogger().handlers if h.filters]
    monkeypatch.setattr(handler, "emit", lambda record: written.append(record.getMessage()))
    for path in (
        *("/s/SLUG", "/S/SLUG/", "//s/SLUG/", "/s//SLUG/", "/%73/SLUG/x", "/%2Fs/SLUG", "/s/%23SLUG/x", "/s/SLUG)/x"),
        *("//r/SLUG/", "/r//SLUG/", "/R/SLUG/", "/./r/SLUG/", "/surveys/../r/SLUG/", "/r/SLUG/9/", "/r/x/", "/SLUG"),
        *("/surveys/SLUG/", "/api/v1/surveys/SLUG/nothing", "/API/v1/surveys/SLUG", "/api//v1/surveys/SLUG/reports"),
        *("/check/SLUG", "/respond/SLUG", "/static/respond/SLUG", "/x/s/SLUG"),
        *("/lab/%2e%2e/s/SLUG", "/surveys/%0aSLUG"),
    ):
        status = Client(raise_request_exception=False).get(path.replace("SLUG", slug)).status_code
        assert status in (200, 301, 302, 400, 404)
    assert written == []
    assert Client().get("/surveys/nothing/at-all").status_code == 404
    assert written == ["Not Found: /surveys/nothing/at-all"]
