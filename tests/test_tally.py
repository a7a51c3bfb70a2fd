"""Every stored report is counted exactly once, and the published estimates are those of the tally."""

import json
import threading
from datetime import timedelta

import numpy as np
import pytest
from django.db import connection, connections
from django.test import Client
from django.utils import timezone

from ldp.question import summarise
from surveys.models import Estimate, Report, Survey, Tally
from surveys.reports import Layout
from tests.factories import open_survey, report
from worker import tally, tasks
from worker.estimation import IN_FLIGHT, estimate

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def store(survey, seeds, **answers):
    """Reports straight into the table, as the intake writes them."""
    layout, bodies = Layout(survey.frozen), [json.loads(report(survey, seed, **answers)) for seed in seeds]
    Report.objects.bulk_create(
        Report(pk=b["report_id"], survey=survey, packed=layout.pack(b["answers"]), day=timezone.now().date())
        for b in bodies
    )
    return bodies


def totals_by_hand(bodies):
    """The totals straight from the JSON of the reports."""
    values = {key: [body["answers"][key] for body in bodies] for key in ("yes", "which", "many")}
    many = np.array(values["many"])
    return {
        "yes": {"support": [values["yes"].count(0), values["yes"].count(1)]},
        "which": {"support": [sum(int(bits[j]) for bits in values["which"]) for j in range(4)]},
        "many": {"threshold": (many >= 1).sum(axis=0).tolist(), "sum": many.sum(axis=0).tolist()},
    }


def test_the_tally_is_the_sum_over_all_reports():
    survey = open_survey()
    bodies = store(survey, range(300), yes=1, which=2, many=1)
    assert tally.count_new(survey) == 300 and tally.count_new(survey) == 0
    counted = Tally.objects.get(survey=survey)
    assert (counted.n, counted.totals) == (300, totals_by_hand(bodies))


def test_batches_and_surveys_add_up_apart(monkeypatch):
    monkeypatch.setattr(tally, "BATCH", 7)
    one, other = open_survey(), open_survey()
    bodies, others = store(one, range(30)), store(other, range(100, 120))
    while tally.count_new(one):
        pass
    assert Tally.objects.get(survey=one).totals == totals_by_hand(bodies)
    assert Tally.objects.get(survey=other).n == 0
    tally.count_new(other)
    tally.count_new(other)
    tally.count_new(other)
    assert Tally.objects.get(survey=other).totals == totals_by_hand(others)


def test_a_crash_before_the_commit_counts_nothing(monkeypatch):
    survey = open_survey()
    bodies = store(survey, range(20))

    def crash(*args, **kwargs):
        raise RuntimeError("killed")

    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="killed"):
        patch.setattr(Tally, "save", crash)
        tally.count_new(survey)
    assert Report.objects.filter(counted=False).count() == 20
    assert tally.count_new(survey) == 20
    assert Tally.objects.get(survey=survey).totals == totals_by_hand(bodies)


def test_workers_at_the_same_time_count_each_report_once(monkeypatch):
    monkeypatch.setattr(tally, "BATCH", 11)
    survey = open_survey()
    bodies = store(survey, range(400))
    counted = []

    def work():
        try:
            # A worker may see nothing free while others hold the rest, so it looks again until all is counted.
            while Report.objects.filter(counted=False).exists():
                counted.append(tally.count_new(survey))
        finally:
            connections.close_all()

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert sum(counted) == 400
    final = Tally.objects.get(survey=survey)
    assert (final.n, final.totals) == (400, totals_by_hand(bodies))


def test_process_publishes_the_estimates_of_the_tally():
    survey = open_survey(results_public=True)
    store(survey, range(200), yes=1)
    tasks.process(survey.pk)
    document = Client().get(f"/api/v1/surveys/{survey.slug}/estimates").json()
    assert (document["n"], document["digest"], document["provisional"]) == (200, survey.digest, True)
    assert document["alpha_total"] == survey.alpha_total and document["software"].startswith("deniable ")
    totals = Tally.objects.get(survey=survey).totals
    for question, published in zip(survey.questions, document["questions"], strict=True):
        expected = summarise(question, totals[question["key"]], 200, 0.95)
        assert {name: published[name] for name in expected} == json.loads(json.dumps(expected))


def test_sweep_closes_what_is_due_and_starts_what_the_rows_ask_for(monkeypatch):
    started = []
    monkeypatch.setattr(tasks.process, "apply_async", lambda args, **options: started.append(args[0]))
    idle, due, waiting = open_survey(), open_survey(), open_survey()
    type(due).objects.filter(pk=due.pk).update(closes_at=timezone.now())
    store(waiting, range(5))
    tasks.sweep()
    due.refresh_from_db()
    assert due.state == "closed" and due.closed_at is not None
    assert started == [waiting.pk] and idle.pk not in started


def test_estimates_become_final_when_the_survey_is_closed():
    survey = open_survey()
    store(survey, range(5))
    tasks.process(survey.pk)
    assert Estimate.objects.get(survey=survey).provisional
    assert not tasks.unfinished().exists()
    survey.close()
    tasks.process(survey.pk)
    assert Estimate.objects.get(survey=survey).provisional, "a report may still be on its way into the database"
    Survey.objects.update(closed_at=timezone.now() - IN_FLIGHT)
    assert list(tasks.unfinished()) == [survey]
    tasks.process(survey.pk)
    assert not Estimate.objects.get(survey=survey).provisional
    assert not tasks.unfinished().exists()


def test_a_survey_without_reports_has_no_estimate():
    survey = open_survey()
    estimate(survey, timezone.now())
    assert not Estimate.objects.exists()


def test_work_that_another_worker_has_leased_is_left_to_it():
    survey = open_survey()
    store(survey, range(5))
    assert tasks._take_lease(survey.pk) and not tasks._take_lease(survey.pk)
    tasks.process(survey.pk)
    assert Tally.objects.get(survey=survey).n == 0


def test_a_survey_that_kills_workers_is_tried_less_and_less_often():
    survey = open_survey()
    store(survey, range(5))
    waits = []
    for _ in range(14):
        now = timezone.now()
        assert tasks._take_lease(survey.pk)
        waits.append(round((Tally.objects.get(survey=survey).claimable_at - now) / tasks.LEASE))
        Tally.objects.update(claimable_at=now - timedelta(seconds=1))
    assert waits == [2**k for k in range(10)] + [2**9] * 4
    tasks.process(survey.pk)
    row = Tally.objects.get(survey=survey)
    assert (row.n, row.attempts) == (5, 0) and row.claimable_at <= timezone.now()


def test_claiming_uses_the_index_of_what_is_left():
    survey = open_survey()
    store(survey, range(50))
    tally.count_new(survey)
    store(survey, range(50, 55))
    query = "SELECT id FROM surveys_report WHERE survey_id = %s AND NOT counted LIMIT 10"
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {query}", [survey.pk])
        else:
            cursor.execute("SET enable_seqscan = off")
            cursor.execute(f"EXPLAIN {query}", [survey.pk])
        assert "report_uncounted" in str(cursor.fetchall())
