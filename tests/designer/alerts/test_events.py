"""Each event of a survey is reported once, at full hours, and never because of a single report."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from surveys.designer.alerts import body, events, receivers, signature
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Alert, Delivery, Release, Survey, Tally, Webhook
from surveys.operation import heartbeat
from tests.support.estimates import collect, work
from tests.support.factories import DRAFT, opened_survey
from worker import alerts

pytestmark = [pytest.mark.django_db(transaction=True)]
NOW = datetime(2030, 1, 31, 10, 42, 17, tzinfo=UTC)


def watch(survey):
    """Create a webhook of the survey."""
    return Webhook.objects.create(survey=survey, url="https://example.org/", salt=signature.new_salt(), day=NOW.date())


def told(survey, now=NOW):
    """Return the kinds of the new alerts."""
    before = set(Alert.objects.filter(survey=survey).values_list("pk", flat=True))
    events.notice(survey, now)
    return [each.kind for each in Alert.objects.filter(survey=survey).exclude(pk__in=before).order_by("pk")]


def test_a_life_is_told_step_by_step_and_nothing_twice():
    survey = create_draft(DRAFT)
    watch(survey)
    assert told(survey) == []
    open_survey(survey)
    assert told(survey) == ["survey.opened"] and told(survey) == []
    collect(survey, 199)
    assert told(survey) == [], "reports alone are nothing to tell of"
    collect(survey, 101)
    assert told(survey) == ["survey.first_release"]
    collect(survey, 100, 150)
    assert told(survey) == [] and Release.objects.filter(survey=survey).count() == 3
    close_survey(survey)
    survey.refresh_from_db()
    assert told(survey) == [], "the end is told with its release"
    work(survey)
    assert told(survey) == ["survey.ended"] and told(survey) == []
    assert Delivery.objects.count() == 3


def test_who_polls_alerts_sees_nothing_of_any_report():
    """The alerts are the same before and after each report that makes no release."""
    survey = opened_survey()
    watch(survey)
    seen = []
    for _ in range(12):
        collect(survey, 7)
        seen.append(list(events.facts(survey, NOW)))
    assert all(each == seen[0] for each in seen) and [fact.kind for fact in seen[0]] == ["survey.opened"]


def test_an_alert_says_the_hour_and_no_minute():
    survey = opened_survey()
    watch(survey)
    events.notice(survey, NOW)
    delivery = Delivery.objects.get()
    assert delivery.alert.day == NOW.date()
    assert body.body(delivery)["timestamp"] == "2030-01-31T00:00:00Z"


def test_the_schedule_looks_at_full_hours():
    from worker.celery import app

    entry = app.conf.beat_schedule["notice"]["schedule"]
    assert (entry.minute, len(entry.hour), len(entry.day_of_week)) == ({0}, 24, 7)


def test_a_survey_that_begins_later_has_not_opened():
    survey = opened_survey(opens_at=timezone.now() + timedelta(days=1))
    watch(survey)
    assert told(survey) == []
    Survey.objects.filter(pk=survey.pk).update(opens_at=timezone.now() - timedelta(minutes=1))
    survey.refresh_from_db()
    assert told(survey) == ["survey.opened"]


def test_an_end_with_too_few_reports_is_told_without_a_release():
    survey = opened_survey()
    watch(survey)
    collect(survey, 3)
    close_survey(survey)
    work(survey)
    survey = Survey.objects.get(pk=survey.pk)
    assert told(survey) == ["survey.opened", "survey.ended"]
    assert Alert.objects.get(kind="survey.ended").data == {"release": None, "fewer_than": 20}


def test_a_precision_that_is_reached_is_told_with_its_release():
    survey = opened_survey(closes_at_half_width=0.4)
    watch(survey)
    collect(survey, 3000)
    assert told(survey)[:3] == ["survey.opened", "survey.first_release", "survey.precision_reached"]


def test_what_is_wrong_is_told_once_a_day(monkeypatch):
    survey = opened_survey()
    watch(survey)
    told(survey)
    Tally.objects.filter(survey=survey).update(attempts=3)
    monkeypatch.setattr(heartbeat, "status", lambda: "behind")
    assert told(survey) == 2 * ["survey.trouble"] and told(survey, NOW + timedelta(hours=3)) == []
    assert told(survey, NOW + timedelta(days=1)) == 2 * ["survey.trouble"]


def test_estimates_that_fail_are_told_of():
    survey = opened_survey()
    watch(survey)
    row = {"number": 1, "day": NOW.date(), "final": False, "n": 200, "tallies": [], "digest": "0" * 64}
    Release.objects.create(survey=survey, attempts=3, **row)
    assert told(survey) == ["survey.opened", "survey.trouble"]
    release = {"number": 1, "day": "2030-01-31", "n": 200, "final": False}
    assert Alert.objects.get(kind="survey.trouble").data == {"trouble": "estimates", "release": release}


def test_anyone_who_comes_later_hears_what_comes_later_and_the_others_miss_nothing():
    survey, user = opened_survey(), User.objects.create_user("ada", email="ada@example.org")
    first = watch(survey)
    second, _ = receivers.add_webhook(survey, user, "https://example.org/second")
    assert [each.webhook for each in Delivery.objects.all()] == [first]
    assert Delivery.objects.get().due_at.minute == 0, "and also then at a full hour"
    collect(survey, 300)
    alerts.notice()
    assert Alert.objects.count() == 2
    assert {each.webhook for each in Delivery.objects.filter(alert__kind="survey.first_release")} == {first, second}


def test_a_survey_that_no_one_watches_is_not_looked_at(settings):
    opened_survey()
    alerts.notice()
    assert Alert.objects.count() == 0


def test_what_was_said_stays_when_its_deliveries_are_forgotten():
    survey = opened_survey()
    watch(survey)
    events.notice(survey, NOW)
    Delivery.objects.update(state="sent", day=NOW.date())
    alerts.purge(NOW + timedelta(days=32))
    assert Delivery.objects.count() == 0 and told(survey) == []


def test_with_a_survey_all_of_it_is_deleted():
    from surveys.life.deletion import delete

    user, survey = User.objects.create_user("ada"), create_draft(DRAFT)
    receivers.send_test(watch(survey), user)
    assert delete(survey, user) and Delivery.objects.count() == Webhook.objects.count() == 0
