"""What is published changes from release to release only, and by a batch at least (P11)."""

import datetime
import json
import threading
import time
from itertools import pairwise

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client
from django.utils import timezone

from ldp.results import results
from surveys.lifecycle import close_survey
from surveys.models import Block, Release, Report, Survey, Taken, Tally
from surveys.operation import heartbeat
from tests.support.estimated import document_of, work
from tests.support.factories import opened_survey
from tests.worker.test_batches import store, totals_by_hand
from worker import batches, blocks, recount, releasing, tasks, traces

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
DAY = datetime.date(2030, 1, 31)


def collect(survey, *numbers):
    """So many more reports each time, and what the workers do after each."""
    for n in numbers:
        start = 10_000 * survey.pk + Taken.objects.count() + Report.objects.count()
        store(survey, range(start, start + n))
        work(survey)


def released(survey):
    return list(Release.objects.filter(survey=survey).order_by("number").values_list("number", "n", "final"))


# When -----------------------------------------------------------------------------------------------------------------


def test_the_first_release_comes_when_a_batch_is_there_beside_the_one_held_back():
    survey = opened_survey()
    collect(survey, 199)
    assert released(survey) == []
    collect(survey, 101)
    assert released(survey) == [(1, 200, False)]


def test_a_release_holds_a_batch_and_a_twentieth_more_than_the_one_before():
    survey = opened_survey()
    collect(survey, 4100, 100, 100, 100)
    assert released(survey) == [(1, 4000, False), (2, 4200, False)]


def test_the_last_release_differs_by_a_batch_however_few_came_at_the_end():
    survey = opened_survey()
    collect(survey, 300, 1)
    close_survey(survey)
    work(survey)
    assert released(survey) == [(1, 200, False), (2, 301, True)]


def test_a_small_survey_has_one_release_at_its_end():
    survey = opened_survey()
    collect(survey, 3)
    assert released(survey) == []
    close_survey(survey)
    work(survey)
    assert released(survey) == [(1, 3, True)]
    work(survey)
    assert released(survey) == [(1, 3, True)] and not tasks.unfinished().exists()


def test_a_survey_without_reports_has_no_release_and_no_work():
    survey = opened_survey()
    close_survey(survey)
    assert not tasks.unfinished().exists()
    work(survey)
    assert released(survey) == []


def test_nothing_is_final_while_a_report_waits():
    survey = opened_survey()
    store(survey, range(5))
    close_survey(survey)
    assert releasing.release(survey, DAY) is None


@pytest.mark.slow
def test_two_looks_differ_by_no_report_or_by_a_batch():
    survey = opened_survey(results_public=True)
    looks = []
    for _ in range(60):
        collect(survey, 17)
        answer = Client().get(f"/api/v1/surveys/{survey.slug}/estimates")
        looks.append(answer.json()["n"] if answer.status_code == 200 else 0)
    close_survey(survey)
    work(survey)
    looks.append(document_of(survey)["n"])
    steps = {later - earlier for earlier, later in pairwise(looks)}
    assert looks[-1] == 60 * 17 and len(steps) > 2 and all(step == 0 or step >= 100 for step in steps)


# What -----------------------------------------------------------------------------------------------------------------


def test_a_release_is_the_estimate_of_its_totals():
    survey = opened_survey()
    bodies = store(survey, range(150), yes=1)
    close_survey(survey)
    work(survey)
    release, document = Release.objects.get(), document_of(survey)
    assert release.totals == totals_by_hand(bodies) and release.day == timezone.now().date()
    assert release.digest == releasing.totals_digest(150, totals_by_hand(bodies)) == document["totals_digest"]
    assert (document["release"], document["n"], document["final"], document["digest"]) == (1, 150, True, survey.digest)
    assert document["date"] == release.day.isoformat() and document["alpha_total"] == survey.alpha_total
    for question, published in zip(survey.questions, document["questions"], strict=True):
        [expected] = results(question, release.totals[question["key"]], 150, 0.95)
        assert {name: published[name] for name in expected} == json.loads(json.dumps(expected))


