"""Every report is counted exactly once and never alone, batch by batch, from its row to a block (P5, P11)."""

import collections
import json
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from django.db import connection, connections
from django.test import Client

from surveys.life.lifecycle import close_survey
from surveys.models import Block, Report, ReportId, Tally
from surveys.respondent.intake import storage
from surveys.survey.definition.layout import Layout, layouts
from tests.support.factories import opened_survey, report
from worker import batches, blocks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def store(survey, seeds, **answers):
    """Store reports straight in the table, as the intake writes them. Return their bodies."""
    each, bodies = layouts(survey.definition), [json.loads(report(survey, seed, **answers)) for seed in seeds]
    of = [(body["report_id"], body.get("form", 0), body["answers"]) for body in bodies]
    Report.objects.bulk_create(
        Report(id=id, survey=survey, form=form, packed=each[form].pack(answers)) for id, form, answers in of
    )
    return bodies


def totals_by_hand(bodies):
    """Return the totals, computed from the JSON of the reports."""
    values = {key: [body["answers"][key] for body in bodies] for key in ("yes", "which", "many")}
    many = np.array(values["many"])
    return {
        "yes": {"support": [values["yes"].count([0]), values["yes"].count([1])]},
        "which": {"support": [sum(int(bits[j]) for bits in values["which"]) for j in range(4)]},
        "many": {"threshold": (many >= 1).sum(axis=0).tolist(), "sum": many.sum(axis=0).tolist()},
    }


def taken(survey):
    """Return n and the totals of all counted reports, held back or not."""
    tally = Tally.objects.get(survey=survey)
    [whole], [held] = tally.tallies, tally.held
    batches.add(whole, held)
    return whole["n"], whole["totals"]


def contents(survey):
    """Return the packed reports in the blocks, with the number of times each occurs."""
    columns = Block.objects.filter(survey=survey).values_list("columns", flat=True)
    return collections.Counter(bytes(row) for block in columns for row in blocks.decode(bytes(block)))


def packed(survey, bodies):
    layout = Layout(survey.definition)
    return collections.Counter(layout.pack(body["answers"]) for body in bodies)


# Taking ---------------------------------------------------------------------------------------------------------------


def test_fewer_than_a_batch_wait():
    survey = opened_survey()
    store(survey, range(99))
    assert batches.take(survey) == 0
    assert Report.objects.count() == 99 and not ReportId.objects.exists() and taken(survey) == (0, {})


def test_a_batch_goes_from_its_rows_into_tally_and_blocks_and_only_ids_stay():
    survey = opened_survey()
    bodies = store(survey, range(300), yes=1, which=2, many=1)
    assert batches.take(survey) == 300 and batches.take(survey) == 0
    assert not Report.objects.exists()
    assert {str(row.id) for row in ReportId.objects.all()} == {body["report_id"] for body in bodies}
    assert taken(survey) == (300, totals_by_hand(bodies))
    assert contents(survey) == packed(survey, bodies)


def test_once_a_survey_has_ended_whatever_waits_is_taken():
    survey = opened_survey()
    bodies = store(survey, range(7))
    close_survey(survey)
    assert batches.take(survey) == 7
    assert taken(survey) == (7, totals_by_hand(bodies))


def test_large_batches_and_surveys_add_up_apart(monkeypatch):
    monkeypatch.setattr(batches, "MOST", 170)
    one, other = opened_survey(), opened_survey(batch=120)
    bodies, others = store(one, range(400)), store(other, range(1000, 1119))
    assert [batches.take(one) for _ in range(3)] == [170, 170, 0], "60 wait for more"
    assert batches.take(other) == 0, "this survey asks for 120"
    others += store(other, [1119])
    assert batches.take(other) == 120
    close_survey(one)
    assert batches.take(one) == 60
    assert taken(one) == (400, totals_by_hand(bodies)) and taken(other) == (120, totals_by_hand(others))


def test_a_batch_of_any_size_is_taken_at_once(monkeypatch):
    monkeypatch.setattr(batches, "MOST", 100)
    survey = opened_survey(batch=250)
    store(survey, range(260))
    assert batches.take(survey) == 250 and Report.objects.count() == 10


def test_a_crash_before_the_commit_takes_nothing(monkeypatch):
    survey = opened_survey()
    bodies = store(survey, range(120))

    def crash(*args, **kwargs):
        raise RuntimeError("killed")

    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="killed"):
        patch.setattr(Tally, "save", crash)
        batches.take(survey)
    assert Report.objects.count() == 120 and not ReportId.objects.exists() and not Block.objects.exists()
    assert batches.take(survey) == 120
    assert taken(survey) == (120, totals_by_hand(bodies))


