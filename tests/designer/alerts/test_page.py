"""The page of alerts offers email to each user and webhooks to designers. A webhook's secret is shown once."""

import re

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from surveys.designer.alerts import events, receivers
from surveys.models import Alert, AlertReader, AuditEntry, Delivery, Membership, Role, Webhook
from tests.support.factories import opened_survey

pytestmark = [pytest.mark.django_db]
SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{43}=")


@pytest.fixture
def ada(client):
    return User.objects.create_user("ada", email="ada@example.org")


@pytest.fixture
def survey(ada, client):
    survey = opened_survey()
    Membership.objects.create(survey=survey, user=ada, role=Role.OWNER)
    client.force_login(ada)
    return survey


def at(survey, place=""):
    return f"/surveys/{survey.pk}/alerts/{place}"


def text(response):
    return response.content.decode()


def test_a_webhook_is_added_and_its_secret_shown_once(client, survey):
    response = client.post(at(survey, "webhooks/"), {"url": " https://example.org/hook?a=b "})
    (secret,) = SECRET.findall(text(response))
    assert response.status_code == 200 and "no-store" in response["Cache-Control"]
    webhook = Webhook.objects.get()
    assert webhook.url == "https://example.org/hook?a=b" and not SECRET.search(text(client.get(at(survey))))
    assert secret not in str(Webhook.objects.values())
    assert AuditEntry.objects.get().detail == "a webhook to example.org", "and nothing of the rest of the address"


@pytest.mark.parametrize(
    "url", ["", "http://example.org/", "https://10.0.0.1/", "https://[::1]/", "https://a@example.org/"]
)
def test_an_address_that_may_not_be_is_refused_beside_the_field(client, survey, settings, url):
    settings.SITE_URL = "https://surveys.example.org"
    response = client.post(at(survey, "webhooks/"), {"url": url})
    assert response.status_code == 422 and 'id="url-error"' in text(response) and not Webhook.objects.exists()


def test_there_are_only_so_many(client, survey, ada):
    for _ in range(receivers.WEBHOOKS_MOST):
        receivers.add_webhook(survey, ada, "https://example.org/")
    response = client.post(at(survey, "webhooks/"), {"url": "https://example.org/"})
    assert response.status_code == 422 and Webhook.objects.count() == receivers.WEBHOOKS_MOST
    assert "Add a webhook" not in text(client.get(at(survey)))


def test_a_test_is_entered_and_what_became_of_it_is_told_by_day(client, survey, ada):
    webhook, _ = receivers.add_webhook(survey, ada, "https://example.org/")
    assert client.post(at(survey, f"webhooks/{webhook.pk}/test/")).status_code == 302
    assert "waits" in text(client.get(at(survey)))
    events.notice(survey, timezone.now())
    Delivery.objects.update(state="failed", status=503, attempts=10)
    shown = text(client.get(at(survey)))
    assert "given up" in shown and "503" in shown and not re.search(r"\d\d:\d\d", shown.partition("<main")[2])


def test_what_was_tested_often_enough_is_not_tested_again(client, survey, ada):
    webhook, _ = receivers.add_webhook(survey, ada, "https://example.org/")
    for _ in range(receivers.BY_HAND_MOST + 1):
        client.post(at(survey, f"webhooks/{webhook.pk}/test/"))
    assert Delivery.objects.filter(alert=None).count() == receivers.BY_HAND_MOST


def test_an_alert_is_sent_again_by_hand_and_a_test_is_not(client, survey, ada):
    webhook, _ = receivers.add_webhook(survey, ada, "https://example.org/")
    events.notice(survey, timezone.now())
    alert = Alert.objects.create(survey=survey, kind="survey.ended", day=timezone.now().date(), data={})
    lost = events.enter(timezone.now(), alert=alert, webhook=webhook)
    test = receivers.send_test(webhook, ada)
    Delivery.objects.update(state="failed", status=503, attempts=10, due_at=None)
    (place,) = re.findall(rf"webhooks/{webhook.pk}/again/[\w-]+/", text(client.get(at(survey))))
    assert "is on its way again" in text(client.post(at(survey, place), follow=True))
    lost.refresh_from_db()
    assert place.split("/")[-2] == lost.name and (lost.state, lost.attempts) == ("waiting", 0)
    assert client.post(at(survey, f"webhooks/{webhook.pk}/again/{test.name}/")).status_code == 404
    for _ in range(receivers.BY_HAND_MOST):
        shown = text(client.post(at(survey, place), follow=True))
    assert "at most 20 tests and repetitions a day" in shown
    Webhook.objects.update(gone=True)
    assert "/again/" not in text(client.get(at(survey)))
    assert client.post(at(survey, place)).status_code == 404


def test_a_webhook_is_removed_with_its_deliveries(client, survey, ada):
    webhook, _ = receivers.add_webhook(survey, ada, "https://example.org/")
    receivers.send_test(webhook, ada)
    client.post(at(survey, f"webhooks/{webhook.pk}/remove/"))
    assert not Webhook.objects.exists() and not Delivery.objects.exists()
    assert AuditEntry.objects.first().detail == "no webhook to example.org any more"


def test_a_webhook_of_another_survey_is_out_of_reach(client, survey, ada):
    webhook, _ = receivers.add_webhook(opened_survey(), ada, "https://example.org/")
    for place in ("test", "remove"):
        assert client.post(at(survey, f"webhooks/{webhook.pk}/{place}/")).status_code == 404


def test_mail_is_wished_for_in_the_language_of_the_page_and_ended(client, survey, settings):
    settings.EMAIL_HOST = "localhost"
    assert "Send me alerts" in text(client.get(at(survey)))
    wish = {"to": "yes", "address": "ada@example.org"}
    client.post(at(survey, "mail/"), wish, headers={"Accept-Language": "de"})
    assert AlertReader.objects.get().language == "de" and "Alerts go to ada@example.org." in text(
        client.get(at(survey))
    )
    client.post(at(survey, "mail/"), {"to": "no"})
    assert not AlertReader.objects.exists()


def test_a_new_address_is_asked_first(client, survey, settings):
    settings.EMAIL_HOST = "localhost"
    for wrong in ("", "nobody", "a@b\r\nBcc: c@example.org", "a@example.org\u202c", f"{'a' * 250}@example.org"):
        assert client.post(at(survey, "mail/"), {"to": "yes", "address": wrong}).status_code == 422
    client.post(at(survey, "mail/"), {"to": "yes", "address": "new@example.org"})
    assert "We sent an email to new@example.org." in text(client.get(at(survey)))
    assert [each.alert for each in Delivery.objects.all()] == [None] and not AlertReader.objects.get().confirmed
    old = client.get(at(survey, "mail/confirm/?token=x"), follow=True)
    assert "This link has expired or is not yours." in text(old)


def test_where_no_mail_can_come_none_is_wished_for(client, survey, settings):
    settings.EMAIL_HOST = ""
    assert "Send me alerts" not in text(client.get(at(survey)))
    assert client.post(at(survey, "mail/"), {"to": "yes", "address": "ada@example.org"}).status_code == 404


def test_a_viewer_has_mail_and_sees_no_webhook(client, survey, ada, settings):
    settings.EMAIL_HOST = "localhost"
    receivers.add_webhook(survey, ada, "https://example.org/")
    Membership.objects.update(role=Role.VIEWER)
    shown = text(client.get(at(survey)))
    assert "Send me alerts" in shown and "example.org/" not in shown.replace("ada@example.org", "")
