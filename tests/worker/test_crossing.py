"""Crossings of a release: exactly its reports, counted once, kept for ever (P11, M17)."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import numpy as np
import pytest
from django.db import connections
from django.utils import timezone

from ldp import read
from ldp.inference import crossed
from ldp.inference.variables import NotCrossed, pair_of, variables
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import AnalysisRun, Block, Release
from surveys.models.jobs import STALE
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from tests.support.analyses import entered
from tests.support.estimates import collect, work
from tests.support.exports import every_pair, exported, store, unpack
from tests.support.factories import opened_survey
from worker import analyses, tasks
from worker.job_expiry import TRIES_MAX

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

GRID = {"key": "grid", "kind": "grid", "text": "?", "items": ["a", "b", "c"], "options": ["x", "y", "z"]}
MANY = {"key": "many", "kind": "multiple_choice", "text": "?", "options": ["p", "q", "r", "s"]}
TWO_DRAWN = {"title": "Pairs", "questions": [GRID | {"alpha": "4", "sample": 2}, MANY | {"alpha": "3", "sample": 3}]}


def asked(survey, first, second):
    """Return the crossing, made by the worker's own function."""
    row = of(Release.objects.latest_of(survey), first, second)
    analyses.make(row.pk)
    row.refresh_from_db()
    return row


def of(release, first, second, **fields):
    return entered(CROSSINGS, release, {"first": first, "second": second}, **fields)


def ended(draft, n):
    survey = create_draft(draft)
    open_survey(survey)
    sent = store(survey, n)
    close_survey(survey)
    work(survey)
    return survey, sent


def by_hand(variable, value):
    """Return the symbols of one report's value, None if the report is not about the variable."""
    question, d = variable.question, len(variable.options)
    name = question["mechanism"]
    if name in ("multiple", "grid", "ranking"):
        value = dict(map(tuple, value)).get(variable.place)
        if value is None:
            return None
        value = value if name == "grid" else 1 - value
    if name in ("randomized_response", "grid"):
        return [int(j in value) for j in range(d)]
    if name == "bitwise":
        return [int(bit) for bit in value]
    return [int(y >= 1) for y in value] if isinstance(value, list) else [int(value == j) for j in range(d)]


def counted(first, second, sent):
    total = np.zeros((1 + len(first.options), 1 + len(second.options)), dtype=int)
    for report in sent:
        one, other = (by_hand(variable, report[variable.question["key"]]) for variable in (first, second))
        if one is not None and other is not None:
            total += np.outer([1, *one], [1, *other])
    return total.tolist()


@pytest.mark.alike
@pytest.mark.slow
@pytest.mark.statistical
def test_the_counts_are_those_of_the_reports_for_every_kind_and_mechanism(tmp_path, nightly):
    """Nightly, each question is crossed with the one before and the one after; daily, with one of them."""
    survey, sent = ended(every_pair(), 130)
    folder = unpack(exported(survey), tmp_path)
    reports = read(folder / "microdata.csv", folder / "codebook.json")
    every = [one for one in variables(survey.questions) if one.place in (None, 1)]
    assert {one.question["mechanism"] for one in every} == {q["mechanism"] for q in survey.questions} - {
        "one_bit", "laplace_mean"
    }  # fmt: skip
    for first, second in itertools.islice(itertools.pairwise([*every, every[0]]), 0, None, 1 if nightly else 2):
        row = asked(survey, first.key, second.key)
        assert row.state == "ready", row.reason
        assert row.document["counts"] == counted(first, second, sent)
        assert row.document == reports.crossing(first.key, second.key)


def test_two_items_of_one_question_are_crossed_over_the_reports_about_both():
    survey, sent = ended(TWO_DRAWN, 120)
    for keys in (("grid.1", "grid.3"), ("many.2", "many.4"), ("grid.2", "many.1")):
        row = asked(survey, *keys)
        pair = pair_of(survey.questions, *keys)
        assert row.state == "ready" and row.document["counts"] == counted(*pair, sent)
        assert 0 < row.document["n_about"] < 120


def test_what_cannot_be_crossed_says_why():
    survey, _ = ended(every_pair(), 20)
    pairs = {
        ("mean_one_bit", "yes_no_randomized_response"): "mean",
        ("grid_grid", "yes_no_randomized_response"): "parts",
        ("yes_no_randomized_response", "nothing"): "unknown",
        ("grid_grid.9", "yes_no_randomized_response"): "unknown",
        ("yes_no_randomized_response.1", "yes_no_bitwise"): "unknown",
        ("yes_no_randomized_response", "yes_no_randomized_response"): "same",
        ("grid_grid.1", "grid_grid.2"): "one drawn",
    }
    for keys, reason in pairs.items():
        with pytest.raises(NotCrossed) as refused:
            pair_of(survey.questions, *keys)
        assert refused.value.reason == reason