def test_no_release_ever_changes():
    survey = opened_survey()
    collect(survey, 300)
    for change in ({"n": 7}, {"document": {}}, {"day": DAY}, {"final": True}, {"totals": {}}):
        with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
            Release.objects.update(**change)


def test_estimates_are_computed_once():
    survey = opened_survey()
    collect(survey, 300)
    release = Release.objects.get()
    tasks.estimate(release.pk)
    assert (Release.objects.get().document, Release.objects.get().attempts) == (release.document, 1)


def test_old_releases_stay_at_their_own_addresses():
    survey = opened_survey(results_public=True)
    collect(survey, 300)
    first = Client().get(f"/r/{survey.slug}/1/").content
    api = f"/api/v1/surveys/{survey.slug}"
    old = Client().get(f"{api}/releases/1/estimates").content
    assert Client().get(f"{api}/estimates").content == old
    collect(survey, 300)
    assert Client().get(f"{api}/releases/1/estimates").content == old != Client().get(f"{api}/estimates").content
    assert Client().get(f"{api}/releases/1/estimates.csv").status_code == 200
    assert b"release 1 of" in first and b"release 2 of" in Client().get(f"/r/{survey.slug}/").content
    assert Client().get(f"/r/{survey.slug}/1/plots/yes-light-wide.svg").status_code == 200
    for unknown in (f"/r/{survey.slug}/3/", f"/r/{survey.slug}/0/", f"{api}/releases/3/estimates"):
        assert Client().get(unknown).status_code == 404


# The end --------------------------------------------------------------------------------------------------------------


def test_the_final_release_waits_for_a_report_that_found_the_survey_open():
    survey = opened_survey()
    store(survey, range(5))
    if connection.vendor != "postgresql":
        close_survey(survey)
        assert releasing.drain(survey)
        return
    inserted, commit = threading.Event(), threading.Event()

    def late():
        try:
            with transaction.atomic():
                store(survey, [99])
                inserted.set()
                commit.wait(30)
        finally:
            connections.close_all()

    thread = threading.Thread(target=late)
    thread.start()
    inserted.wait(30)
    close_survey(survey)
    tasks.process(survey.pk)
    assert released(survey) == [] and not Taken.objects.exists(), "it is still on its way"
    commit.set()
    thread.join(30)
    tasks.process(survey.pk)
    assert released(survey) == [(1, 6, True)]


def test_a_copy_of_a_taken_report_does_not_hold_up_the_end():
    """A retry whose insert waited for the taking of its report, and after which no other report came."""
    survey = opened_survey()
    collect(survey, 300)
    store(survey, range(10_000 * survey.pk, 10_000 * survey.pk + 5))
    close_survey(survey)
    work(survey)
    assert released(survey) == [(1, 200, False), (2, 300, True)]
    assert not Report.objects.exists() and not tasks.unfinished().exists()
    assert Tally.objects.get(survey=survey).traces, "in the files the copies stand beside their ids"


def test_whoever_saw_the_survey_open_releases_nothing_after_its_end(monkeypatch):
    """Between the two batches in which an ended survey's reports are taken: the last release would differ by one."""
    monkeypatch.setattr(batches, "MOST", 300)
    survey = opened_survey()
    store(survey, range(301))
    before = Survey.objects.get(pk=survey.pk)
    close_survey(survey)
    assert batches.take(survey) == 300
    assert releasing.release(before, DAY) is None
    work(survey)
    assert released(survey) == [(1, 301, True)]


# The sweep ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def started(monkeypatch, settings, redis_url):
    """The keys of the tasks that a sweep starts, which are not run."""
    settings.REDIS_URL = redis_url
    heartbeat._redis().flushall()
    keys = {"process": [], "estimate": []}
    for name, own in keys.items():
        monkeypatch.setattr(getattr(tasks, name), "apply_async", lambda args, own=own, **options: own.append(args[0]))
    return keys


