"""Alerts reach real receivers, webhooks and a mail server. They are signed and arrive once, and they are sent again if
no receiver took them."""

import base64
import hashlib
import hmac
import json
import re
import socket
from datetime import timedelta
from threading import Event

import pytest
from django.contrib.auth.models import User
from django.db.models import Sum
from django.utils import timezone

from surveys.designer.alerts import events, posting, receivers
from surveys.life.lifecycle import close_survey
from surveys.models import Alert, AlertReader, Delivery, Membership, Role, Webhook
from tests.services.mail import MailServer
from tests.support.estimates import collect, work
from tests.support.factories import opened_survey
from worker import alerts

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def user():
    return User.objects.create_user("ada", email="ada@example.org")


@pytest.fixture
def hook(receiver, user):
    webhook, secret = receivers.add_webhook(designed(user), user, f"{receiver.url}/hook")
    return webhook, secret


def designed(user, role=Role.DESIGNER):
    survey = opened_survey()
    Membership.objects.create(survey=survey, user=user, role=role)
    return survey


@pytest.fixture(scope="module")
def server():
    server = MailServer()
    yield server
    server.stop()


@pytest.fixture
def post(settings, server):
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.DEFAULT_FROM_EMAIL = "Surveys <surveys@example.org>"
    server.letters.clear()
    return server


def due_again():
    """Move the time to the next try."""
    Delivery.objects.filter(state="waiting").update(due_at=timezone.now() - timedelta(seconds=1))


