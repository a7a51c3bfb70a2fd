"""A deleted survey leaves only an entry in the log, even if the site and the worker use it at the same moment."""

import threading
import uuid

import pytest
from django.apps import apps
from django.db import connection, connections, transaction
from django.test import Client
from django.utils import timezone

from surveys.life import deletion, versions
from surveys.life.lifecycle import begin_draft, close_survey, open_survey
from surveys.models import (
    AnalysisRun,
    AuditEntry,
    Block,
    Export,
    ExportFile,
    ExportPart,
    Membership,
    Recount,
    Release,
    Report,
    ReportId,
    Survey,
    Tally,
)
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.respondent.intake import replies, storage
from surveys.respondent.intake.front import Front
from surveys.respondent.intake.storage import Outcome, Row
from tests.support.analyses import entered
from tests.support.estimates import released, work
from tests.support.factories import DRAFT, opened_survey, report
from tests.support.intake_request import IntakeRequest
from tests.worker.test_batches import store
from worker import batches, estimation, exports, recount, tasks

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database,
]
STORED = (Survey, Tally, Block, Release, Recount, Report, ReportId, Export, ExportFile, ExportPart, AnalysisRun)


def left():
    return {model.__name__: model.objects.count() for model in STORED if model.objects.exists()}


def beside(act):
    """Run the act in another thread with its own connections."""

    def run():
        try:
            act()
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


# Deleted rows ---------------------------------------------------------------------------------------------------------


def test_an_ended_survey_goes_with_everything_that_is_stored_of_it_and_others_stay(ada):
    kept, survey = released(40), released(60)
    for part in recount.missing(recount.request(survey)):
        recount.count_part(part.pk)
    later = versions.new_version(survey, ada)
    store(survey, range(900, 905))  # copies that a retry brought, which no worker takes
    before = left()
    assert deletion.delete(survey, ada) and not deletion.delete(survey, ada)
    assert before == {"Survey": 3, "Tally": 2, "Block": 2, "Release": 2, "Recount": 1, "Report": 5, "ReportId": 100}
    assert left() == {"Survey": 2, "Tally": 1, "Block": 1, "Release": 1, "ReportId": 40}
    later.refresh_from_db()
    assert later.previous is None and Membership.objects.get().survey == later
    entry = AuditEntry.objects.get(action="deleted")
    assert (entry.username, entry.survey_number, entry.survey_title) == ("ada", survey.pk, "Three kinds")
    assert entry.detail == f"digest {survey.digest}, 60 reports at the last release"
    assert Tally.objects.get(survey=kept).traces, "the worker is asked to remove what the files still tell"


def stored(text):
    """Return the tables that have a row with this text."""
    models = apps.get_models(include_auto_created=True)
    return {model.__name__ for model in models for row in model._base_manager.values() if text in str(row)}


def test_two_logs_alone_still_name_a_deleted_survey_and_neither_has_its_address_or_questions(ada):
    survey = released(60, owner=ada)
    slug, digest = survey.slug, survey.digest
    (some, *_) = ReportId.objects.filter(survey=survey).values_list("id", flat=True)
    assert stored("which") >= stored(slug) == {"Survey", "Release"} and "ReportId" in stored(str(some))
    deletion.delete(survey, ada)
    assert stored(slug) == stored("which") == stored(str(some)) == set()
    assert stored("Three kinds") == {"AuditEntry"} and stored(digest) == {"AuditEntry", "LogEntry"}


def test_a_draft_goes_and_an_open_survey_stays(ada):
    draft, running = begin_draft(ada, DRAFT), opened_survey()
    assert deletion.delete(draft, ada) and not deletion.delete(running, ada)
    assert list(Survey.objects.all()) == [running]
    assert AuditEntry.objects.get(action="deleted").detail == "a draft"