def test_only_the_newest_release_is_counted_and_what_was_counted_stays():
    survey = opened_survey()
    collect(survey, 350)
    old = Release.objects.get(survey=survey)
    first, second = [one.key for one in variables(survey.questions)][:2]
    kept = asked(survey, first, second)
    assert kept.state == "ready" and kept.document["n_about"] == old.n
    collect(survey, 400)
    late = of(old, second, first)
    analyses.make(late.pk)
    late.refresh_from_db()
    assert (late.state, late.reason) == ("failed", "superseded") and late.document is None
    newer = asked(survey, first, second)
    assert newer.release.number == 2 and newer.document["n_about"] == newer.release.n
    kept.refresh_from_db()
    assert kept.document["n_about"] == old.n


def test_a_pair_that_no_report_is_about_has_no_crossing():
    long = GRID | {"items": [*"abcdefghijklmnopqrstuvwxyz"], "alpha": "2", "sample": 2}
    survey, _ = ended({"title": "Few reports", "questions": [long]}, 20)
    pairs = (asked(survey, f"grid.{i}", f"grid.{i + 1}") for i in range(1, 16, 2))
    row = next(row for row in pairs if row.state == "failed")
    assert row.reason == "nobody"


def test_a_worker_that_died_is_replaced_and_one_that_works_is_not():
    survey = opened_survey()
    collect(survey, 350)
    release = Release.objects.get(survey=survey)
    first, second = [one.key for one in variables(survey.questions)][:2]
    row = of(release, first, second, state="working", attempts=1)
    analyses.make(row.pk)
    row.refresh_from_db()
    assert row.state == "working" and row.attempts == 1
    AnalysisRun.objects.update(worked_at=timezone.now() - STALE - timedelta(seconds=1))
    analyses.make(row.pk)
    row.refresh_from_db()
    assert row.state == "ready" and row.attempts == 2


def elsewhere(write):
    """Run `write` on another connection, as another worker would."""
    with ThreadPoolExecutor(1) as other:
        other.submit(write).result()
        other.submit(connections.close_all).result()


def test_progress_is_seen_while_blocks_are_read(monkeypatch):
    survey, seen, count = opened_survey(), [], crossed.joint_counts
    collect(survey, 350, 400)
    assert Block.objects.filter(stage=Block.Stage.RELEASED).count() > 1
    monkeypatch.setattr(analyses, "SAID_EVERY", 0.0)

    def look(*arguments):
        elsewhere(lambda: seen.append(AnalysisRun.objects.get().counted))
        return count(*arguments)

    monkeypatch.setattr(crossed, "joint_counts", look)
    row = asked(survey, "yes", "which")
    assert row.state == "ready" and seen[0] == 0 and 0 < seen[1] < row.release.n == row.counted


def test_a_worker_whose_place_was_taken_stops(monkeypatch):
    survey, count = opened_survey(), crossed.joint_counts
    collect(survey, 350)
    monkeypatch.setattr(analyses, "SAID_EVERY", 0.0)

    def look(*arguments):
        elsewhere(lambda: AnalysisRun.objects.update(attempts=7))
        return count(*arguments)

    monkeypatch.setattr(crossed, "joint_counts", look)
    row = asked(survey, "yes", "which")
    assert (row.state, row.attempts, row.counted, row.document) == ("working", 7, 0, None)


def test_what_keeps_failing_is_given_up():
    survey = opened_survey()
    collect(survey, 350)
    release = Release.objects.get(survey=survey)
    row = of(release, "a", "b", attempts=TRIES_MAX)
    analyses.make(row.pk)
    row.refresh_from_db()
    assert (row.state, row.reason) == ("failed", "tried")


def test_a_sweep_asks_for_crossings_that_wait(started, monkeypatch):
    survey, sent = opened_survey(), []
    collect(survey, 350)
    monkeypatch.setattr(tasks.analyze, "apply_async", lambda args, **options: sent.append(args[0]))
    first, second = [one.key for one in variables(survey.questions)][:2]
    row = of(Release.objects.get(survey=survey), first, second)
    tasks.sweep()
    assert sent == [row.pk]
    analyses.make(row.pk)
    tasks.sweep()
    assert sent == [row.pk]
