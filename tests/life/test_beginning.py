"""A survey that begins at a date takes no report before it and every report after it."""

import json
import threading
import time
import uuid
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connections
from django.test import Client
from django.utils import timezone

from surveys.life import actions
from surveys.life.lifecycle import close_survey, create_draft
from surveys.models import Report, Survey
from surveys.respondent.intake import storage
from surveys.respondent.intake.storage import Outcome, Row
from tests.life.test_opening import opened_by_two
from tests.support.factories import DRAFT, opened_survey, report

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database,
]
HOUR = timedelta(hours=1)


def post(survey, seed=1):
    body = report(survey, seed).encode()
    return Client().post(f"/api/v1/surveys/{survey.slug}/reports", body, "application/json")


@pytest.mark.parametrize("closes_after", [None, 20])
def test_a_report_before_the_beginning_is_refused_by_name_and_not_kept(closes_after):
    survey = opened_survey(opens_at=timezone.now() + HOUR, closes_after=closes_after)
    assert not survey.accepts_reports and survey.begins_later
    answer = post(survey)
    assert (answer.status_code, answer.headers["Content-Type"]) == (409, "application/problem+json")
    assert json.loads(answer.content)["type"] == "/problems/not-begun"
    assert not Report.objects.exists() and Survey.objects.get().stored == 0


@pytest.mark.parametrize("closes_after", [None, 20])
def test_from_the_beginning_on_the_same_report_is_stored(closes_after):
    survey = opened_survey(opens_at=timezone.now() + HOUR, closes_after=closes_after)
    assert post(survey).status_code == 409
    Survey.objects.update(opens_at=timezone.now() - timedelta(microseconds=1))
    assert [post(survey).status_code for _ in range(2)] == [201, 200]
    assert Survey.objects.get().accepts_reports and not Survey.objects.get().begins_later


def asked(survey):
    """Return the answer to the respondents' page."""
    return Client().get("/respond/definition", headers={"survey-link": survey.slug})


def test_the_page_is_told_when_the_survey_begins():
    survey = opened_survey(opens_at=datetime(2099, 3, 1, 9, 30, tzinfo=UTC))
    told = asked(survey)
    assert (told["Survey-State"], told["Survey-Begins"]) == ("early", "2099-03-01T09:30:00+00:00")
    Survey.objects.update(opens_at=timezone.now())
    assert asked(survey)["Survey-State"] == "open" and "Survey-Begins" not in asked(survey).headers


def test_one_that_was_closed_before_it_began_is_closed():
    survey = opened_survey(opens_at=timezone.now() + HOUR)
    assert close_survey(survey)
    assert post(survey).status_code == 410
    assert asked(survey)["Survey-State"] == "closed"


def test_of_a_group_each_row_has_the_fate_of_its_own_survey():
    early, running, closed = opened_survey(opens_at=timezone.now() + HOUR), opened_survey(), opened_survey()
    close_survey(closed)
    rows = [Row(str(uuid.uuid4()), survey.pk, b"\x00\x01") for survey in (early, running, closed, early)]
    rows.append(Row(str(uuid.uuid4()), 10**6, b"\x00\x01"))
    fates = [Outcome.EARLY, Outcome.RECORDED, Outcome.CLOSED, Outcome.EARLY, Outcome.GONE]
    assert storage.store_all(rows) == fates


@pytest.mark.parametrize("closes_after", [None, 1000])
def test_reports_that_come_while_the_moment_passes_are_early_or_stored_and_never_lost(closes_after):
    """Four senders try again and again until their report is taken. The moment is set after one report was early."""
    survey = opened_survey(opens_at=timezone.now() + HOUR, closes_after=closes_after)
    seen, over = [], threading.Event()

    def insist():
        try:
            while not over.is_set():
                row = Row(str(uuid.uuid4()), survey.pk, b"\x00\x01", closes_after is not None)
                before = timezone.now()
                [outcome] = storage.store([row])
                seen.append((before, outcome, timezone.now()))
                if outcome is Outcome.RECORDED:
                    return
        finally:
            connections.close_all()

    threads = [threading.Thread(target=insist) for _ in range(4)]
    for thread in threads:
        thread.start()
    while not seen and any(thread.is_alive() for thread in threads):
        time.sleep(0.01)
    begins = timezone.now() + timedelta(seconds=0.5)
    Survey.objects.update(opens_at=begins)
    known = max(begins, timezone.now())
    for thread in threads:
        thread.join(60)
    over.set()
    assert {outcome for _, outcome, _ in seen} == {Outcome.EARLY, Outcome.RECORDED}
    assert all(before < known for before, outcome, _ in seen if outcome is Outcome.EARLY)
    assert all(after >= begins for _, outcome, after in seen if outcome is Outcome.RECORDED)
    assert Report.objects.count() == 4


def test_the_beginning_can_be_moved_until_it_has_come(django_user_model):
    ada = django_user_model.objects.create_user("ada")
    survey = opened_survey(opens_at=timezone.now() + HOUR)
    assert actions.set_opening_time(survey, ada, timezone.now() + 2 * HOUR) and survey.begins_later
    assert actions.set_opening_time(survey, ada, None) and survey.accepts_reports
    assert not actions.set_opening_time(survey, ada, timezone.now() + HOUR), "whoever has answered cannot be sent away"


def test_of_two_that_open_a_survey_with_a_date_at_once_one_does():
    begins = timezone.now() + HOUR
    survey = create_draft(DRAFT, opens_at=begins)
    assert opened_by_two(survey) == 1
    assert Survey.objects.get().opens_at == begins
