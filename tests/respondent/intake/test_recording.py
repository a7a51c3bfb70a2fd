"""Reports that arrive at the same moment share one statement. Each is stored or not as if it had come alone."""

import os
import random
import threading
import time
import uuid

import psycopg
import pytest
from django.db import connection, connections

from surveys.life.lifecycle import close_survey, create_draft
from surveys.models import Report
from surveys.respondent.intake import reconnection, statements, storage
from surveys.respondent.intake.storage import Outcome, Row
from tests.support.factories import opened_survey

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def rows(survey, count, packed=b"\x00\x01"):
    return [Row(str(uuid.uuid4()), survey.pk, packed) for _ in range(count)]


def stored():
    return {(str(report.id), report.survey_id, bytes(report.packed)) for report in Report.objects.all()}


def insert(sent):
    """Return which of the rows this call recorded."""
    return [outcome is Outcome.RECORDED for outcome in storage.store(sent)]


def test_all_of_a_group_are_stored():
    sent = rows(opened_survey(), 40)
    assert insert(sent) == [True] * 40
    assert stored() == {row[:3] for row in sent}


def test_of_one_id_in_a_group_the_first_is_stored():
    one, other = rows(opened_survey(), 2)
    changed = one._replace(packed=b"\xff\xff")
    assert insert([one, changed, other, one]) == [True, False, True, False]
    assert stored() == {one[:3], other[:3]}


def test_an_id_that_comes_for_a_closed_and_for_an_open_survey_is_stored_for_the_open_one():
    closed, running = opened_survey(), opened_survey()
    close_survey(closed)
    (row,) = rows(closed, 1)
    other = row._replace(survey_id=running.pk)
    assert insert([row, other, row]) == [False, True, False]
    assert stored() == {other[:3]}


def test_a_known_id_is_not_stored_again_and_does_not_hold_up_its_group():
    known, new = rows(opened_survey(), 2)
    assert insert([known]) == [True]
    assert insert([known._replace(packed=b"\xff\xff"), new]) == [False, True]
    assert stored() == {known[:3], new[:3]}


def test_a_group_may_hold_reports_of_open_and_closed_surveys():
    surveys = [opened_survey(), opened_survey(), create_draft(opened_survey().draft)]
    close_survey(surveys[1])
    sent = [row for survey in surveys for row in rows(survey, 2)]
    unknown = sent[0]._replace(report_id=str(uuid.uuid4()), survey_id=10**6)
    assert insert([*sent, unknown]) == [True, True, False, False, False, False, False]
    assert stored() == {row[:3] for row in sent[:2]}


def test_groups_that_share_ids_never_wait_for_each_other_in_a_circle():
    """The groups are larger than real ones, so that they overlap. Inserted in order of arrival they deadlock."""
    sent = rows(opened_survey(), 4000)
    outcomes = []

    def send(seed):
        chance = random.Random(seed)
        try:
            for start in range(0, 4000, 2000):
                outcomes.extend(insert(chance.sample(sent[start : start + 2000], 2000)))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=send, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert (outcomes.count(True), len(outcomes)) == (4000, 16000)
    assert Report.objects.count() == 4000


def break_connection():
    """End the connection, as a restart of the database does."""
    if connection.vendor == "postgresql":
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 60000)", [connection.connection.info.backend_pid])


@pytest.mark.parametrize("closes_after", [None, 20])
def test_a_connection_that_broke_is_replaced(closes_after):
    survey = opened_survey(closes_after=closes_after)
    row, later = (row._replace(limited=closes_after is not None) for row in rows(survey, 2))
    assert storage.store([row]) == [Outcome.RECORDED]
    break_connection()
    assert storage.store([later]) == [Outcome.RECORDED]
    break_connection()
    assert storage.store([row]) == [Outcome.KNOWN]
    break_connection()
    assert storage.recorded([row]) == [True]
    assert stored() == {row[:3], later[:3]}
    survey.refresh_from_db()
    assert survey.stored == (0 if closes_after is None else 2)


def test_a_session_that_a_pooler_hands_over_with_a_statement_takes_reports():
    survey = opened_survey()
    row, later = rows(survey, 2)
    assert storage.store([row]) == [Outcome.RECORDED]
    statements._known.clear()
    assert storage.store([later]) == [Outcome.RECORDED]
    assert storage.store([row, later]) == [Outcome.KNOWN] * 2


def test_a_break_between_the_insert_and_the_count_of_a_survey_repeats_both(monkeypatch):
    stored_by, breaks = storage._stored, [break_connection]

    def broken_once(*arguments):
        stored = stored_by(*arguments)
        if breaks:
            breaks.pop()()
        return stored

    monkeypatch.setattr(storage, "_stored", broken_once)
    survey = opened_survey(closes_after=20)
    (row,) = rows(survey, 1)
    assert storage.store([row._replace(limited=True)]) == [Outcome.RECORDED]
    survey.refresh_from_db()
    assert survey.stored == 1 and stored() == {row[:3]}


def test_a_statement_that_took_too_long_is_not_repeated():
    calls = []

    def slow(rows):
        calls.append(rows)
        raise psycopg.errors.QueryCanceled

    connection.ensure_connection()
    with pytest.raises(psycopg.errors.QueryCanceled):
        reconnection.persistently(slow)([])
    assert len(calls) == 1


def test_a_group_holds_no_more_of_a_survey_than_it_has_room_for():
    survey, other = opened_survey(closes_after=20), opened_survey()
    known, *sent = (row._replace(limited=True) for row in rows(survey, 9))
    assert storage.store_all([row._replace(limited=True) for row in rows(survey, 15)]) == [Outcome.RECORDED] * 15
    free = rows(other, 3)
    assert storage.store_all([known]) == [Outcome.RECORDED]
    outcomes = storage.store_all([sent[0], free[0], known, *sent[1:4], *free[1:], sent[0], *sent[4:]])
    assert [outcomes[k] for k in (1, 6, 7)] == [Outcome.RECORDED] * 3, "of the other survey"
    assert outcomes[2] is Outcome.KNOWN
    assert [outcomes.count(outcome) for outcome in (Outcome.RECORDED, Outcome.CLOSED)] == [
        4 + 3,
        4 + (outcomes[8] is Outcome.CLOSED),
    ]
    survey.refresh_from_db()
    assert (survey.stored, survey.state, Report.objects.filter(survey=survey).count()) == (20, "closed", 20)


def test_the_errors_of_a_group_are_each_members_own():
    first, second = rows(opened_survey(), 2)
    wrong = first._replace(report_id=str(uuid.uuid4()), packed=None)
    outcomes = storage.store_all([first, wrong, second])
    assert outcomes[::2] == [Outcome.RECORDED] * 2 and isinstance(outcomes[1], Exception)
    assert stored() == {first[:3], second[:3]}


def test_a_group_that_took_long_to_fail_is_not_tried_again(monkeypatch):
    calls = []

    def slow(sent):
        calls.append(len(sent))
        time.sleep(0.05)
        raise TimeoutError

    monkeypatch.setattr(storage, "store", slow)
    monkeypatch.setattr(storage, "QUICKLY", 0.01)
    outcomes = storage.store_all(rows(opened_survey(), 5))
    assert calls == [5] and all(isinstance(outcome, TimeoutError) for outcome in outcomes)