def verified(posted, secret):
    """Verify a message as a receiver does, without the site's code."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    named, moment = posted.headers["webhook-id"], posted.headers["webhook-timestamp"]
    signed = hmac.new(key, b".".join([named.encode(), moment.encode(), posted.body]), hashlib.sha256).digest()
    assert abs(int(moment) - timezone.now().timestamp()) < 60
    assert Delivery.objects.get(name=named).due_at is None, "no time stays once there is nothing to try"
    return posted.headers["webhook-signature"] == "v1," + base64.b64encode(signed).decode()


def test_a_test_is_posted_signed_and_says_what_a_test_says(receiver, hook):
    webhook, secret = hook
    receivers.send_test(webhook, webhook.made_by)
    alerts.turn()
    (posted,) = receiver.posted
    assert verified(posted, secret) and posted.path == "/hook"
    assert posted.headers["content-type"] == "application/json"
    said = json.loads(posted.body)
    assert said["type"] == "test" and said["data"]["survey"]["slug"] == webhook.survey.slug
    assert Delivery.objects.get().state == "sent" and Delivery.objects.get().status == 204


def test_what_was_not_taken_comes_again_the_same_until_it_is_given_up(receiver, hook):
    webhook, secret = hook
    receiver.status = 500
    Webhook.objects.filter(pk=webhook.pk).update(day=timezone.now().date() - timedelta(days=1))
    delivery = receivers.send_test(webhook, webhook.made_by)
    for tries in range(1, len(alerts.WAITS) + 2):
        due_again()
        alerts.turn()
        delivery.refresh_from_db()
        assert (delivery.attempts, delivery.status) == (tries, 500)
        alerts.turn()
        assert len(receiver.posted) == tries, "not before its moment"
    assert delivery.state == "failed" and sum(alerts.WAITS, timedelta()) > timedelta(days=3)
    assert len({(each.body, each.headers["webhook-id"]) for each in receiver.posted}) == 1
    assert all(verified(each, secret) for each in receiver.posted)


def test_a_receiver_that_is_gone_gets_nothing_more(receiver, hook):
    webhook, _ = hook
    receiver.status = 410
    receivers.send_test(webhook, webhook.made_by)
    alerts.turn()
    webhook.refresh_from_db()
    assert webhook.gone and Delivery.objects.get().state == "failed"
    events.notice(webhook.survey, timezone.now())
    due_again()
    alerts.turn()
    assert len(receiver.posted) == 1


def test_a_receiver_that_is_away_is_tried_again(receiver, hook):
    webhook, _ = hook
    receivers.send_test(webhook, webhook.made_by)
    Webhook.objects.update(url="http://127.0.0.1:9/")
    alerts.turn()
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.status, delivery.attempts) == ("waiting", None, 1)


def test_an_address_that_became_private_is_not_asked(receiver, hook, settings):
    webhook, _ = hook
    receivers.send_test(webhook, webhook.made_by)
    settings.WEBHOOK_NETWORKS = []
    alerts.turn()
    assert receiver.posted == [] and Delivery.objects.get().state == "waiting"


@pytest.fixture
def silent(monkeypatch):
    """Yield a URL that takes posts and never answers."""
    monkeypatch.setattr(posting, "SECONDS", 3.0)
    monkeypatch.setattr(alerts, "TURN_SECONDS", 3.0)
    with socket.create_server(("127.0.0.1", 0), backlog=200) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"


def waiting_at(survey, user, url, count):
    """Create a webhook with this many waiting test alerts."""
    webhook = Webhook.objects.create(survey=survey, url=url, salt="s", day=timezone.now(), made_by=user)
    for _ in range(count):
        events.enter(timezone.now(), webhook=webhook)


def test_receivers_that_never_answer_hold_up_no_one_elses_alerts(receiver, hook, silent):
    webhook, _ = hook
    for number in range(3):
        user = User.objects.create_user(f"bob{number}")
        survey = designed(user)
        for _ in range(alerts.AT_ONCE // 3 + 1):
            waiting_at(survey, user, silent, 3)
    receivers.send_test(webhook, webhook.made_by)
    alerts.turn()
    assert len(receiver.posted) == 1 and Delivery.objects.filter(state="sent").count() == 1
    tries = Delivery.objects.order_by().values_list("webhook").annotate(Sum("attempts"))
    assert max(number for _, number in tries) == 1, "a webhook has one at a time"


def test_a_webhook_that_answers_gets_all_that_waits_in_one_turn(receiver, hook, monkeypatch):
    monkeypatch.setattr(alerts, "TURN_SECONDS", 600)
    webhook, _ = hook
    for _ in range(60):
        events.enter(timezone.now(), webhook=webhook)
    alerts.turn()
    assert len(receiver.posted) == 60 and not Delivery.objects.exclude(state="sent").exists()


def test_a_look_up_that_never_ends_is_given_up(receiver, hook, silent, monkeypatch):
    monkeypatch.setattr(posting, "CONNECT_SECONDS", 0.1)
    look_up, over = socket.getaddrinfo, Event()
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *a, **o: look_up("127.0.0.1" if over.wait(60) else "", *a, **o)
    )
    receivers.send_test(hook[0], hook[0].made_by)
    alerts.turn()
    assert not over.is_set() and Delivery.objects.get().state == "waiting"
    over.set()


def test_what_cannot_be_built_or_sent_is_its_own_rows_alone(receiver, hook, post, user, monkeypatch):
    """The causes are email addresses stored before the rule that refuses them, and an unexpected error."""
    webhook, _ = hook
    for name, address in (("bob", "=?utf-8?q?a0=0D=0Ab?=@example.org"), ("eve", "a\n@example.org")):
        reader = User.objects.create_user(name)
        survey = designed(reader, Role.VIEWER)
        bad = AlertReader.objects.create(survey=survey, user=reader, language="en", address=address)
        events.enter(timezone.now(), reader=bad)
    url = f"{receiver.url}/fails"
    waiting_at(webhook.survey, user, url, 1)
    post_as_ever = posting.post
    monkeypatch.setattr(posting, "post", lambda to, *more: 1 / 0 if to == url else post_as_ever(to, *more))
    receivers.send_test(webhook, user)
    reading(user, "en", "new@example.org")
    for tries in range(1, len(alerts.WAITS) + 2):
        alerts.turn()
        assert len(receiver.posted) == 1 and [to for to, _ in post.letters] == ["new@example.org"]
        assert Delivery.objects.filter(attempts=tries).exclude(state="sent").count() == 3
        due_again()
    assert sorted(Delivery.objects.values_list("state", flat=True)) == ["failed"] * 3 + ["sent"] * 2


@pytest.mark.parametrize("way", ["behind the site's back", "smaller", "unknown"])
def test_nothing_is_posted_for_someone_who_is_no_designer_any_more(receiver, hook, way):
    webhook, _ = hook
    events.enter(timezone.now(), webhook=webhook)
    if way == "unknown":
        Webhook.objects.update(made_by=None)
    elif way == "smaller":
        Membership.objects.update(role=Role.RESEARCHER)
    else:
        Membership.objects.all().delete()
    alerts.turn()
    assert receiver.posted == [] and not Webhook.objects.exists()


def test_what_was_given_up_is_sent_again_by_hand_under_its_id(receiver, hook, user):
    webhook, secret = hook
    receiver.status = 503
    alert = Alert.objects.create(survey=webhook.survey, kind="survey.ended", day=timezone.now().date(), data={})
    delivery = events.enter(timezone.now(), alert=alert, webhook=webhook)
    for _ in range(len(alerts.WAITS) + 1):
        due_again()
        alerts.turn()
    delivery.refresh_from_db()
    assert delivery.state == "failed"
    receiver.status = 204
    receivers.send_again(delivery, user)
    alerts.turn()
    delivery.refresh_from_db()
    assert delivery.state == "sent" and len({each.headers["webhook-id"] for each in receiver.posted}) == 1
    assert verified(receiver.posted[-1], secret)


def test_two_workers_post_it_once(receiver, hook):
    webhook, _ = hook
    delivery = receivers.send_test(webhook, webhook.made_by)
    assert alerts._claim(delivery) is not None and alerts._claim(delivery) is None


def test_there_is_an_end_to_webhooks_and_to_tests(receiver, hook, user):
    webhook, _ = hook
    for _ in range(receivers.WEBHOOKS_MOST - 1):
        receivers.add_webhook(webhook.survey, user, f"{receiver.url}/more")
    with pytest.raises(receivers.TooManyWebhooks):
        receivers.add_webhook(webhook.survey, user, f"{receiver.url}/more")
    for _ in range(receivers.BY_HAND_MOST):
        receivers.send_test(webhook, user)
    with pytest.raises(receivers.TooManyWebhooks):
        receivers.send_test(webhook, user)
    receivers.remove_webhook(webhook.survey, user, webhook)
    webhook, _ = receivers.add_webhook(webhook.survey, user, f"{receiver.url}/more")
    elsewhere, _ = receivers.add_webhook(designed(user), user, f"{receiver.url}/more")
    other = User.objects.create_user("bob")
    for hook, who in ((webhook, user), (elsewhere, user), (webhook, other)):
        with pytest.raises(receivers.TooManyWebhooks):
            receivers.send_test(hook, who)
    receivers.send_test(elsewhere, other)


# Mail -----------------------------------------------------------------------------------------------------------------


def reading(user, language="en", address="ada@example.org"):
    survey = opened_survey()
    Membership.objects.create(survey=survey, user=user, role=Role.VIEWER)
    receivers.wish_mail(survey, user, language, address)
    return survey


@pytest.mark.parametrize(
    ("language", "words"), [("en", "open"), ("de", "offen"), ("ar", "\u0645\u0641\u062a\u0648\u062d")]
)
def test_the_person_who_asked_for_it_is_told_by_mail_in_their_language(post, user, language, words):
    survey = opened_survey()
    Membership.objects.create(survey=survey, user=user, role=Role.VIEWER)
    AlertReader.objects.create(survey=survey, user=user, language=language, address=user.email, confirmed=True)
    events.notice(survey, timezone.now())
    alerts.turn()
    ((address, letter),) = post.letters
    assert address == letter["To"] == "ada@example.org" and survey.title in letter["Subject"]
    assert f"/surveys/{survey.pk}/" in letter.get_content()
    assert words in letter["Subject"]
    assert Delivery.objects.get().state == "sent"


def test_anyone_who_has_no_role_any_more_is_told_nothing(post, user):
    survey = reading(user)
    Membership.objects.all().delete()
    alert = Alert.objects.filter(survey=survey).first()
    events.enter(timezone.now(), alert=alert, reader=survey.alert_readers.get())
    alerts.turn()
    assert post.letters == [] and not survey.alert_readers.exists() and Delivery.objects.count() == 0


def test_who_wants_no_more_gets_no_more(post, user):
    survey = reading(user)
    receivers.wish_no_mail(survey, user)
    events.notice(survey, timezone.now())
    due_again()
    alerts.turn()
    assert post.letters == []


def test_a_new_address_gets_a_question_and_nothing_else_until_it_is_confirmed(post, user, client):
    survey = reading(user, "en", "new@example.org")
    reader = survey.alert_readers.get()
    collect(survey, 300)
    alerts.notice()
    due_again()
    alerts.turn()
    ((address, letter),) = post.letters
    assert address == "new@example.org" and letter["Subject"] == "Is this your email address?"
    (link,) = re.findall(r"\S+/mail/confirm/\?token=\S+", letter.get_content())
    path = "/surveys/" + link.partition("/surveys/")[2]
    assert client.get(path).status_code == 302, "whoever has the mail alone cannot confirm it"
    client.force_login(user)
    page = client.get(path).content.decode()
    assert "Yes, this is my email address" in page and not AlertReader.objects.get().confirmed
    client.post(path.partition("?")[0], {"token": path.partition("?token=")[2]})
    reader.refresh_from_db()
    assert reader.confirmed
    close_survey(survey)
    work(survey)
    alerts.notice()
    due_again()
    alerts.turn()
    assert [letter["Subject"] for _, letter in post.letters[1:]] == [f"{survey.title}: the survey has ended"]


def test_an_address_that_no_server_can_be_told_of_has_nothing_else_told_twice(post, user, receiver, hook):
    webhook, _ = hook
    receivers.send_test(webhook, webhook.made_by)
    reading(user, "en", "new@example.org\u202c")
    alerts.turn()
    assert len(receiver.posted) == 1 and webhook.deliveries.get().state == "sent"
    assert Delivery.objects.get(webhook=None).state == "waiting" and post.letters == []


def test_an_alert_on_its_way_does_not_go_to_an_address_that_is_not_confirmed(post, user):
    survey = reading(user)
    events.notice(survey, timezone.now())
    events.enter(timezone.now(), alert=Alert.objects.get(), reader=survey.alert_readers.get())
    receivers.wish_mail(survey, user, "en", "somebody.else@example.org")
    due_again()
    alerts.turn()
    assert [letter["Subject"] for _, letter in post.letters] == ["Is this your email address?"]
    receivers.confirm(survey.alert_readers.get())
    due_again()
    alerts.turn()
    assert [letter["Subject"] for _, letter in post.letters[1:]] == [f"{survey.title}: the survey is open"]


def test_a_confirmed_address_is_the_accounts_where_it_had_none(post, user):
    User.objects.filter(pk=user.pk).update(email="")
    user.refresh_from_db()
    survey = reading(user, "en", "new@example.org")
    receivers.confirm(survey.alert_readers.get())
    user.refresh_from_db()
    assert user.email == "new@example.org" and receivers.wish_mail(opened_survey(), user, "en", "new@example.org")


def test_a_question_is_answered_by_whom_it_asks_alone(post, user):
    survey = reading(user, "en", "new@example.org")
    token = receivers.confirmation(survey.alert_readers.get())
    other = User.objects.create_user("bob")
    assert receivers.in_question(token, survey, user) and receivers.in_question(token, survey, other) is None
    assert receivers.in_question(token + "x", survey, user) is None
    AlertReader.objects.update(address="another@example.org")
    assert receivers.in_question(token, survey, user) is None


def test_no_one_can_have_this_site_write_to_others_without_end(post, user):
    survey = reading(user, "en", "first@example.org")
    for number in range(receivers.QUESTIONS_MOST - 1):
        receivers.wish_no_mail(survey, user)
        receivers.wish_mail(survey, user, "en", f"{number}@example.org")
    with pytest.raises(receivers.TooManyWebhooks):
        receivers.wish_mail(survey, user, "en", "last@example.org")
