"""The receivers of a survey's alerts: webhooks, and users by email. Only this module adds and removes them."""

from django.contrib.auth.models import User
from django.core import signing
from django.db import transaction
from django.utils import timezone

from surveys.audit import record
from surveys.designer.alerts import addresses, events, signature
from surveys.models import AlertReader, AuditEntry, Delivery, Survey, Webhook

WEBHOOKS_MOST = 5  # of a survey
BY_HAND_MOST = 20  # tests and repeated alerts per day, of a survey and of an account
QUESTIONS_MOST = 5  # confirming emails of a user per day
TEST, AGAIN = "a test to a webhook", "an alert to a webhook again"
QUESTION = "alerts by mail to a new address"
DAYS = 3  # until a confirming link expires


class TooManyWebhooks(Exception):
    """The survey has all its webhooks, or the account has reached a limit of the day."""


def add_webhook(survey: Survey, user: User, url: str) -> tuple[Webhook, str]:
    """Add a webhook; return it with its secret, which is shown only now. Raise WebhookRefused or TooManyWebhooks."""
    addresses.target(url)
    salt = signature.new_salt()
    with transaction.atomic():
        Survey.objects.select_for_update().get(pk=survey.pk)
        if survey.webhooks.count() >= WEBHOOKS_MOST:
            raise TooManyWebhooks
        _catch_up(survey)
        webhook = Webhook.objects.create(survey=survey, url=url, salt=salt, day=timezone.now().date(), made_by=user)
        record(user, AuditEntry.Action.EDITED, survey, f"a webhook to {webhook.host}")
    return webhook, signature.secret(salt)


def remove_webhook(survey: Survey, user: User, webhook: Webhook) -> None:
    with transaction.atomic():
        if Webhook.objects.filter(pk=webhook.pk).delete()[0]:
            record(user, AuditEntry.Action.EDITED, survey, f"no webhook to {webhook.host} any more")


def send_test(webhook: Webhook, user: User) -> Delivery:
    """Enter a test, which is posted at once. Raise TooManyWebhooks at the day's limit."""
    with transaction.atomic():
        _by_hand(webhook.survey, user, TEST)
        return events.enter(timezone.now(), webhook=webhook)


def send_again(delivery: Delivery, user: User) -> Delivery:
    """Post the alert again at once, in any state. It keeps its id and gets as many attempts as a new one. Raise
    TooManyWebhooks at the day's limit."""
    with transaction.atomic():
        _by_hand(delivery.receiver.survey, user, AGAIN)
        delivery.state, delivery.attempts, delivery.due_at = Delivery.State.WAITING, 0, timezone.now()
        delivery.save(update_fields=["state", "attempts", "due_at"])
    return delivery


def _by_hand(survey: Survey, user: User, what: str) -> None:
    """Count a post that a user triggers, for the survey and the account. A count for the webhook could be evaded by
    replacing it. Raise TooManyWebhooks at the day's limit."""
    Survey.objects.select_for_update().get(pk=survey.pk)
    User.objects.select_for_update().get(pk=user.pk)
    today = AuditEntry.objects.filter(detail__in=[TEST, AGAIN], at__date=timezone.now().date())
    for theirs in (today.filter(survey_number=survey.pk), today.filter(username=user.get_username())):
        if theirs.count() >= BY_HAND_MOST:
            raise TooManyWebhooks
    record(user, AuditEntry.Action.EDITED, survey, what)


def wish_mail(survey: Survey, user: User, language: str, address: str) -> bool:
    """Subscribe the user to alerts by email in this language. If the email address is not the account's, send it a
    confirming email and return False. Raise TooManyWebhooks at the day's limit."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        known = address == user.email
        if not known and _questions_today(user) >= QUESTIONS_MOST:
            raise TooManyWebhooks
        _catch_up(survey)
        wish = {"language": language, "address": address, "confirmed": known}
        reader, _ = AlertReader.objects.update_or_create(survey=survey, user=user, defaults=wish)
        if not known:
            record(user, AuditEntry.Action.EDITED, survey, QUESTION)
            events.enter(timezone.now(), reader=reader)
    return known


def _questions_today(user: User) -> int:
    entries = AuditEntry.objects.filter(username=user.get_username(), detail=QUESTION)
    return entries.filter(at__date=timezone.now().date()).count()


def confirmation(reader: AlertReader) -> str:
    """Return the secret of the confirming email. Only a reader of the mailbox knows it."""
    return signing.dumps([reader.pk, reader.address], salt=QUESTION)


def in_question(token: str, survey: Survey, user: User) -> AlertReader | None:
    """Return the reader that a confirming link is about, if the link is this user's and has not expired."""
    try:
        pk, address = signing.loads(token, salt=QUESTION, max_age=DAYS * 86_400)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return AlertReader.objects.filter(pk=pk, address=address, survey=survey, user=user).first()


def confirm(reader: AlertReader) -> None:
    """Confirm the email address for alerts. An account without an email address gets this one."""
    with transaction.atomic():
        AlertReader.objects.filter(user=reader.user_id, address=reader.address).update(confirmed=True)
        User.objects.filter(pk=reader.user_id, email="").update(email=reader.address)


def wish_no_mail(survey: Survey, user: User) -> None:
    AlertReader.objects.filter(survey=survey, user=user).delete()


def _catch_up(survey: Survey) -> None:
    """Store earlier events first, so that the new receiver gets none of them."""
    events.notice(survey, timezone.now(), later=True)