def test_of_a_draft_that_is_opened_and_deleted_at_once_one_action_happens(ada):
    for _ in range(5):
        survey, done = begin_draft(ada, DRAFT), []
        copy = Survey.objects.get(pk=survey.pk)

        def opening(copy=copy, done=done):
            try:
                open_survey(copy)
                done.append("opened")
            except ValueError:
                pass

        thread = beside(opening)
        done += ["deleted"] * deletion.delete(survey, ada)
        thread.join(30)
        assert len(done) == 1
        assert Survey.objects.filter(pk=survey.pk, state="open").exists() == (done == ["opened"])


# The worker -----------------------------------------------------------------------------------------------------------


def test_a_task_for_a_deleted_survey_ends_quietly(ada):
    survey = released(60)
    pending = recount.missing(recount.request(survey)).get().pk
    release = Release.objects.get().pk
    deletion.delete(survey, ada)
    for task, key in ((tasks.process, survey.pk), (tasks.estimate, release), (tasks.count_part, pending)):
        assert task(key) is None
    assert not tasks._count_attempt(survey.pk) and not close_survey(survey)
    tasks.purge()
    assert left() == {}


def asked_for_files(survey):
    return Export.objects.create(release=Release.objects.get(survey=survey), worked_at=timezone.now()).pk


def asked_for_a_crossing(survey):
    return entered(CROSSINGS, Release.objects.get(survey=survey), {"first": "yes", "second": "which"}).pk


def test_crossings_that_were_made_go_too_and_those_that_were_asked_for_are_not_made(ada):
    made, asked = released(40), released(40)
    tasks.analyze(asked_for_a_crossing(made))
    pending = asked_for_a_crossing(asked)
    assert AnalysisRun.objects.filter(document__isnull=False).count() == 1
    assert deletion.delete(made, ada) and deletion.delete(asked, ada)
    tasks.analyze(pending)
    assert left() == {}


def test_files_that_were_made_go_too_and_those_that_were_asked_for_are_not_made(ada):
    made, asked = released(40), released(40)
    tasks.export(asked_for_files(made))
    pending = asked_for_files(asked)
    assert ExportPart.objects.exists()
    assert deletion.delete(made, ada) and deletion.delete(asked, ada)
    tasks.export(pending)
    assert left() == {}


@pytest.mark.parametrize("step", ["_collect", "_progress"])
def test_files_of_a_survey_that_is_deleted_while_they_are_made_are_dropped(ada, step, monkeypatch):
    survey = released(40)
    real = getattr(exports, step)

    def after_the_deletion(*arguments):
        deletion.delete(survey, ada)
        return real(*arguments)

    monkeypatch.setattr(exports, step, after_the_deletion)
    tasks.export(asked_for_files(survey))
    assert left() == {}


@pytest.mark.parametrize("step", ["take", "release", "join"])
def test_a_worker_that_read_the_survey_before_it_was_deleted_brings_nothing_back(ada, step, monkeypatch):
    survey = opened_survey()
    store(survey, range(60))
    close_survey(survey)
    real = getattr(tasks, step)

    def after_the_deletion(*arguments):
        deletion.delete(survey, ada)
        return real(*arguments)

    monkeypatch.setattr(tasks, step, after_the_deletion)
    tasks.process(survey.pk)
    assert left() == {}


def test_estimates_of_a_release_that_was_deleted_meanwhile_are_dropped(ada, monkeypatch):
    survey = opened_survey(closes_at_half_width=0.5)
    store(survey, range(300))
    tasks.process(survey.pk)
    close_survey(survey)
    real = estimation.compose

    def after_the_deletion(release):
        document = real(release)
        assert deletion.delete(survey, ada)
        return document

    monkeypatch.setattr(estimation, "compose", after_the_deletion)
    tasks.estimate(Release.objects.get().pk)
    assert left() == {}


