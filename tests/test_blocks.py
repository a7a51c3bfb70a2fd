"""Blocks hold the tallied reports without their order, near their information content, and a recount is the tally."""

import collections

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from surveys.models import Block, Recount, Report, Tally
from surveys.reports import Layout
from tests.factories import open_survey, report
from tests.test_tally import store
from worker import blocks, moving, recount, tally, tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

GENERATOR = np.random.default_rng(4)


@pytest.fixture
def small(monkeypatch):
    """Blocks of 64 reports."""
    monkeypatch.setattr(blocks, "SIZE", 64)


def _multiset(rows):
    return collections.Counter(bytes(row) for row in rows)


@pytest.mark.parametrize(("n", "width"), [(1, 1), (7, 3), (1000, 15), (300, 33)])
def test_a_block_holds_the_rows_and_forgets_their_order(n, width):
    rows = GENERATOR.integers(0, 256, (n, width), dtype=np.uint8)
    decoded = blocks.decode(blocks.encode(rows, GENERATOR))
    assert _multiset(decoded) == _multiset(rows)
    assert n < 100 or not np.array_equal(decoded, rows)


def test_every_order_is_as_likely():
    rows = np.arange(3, dtype=np.uint8).reshape(3, 1)
    orders = collections.Counter(bytes(blocks.decode(blocks.encode(rows, GENERATOR)).reshape(-1)) for _ in range(6000))
    # Six orders, 1000 each expected; a deviation of 150 is 5.2 standard deviations.
    assert len(orders) == 6 and all(abs(count - 1000) < 150 for count in orders.values())


def test_reports_move_when_a_block_is_full_and_all_move_at_the_end(small):
    survey = open_survey()
    store(survey, range(100))
    tasks.process(survey.pk)
    assert [block.n for block in Block.objects.all()] == [64]
    assert Report.objects.filter(packed__isnull=False).count() == 36
    assert not tasks.unfinished().exists()
    survey.close()
    tasks.process(survey.pk)
    assert [block.n for block in Block.objects.order_by("pk")] == [64, 36]
    assert not Report.objects.filter(packed__isnull=False).exists()
    assert Tally.objects.get(survey=survey).moved == 100


def test_what_is_in_the_blocks_is_what_was_sent(small):
    survey = open_survey()
    bodies = store(survey, range(130))
    survey.close()
    tasks.process(survey.pk)
    layout = Layout(survey.frozen)
    rows = np.concatenate([blocks.decode(bytes(block.columns)) for block in Block.objects.all()])
    assert _multiset(rows) == collections.Counter(layout.pack(body["answers"]) for body in bodies)


def test_a_retry_is_recognised_after_its_report_has_moved(small):
    survey = open_survey()
    store(survey, range(64))
    tasks.process(survey.pk)
    assert Report.objects.get(pk=_id(survey, 5)).packed is None
    url = f"/api/v1/surveys/{survey.slug}/reports"
    assert Client().post(url, report(survey, 5), content_type="application/json").status_code == 200
    other = report(survey, 6).replace(_id(survey, 6), _id(survey, 5))
    assert Client().post(url, other, content_type="application/json").status_code == 409
    assert Report.objects.count() == 64


def _id(survey, seed):
    return report(survey, seed)[14:50]


def test_a_crash_while_moving_moves_nothing(small, monkeypatch):
    survey = open_survey()
    store(survey, range(64))
    tally.count_new(survey)

    def crash(rows):
        raise RuntimeError("killed")

    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="killed"):
        patch.setattr(moving, "_empty", crash)
        moving.move(survey)
    assert not Block.objects.exists() and Report.objects.filter(packed__isnull=False).count() == 64
    assert moving.move(survey) == 64 and moving.move(survey) == 0


def test_a_recount_from_blocks_and_loose_reports_is_the_tally(small):
    survey = open_survey()
    for batch in range(5):
        store(survey, range(100 * batch, 100 * batch + 50))
        tasks.process(survey.pk)
    request = recount.request(survey)
    store(survey, range(900, 950))
    tasks.process(survey.pk)  # what comes after the request is not part of it
    for part in recount.missing(request):
        recount.count_part(part.pk)
        recount.count_part(part.pk)  # twice is once
    assert not recount.missing(request).exists()
    assert recount.equal(request) and recount.result(request)[0] == 250


def test_a_recount_finds_a_single_wrong_integer(small, capsys):
    survey = open_survey()
    store(survey, range(70))
    tasks.process(survey.pk)
    call_command("recount", survey.slug, here=True)
    assert "equals the tally: 70 reports" in capsys.readouterr().out
    wrong = Tally.objects.get(survey=survey)
    wrong.totals["which"]["support"][2] += 1
    wrong.save()
    with pytest.raises(CommandError, match="differs"):
        call_command("recount", survey.slug, here=True)
    assert not Recount.objects.exists()


def test_a_recount_of_an_unknown_survey_is_refused():
    with pytest.raises(CommandError, match="No survey"):
        call_command("recount", "unknown", here=True)


def test_a_recount_whose_messages_were_lost_is_sent_again(small, monkeypatch):
    survey = open_survey()
    store(survey, range(64))
    tasks.process(survey.pk)
    request, sent = recount.request(survey), []
    monkeypatch.setattr(tasks, "dispatch", lambda again: sent.append(again.pk))
    tasks.sweep()
    assert sent == []
    Recount.objects.update(dispatched_at=request.dispatched_at - tasks.RESEND)
    tasks.sweep()
    assert sent == [request.pk]