def test_a_sweep_closes_what_is_due_and_starts_what_the_rows_ask_for(started):
    idle, due, waiting, few = (opened_survey() for _ in range(4))
    Survey.objects.filter(pk=due.pk).update(closes_at=timezone.now())
    store(due, range(3))
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
def test_work_that_keeps_failing_is_tried_less_and_less_often(started):
    survey = opened_survey()
    store(survey, range(100))
    for _ in range(400):
        tasks.sweep()
    # 2^k sweeps are expected until the k-th try: after 400 about 8. More than 20 come less than once in a million runs.
    assert 4 <= len(started["process"]) <= 20
    assert Tally.objects.get(survey=survey).attempts == len(started["process"])
    tasks.process(survey.pk)
    assert Tally.objects.get(survey=survey).attempts == 0


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


def test_a_broker_that_does_not_answer_is_late(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert Client().get("/status").json() == {"status": "late"}


def test_numbers_are_for_whoever_has_the_token_and_follow_releases(settings, started):
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


# A recount ------------------------------------------------------------------------------------------------------------


def test_a_recount_from_the_blocks_is_the_newest_release():
    survey = opened_survey()
    collect(survey, *[130] * 5)
    request = recount.request(survey)
    collect(survey, 300)  # what comes after the request is not part of it
    for part in recount.missing(request):
        recount.count_part(part.pk)
        recount.count_part(part.pk)  # twice is once
    assert not recount.missing(request).exists() and recount.equal(request)
    assert recount.result(request)[0] == request.release.n == 550


def test_a_recount_finds_a_block_that_changed(capsys):
    survey = opened_survey()
    collect(survey, 350)
    call_command("recount", survey.slug, here=True)
    assert "equals release 1: 250 reports" in capsys.readouterr().out
    block = Block.objects.filter(stage=Block.Stage.RELEASED).first()
    rows = blocks.decode(bytes(block.columns)).copy()
    rows[0, 0] ^= 0x80
    Block.objects.filter(pk=block.pk).update(columns=blocks.encode(rows))
    with pytest.raises(CommandError, match="differs"):
        call_command("recount", survey.slug, here=True)


def test_what_was_not_released_cannot_be_counted_again():
    survey = opened_survey()
    collect(survey, 150)
    assert recount.request(survey) is None
    with pytest.raises(CommandError, match="no release yet"):
        call_command("recount", survey.slug, here=True)


def test_a_recount_of_an_unknown_survey_is_refused():
    with pytest.raises(CommandError, match="No survey"):
        call_command("recount", "unknown", here=True)


def test_a_recount_whose_messages_were_lost_is_sent_again(started, monkeypatch):
    survey = opened_survey()
    collect(survey, 300)
    request, sent = recount.request(survey), []
    monkeypatch.setattr(tasks, "dispatch", lambda again: sent.append(again.pk))
    tasks.sweep()
    assert sent == []
    type(request).objects.update(dispatched_at=request.dispatched_at - tasks.RESEND)
    tasks.sweep()
    assert sent == [request.pk]


# Traces ---------------------------------------------------------------------------------------------------------------


def test_the_traces_of_a_batch_are_removed_and_what_waits_stays():
    survey = opened_survey()
    store(survey, range(100))
    batches.take(survey)
    waiting = store(survey, range(500, 507))
    assert Tally.objects.get(survey=survey).traces
    connections.close_all()  # SQLite's log can be cut when nobody reads
    assert traces.remove() and not Tally.objects.get(survey=survey).traces
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
    assert traces.remove()


def test_traces_that_cannot_be_removed_now_are_removed_later():
    if connection.vendor != "postgresql":
        return  # one writer
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
    started = time.monotonic()
    assert not traces.remove() and Tally.objects.get(survey=survey).traces
    assert time.monotonic() - started < 5, "nobody is kept waiting for long"
    over.set()
    thread.join(30)
    assert traces.remove() and not Tally.objects.get(survey=survey).traces
