"""Reports that arrive at the same moment share one statement: each is stored or not as if it had come alone."""

import os
import random
import threading
import uuid

import psycopg
import pytest
from django.db import connection, connections

from surveys.intake import recording
from surveys.intake.recording import Row
from surveys.models import Report, Survey
from tests.factories import open_survey

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def rows(survey, count, packed=b"\x00\x01"):
    return [Row(uuid.uuid4(), survey.pk, packed) for _ in range(count)]


def stored():
    return {(report.id, report.survey_id, bytes(report.packed)) for report in Report.objects.all()}


def test_all_of_a_group_are_stored():
    sent = rows(open_survey(), 40)
    assert recording.insert(sent) == [True] * 40
    assert stored() == set(sent)


def test_of_one_id_in_a_group_the_first_is_stored():
    one, other = rows(open_survey(), 2)
    changed = one._replace(packed=b"\xff\xff")
    assert recording.insert([one, changed, other, one]) == [True, False, True, False]
    assert stored() == {one, other}


def test_an_id_that_comes_for_a_closed_and_for_an_open_survey_is_stored_for_the_open_one():
    closed, running = open_survey(), open_survey()
    closed.close()
    (row,) = rows(closed, 1)
    other = row._replace(survey_id=running.pk)
    assert recording.insert([row, other, row]) == [False, True, False]
    assert stored() == {other}


def test_a_known_id_is_not_stored_again_and_does_not_hold_up_its_group():
    known, new = rows(open_survey(), 2)
    assert recording.insert([known]) == [True]
    assert recording.insert([known._replace(packed=b"\xff\xff"), new]) == [False, True]
    assert stored() == {known, new}


def test_a_group_may_hold_reports_of_open_and_closed_surveys():
    surveys = [open_survey(), open_survey(), Survey.objects.draft(open_survey().draft)]
    surveys[1].close()
    sent = [row for survey in surveys for row in rows(survey, 2)]
    unknown = sent[0]._replace(report_id=uuid.uuid4(), survey_id=10**6)
    assert recording.insert([*sent, unknown]) == [True, True, False, False, False, False, False]
    assert stored() == set(sent[:2])


def test_groups_that_share_ids_never_wait_for_each_other_in_a_circle():
    """Larger groups than ever come, so that they overlap: inserted as they come they deadlock at once."""
    sent = rows(open_survey(), 4000)
    outcomes = []

    def send(seed):
        chance = random.Random(seed)
        try:
            for start in range(0, 4000, 2000):
                outcomes.extend(recording.insert(chance.sample(sent[start : start + 2000], 2000)))
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
    """As when the database has started again since this thread last used it."""
    if connection.vendor == "postgresql":
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])


@pytest.mark.parametrize("closes_after", [None, 10])
def test_a_connection_that_broke_is_replaced(closes_after):
    record = recording.record if closes_after is None else recording.record_and_take
    survey = open_survey(closes_after=closes_after)
    row, later = rows(survey, 2)
    assert record(row)
    break_connection()
    assert record(later)
    break_connection()
    assert not record(row)
    break_connection()
    assert recording.recorded(row)
    assert stored() == {row, later}
    survey.refresh_from_db()
    assert survey.stored == (0 if closes_after is None else 2)


def test_a_break_between_the_insert_and_the_count_of_a_survey_repeats_both(monkeypatch):
    take, breaks = recording._take, [break_connection]

    def broken_once(survey_id):
        if breaks:
            breaks.pop()()
        return take(survey_id)

    monkeypatch.setattr(recording, "_take", broken_once)
    survey = open_survey(closes_after=10)
    (row,) = rows(survey, 1)
    assert recording.record_and_take(row)
    survey.refresh_from_db()
    assert survey.stored == 1 and stored() == {row}


def test_a_statement_that_took_too_long_is_not_repeated(monkeypatch):
    calls = []

    def slow(rows):
        calls.append(rows)
        raise psycopg.errors.QueryCanceled

    connection.ensure_connection()
    with pytest.raises(psycopg.errors.QueryCanceled):
        recording._persistently(slow)([])
    assert len(calls) == 1