def test_the_deletion_waits_for_a_worker_that_takes_a_batch(ada):
    if connection.vendor != "postgresql":
        return  # SQLite has one writer
    survey = opened_survey()
    store(survey, range(60))
    close_survey(survey)
    taking, go_on = threading.Event(), threading.Event()

    def take():
        with transaction.atomic():
            assert batches.take(survey) == 60
            taking.set()
            go_on.wait(30)

    worker = beside(take)
    taking.wait(30)
    deleting = beside(lambda: deletion.delete(survey, ada))
    deleting.join(0.3)
    assert deleting.is_alive() and Survey.objects.exists()
    go_on.set()
    worker.join(30)
    deleting.join(30)
    assert left() == {}


# The intake -----------------------------------------------------------------------------------------------------------


def headers(body):
    stated = {"content-type": "application/json", "content-length": str(len(body))}
    return {"host": "127.0.0.1", **stated}


@pytest.mark.parametrize("closes_after", [None, 1000])
def test_a_report_for_a_deleted_survey_is_refused_as_for_an_unknown_one(ada, closes_after):
    survey = opened_survey(closes_after=closes_after)
    path, body = f"/api/v1/surveys/{survey.slug}/reports", report(survey, 1).encode()
    known = replies.opened(survey.slug)  # the intake has it in memory
    close_survey(survey)
    assert Client().post(path, body, "application/json").status_code == 410
    deletion.delete(survey, ada)
    row = replies.read(known, body)
    assert storage.store_all([row]) == [Outcome.GONE]
    assert replies.answer(row, Outcome.GONE).status == 404
    assert Client().post(path, body, "application/json").status_code == 404
    for address in ("/respond/definition", f"/r/{survey.slug}/", f"/api/v1/surveys/{survey.slug}/definition"):
        assert Client().get(address, headers={"survey-link": survey.slug}).status_code == 404


def test_the_intake_forgets_what_it_kept_of_a_deleted_survey(ada, settings):
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    survey = opened_survey()
    path, body = f"/api/v1/surveys/{survey.slug}/reports", report(survey, 1).encode()
    front = Remembering(survey.slug)
    close_survey(survey)
    deletion.delete(survey, ada)
    assert IntakeRequest(path, headers(body), body, front).answer[0] == 404
    assert front._surveys == {}


class Remembering(Front):
    """An intake that has the survey in memory."""

    def __init__(self, slug):
        self._known = {slug: replies.opened(slug)}

    def __rsgi_init__(self, loop):
        super().__rsgi_init__(loop)
        self._surveys = self._known
        self._writer._store = self._store_and_leave

    def _store_and_leave(self, rows):
        """Store the rows, and close the thread's connection for the end of the test."""
        try:
            return storage.store_all(rows)
        finally:
            connections.close_all()


def test_a_report_that_found_the_survey_open_and_commits_during_its_deletion_is_refused(ada):
    if connection.vendor != "postgresql":
        return  # SQLite has one writer
    survey = opened_survey()
    row = Row(str(uuid.uuid4()), survey.pk, b"\x00" * 10)
    locked, inserted, outcomes = threading.Event(), threading.Event(), []
    real = storage._stored

    def slowly(rows, closing):
        with transaction.atomic():
            stored = real(rows, closing)
            inserted.set()
            locked.wait(30)
        return stored

    def insert():
        storage._stored = slowly if not inserted.is_set() else real
        try:
            outcomes.extend(storage.store_all([row]))
        finally:
            storage._stored = real

    thread = beside(insert)
    inserted.wait(30)
    storage._stored = real
    close_survey(survey)
    with transaction.atomic():
        assert deletion.delete(survey, ada)
        locked.set()
        thread.join(0.3)
        assert thread.is_alive(), "its commit waits"
    thread.join(30)
    assert outcomes == [Outcome.GONE] and left() == {}


def test_ids_of_a_deleted_survey_hold_up_no_other(ada):
    gone, other = released(20), opened_survey()
    row = Row(str(uuid.uuid4()), gone.pk, b"\x00\x01")
    deletion.delete(gone, ada)
    stays = row._replace(survey_id=other.pk)
    assert storage.store_all([row, stays]) == [Outcome.GONE, Outcome.RECORDED]
    work(other)
    assert str(Report.objects.get().id) == row.report_id and timezone.now() > other.opened_at
