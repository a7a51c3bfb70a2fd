"""Who gets a survey's alerts: webhooks, and people by mail. They come and go here alone."""

from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from surveys.alerts import addresses, events, signature
from surveys.models import AlertReader, AuditEntry, Delivery, Survey, Webhook
from surveys.people.log import record

WEBHOOKS_MOST = 5  # of a survey
TESTS_MOST = 20  # of a webhook on a day


class TooMany(Exception):
    """The survey has WEBHOOKS_MOST webhooks, or a webhook was tested TESTS_MOST times today."""


def add_webhook(survey: Survey, user: User, url: str) -> tuple[Webhook, str]:
    """A webhook, and its secret, which is told this once. addresses.Refused, TooMany."""
    addresses.check(url)
    salt = signature.new_salt()
    with transaction.atomic():
        Survey.objects.select_for_update().get(pk=survey.pk)
        if survey.webhooks.count() >= WEBHOOKS_MOST:
            raise TooMany
        _catch_up(survey)
        webhook = Webhook.objects.create(survey=survey, url=url, salt=salt, day=timezone.now().date())
        record(user, AuditEntry.Action.EDITED, survey, f"a webhook to {host(webhook)}")
    return webhook, signature.secret(salt)


def remove_webhook(survey: Survey, user: User, webhook: Webhook) -> None:
    with transaction.atomic():
        if Webhook.objects.filter(pk=webhook.pk).delete()[0]:
            record(user, AuditEntry.Action.EDITED, survey, f"no webhook to {host(webhook)} any more")


def send_test(webhook: Webhook) -> Delivery:
    """A test, which is posted at once. TooMany."""
    now = timezone.now()
    if webhook.deliveries.filter(alert=None, day=now.date()).count() >= TESTS_MOST:
        raise TooMany
    return events.enter(now, webhook=webhook)


def wish_mail(survey: Survey, user: User, language: str) -> None:
    """From now on alerts come by mail, in this language."""
    with transaction.atomic():
        _catch_up(survey)
        AlertReader.objects.update_or_create(survey=survey, user=user, defaults={"language": language})


def wish_no_mail(survey: Survey, user: User) -> None:
    AlertReader.objects.filter(survey=survey, user=user).delete()


def host(webhook: Webhook) -> str:
    """What is shown where the rest of its address could be a secret."""
    return urlsplit(webhook.url).hostname or ""


def _catch_up(survey: Survey) -> None:
    """What happened before somebody wanted to be told is news to those alone who did already."""
    events.notice(survey, timezone.now(), later=True)