def test_workers_at_the_same_time_take_each_report_once(monkeypatch):
    monkeypatch.setattr(batches, "MOST", 110)
    survey = opened_survey()
    bodies = store(survey, range(1100))
    numbers = []

    def work():
        try:
            # A worker takes nothing while another is at it, so it looks again until nothing waits.
            while Report.objects.exists():
                numbers.append(batches.take(survey))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        for worker in [pool.submit(work) for _ in range(4)]:
            worker.result()
    assert sum(numbers) == 1100
    assert taken(survey) == (1100, totals_by_hand(bodies))


def test_a_batch_that_another_worker_has_taken_since_it_was_counted_is_none():
    survey = opened_survey()
    store(survey, range(120))
    (form,) = batches._due(survey)
    assert batches.take(survey) == 120
    assert batches._take(survey, form) == 0


def test_a_retry_that_came_back_while_its_report_was_taken_is_counted_once():
    """On PostgreSQL the retry's insert waits for the batch and then finds the row gone; its stored copy is dropped."""
    survey = opened_survey()
    bodies = store(survey, range(150))
    assert batches.take(survey) == 150
    again = store(survey, range(40))
    more = store(survey, range(1000, 1100))
    assert batches.take(survey) == 100
    assert taken(survey) == (250, totals_by_hand(bodies + more))
    assert contents(survey) == packed(survey, bodies + more)
    assert not Report.objects.exists() and ReportId.objects.count() == 250 and len(again) == 40


def test_a_taken_report_that_comes_again_is_known_whatever_it_says():
    survey = opened_survey()
    store(survey, range(100))
    batches.take(survey)
    url = f"/api/v1/surveys/{survey.slug}/reports"
    identity = json.loads(report(survey, 5))["report_id"]
    other = json.loads(report(survey, 6)) | {"report_id": identity}
    for body in (report(survey, 5), json.dumps(other)):
        assert Client().post(url, body, content_type="application/json").status_code == 200
    assert not Report.objects.exists()


def test_reports_that_come_while_others_are_taken_are_each_counted_once():
    """Intake and worker run at full speed on one survey, and every report is sent twice."""
    survey = opened_survey()
    layout = Layout(survey.definition)
    bodies = [json.loads(report(survey, seed)) for seed in range(600)]
    rows = [storage.Row(body["report_id"], survey.pk, layout.pack(body["answers"])) for body in bodies]
    over = threading.Event()

    def send():
        try:
            for k in range(0, 600, 3):
                storage.store(rows[k : k + 3])
                storage.store(rows[max(k - 6, 0) : k + 3])
        finally:
            connections.close_all()

    def work():
        try:
            while not over.is_set():
                batches.take(survey)
        finally:
            connections.close_all()

    sender, worker = threading.Thread(target=send), threading.Thread(target=work)
    worker.start()
    sender.start()
    sender.join(60)
    over.set()
    worker.join(60)
    close_survey(survey)
    while batches.take(survey):
        pass
    assert not Report.objects.exists()
    assert taken(survey) == (600, totals_by_hand(bodies))
    assert contents(survey) == packed(survey, bodies)


# Holding back ---------------------------------------------------------------------------------------------------------


def test_a_full_batch_is_held_back_until_the_next_is_full():
    survey = opened_survey()
    for seeds, free, held in ((range(230), 130, 100), (range(300, 420), 250, 100)):
        store(survey, seeds)
        batches.take(survey)
        tally = Tally.objects.get(survey=survey)
        assert (tally.n, tally.held_n) == (free, held)
    stages = {stage: sum(Block.objects.filter(stage=stage).values_list("n", flat=True)) for stage in Block.Stage}
    assert stages == {"held": 100, "ready": 250, "released": 0}


def test_what_is_shown_first_is_at_least_a_batch():
    survey = opened_survey()
    for seeds, free, held in ((range(130), 0, 130), (range(200, 301), 131, 100)):
        store(survey, seeds)
        batches.take(survey)
        tally = Tally.objects.get(survey=survey)
        assert (tally.n, tally.held_n) == (free, held)


def test_at_the_end_nothing_is_held_back():
    survey = opened_survey()
    bodies = store(survey, range(130))
    batches.take(survey)
    bodies += store(survey, range(500, 505))
    close_survey(survey)
    assert batches.take(survey) == 5
    tally = Tally.objects.get(survey=survey)
    assert tally.tallies == [{"n": 135, "totals": totals_by_hand(bodies)}] and tally.held_n == 0


# The order of arrival -------------------------------------------------------------------------------------------------


def test_the_rows_of_the_ids_do_not_tell_in_which_order_their_reports_came():
    survey = opened_survey()
    arrived = [body["report_id"] for body in store(survey, range(200))]
    batches.take(survey)
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM surveys_reportid" + (" ORDER BY ctid" * (connection.vendor == "postgresql")))
        found = [str(_as_uuid(identity)) for (identity,) in cursor.fetchall()]
    assert found == sorted(arrived), "the ids are random, and so is their own order"


def _as_uuid(value):
    return value if isinstance(value, uuid.UUID) else uuid.UUID(hex=value)
