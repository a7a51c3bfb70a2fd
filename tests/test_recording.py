"""Reports that arrive at the same moment share one statement: each is stored or not as if it had come alone."""

import random
import threading
import uuid

import pytest
from django.db import connection, connections
from django.db.utils import OperationalError

from surveys.intake import recording
from surveys.intake.recording import Row
from surveys.models import Report, Survey
from tests.factories import open_survey

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def rows(survey, count, packed=b"\x00\x01"):
    return [Row(uuid.uuid4(), survey.pk, packed) for _ in range(count)]


def stored():
    return {(report.pk, report.survey_id, bytes(report.packed)) for report in Report.objects.all()}


def test_all_of_a_group_are_stored():
    sent = rows(open_survey(), 40)
    assert recording.insert(sent) == [True] * 40
    assert stored() == set(sent)


def test_of_one_id_in_a_group_the_first_is_stored():
    one, other = rows(open_survey(), 2)
    changed = one._replace(packed=b"\xff\xff")
    assert recording.insert([one, changed, other, one]) == [True, False, True, False]
    assert stored() == {one, other}


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


def test_a_connection_that_broke_is_replaced():
    row, later = rows(open_survey(), 2)
    assert recording.record(row)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor, pytest.raises(OperationalError):
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    assert recording.record(later)
    assert stored() == {row, later}
