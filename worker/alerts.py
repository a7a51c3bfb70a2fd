"""Alerts on their way: rows that wait are posted to webhooks and sent by mail, and tried again where that fails."""

import smtplib
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F, QuerySet
from django.utils import timezone

from surveys.access import has_role
from surveys.alerts import body, events, letters, posting, receivers, signature
from surveys.alerts.addresses import Refused
from surveys.models import AlertReader, Delivery, Role, Webhook
from surveys.operation.faults import FAULTS

State = Delivery.State
# Between one try and the next; three days in all. What is tried once more after the last one has failed.
WAITS = [timedelta(seconds=s) for s in (60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)]
TURN_SECONDS = 5
AT_ONCE = 50
GONE = 410
KEPT = timedelta(days=30)


def notice() -> None:
    """Enter what is new of every survey of which somebody wants to be told."""
    now = timezone.now()
    for survey in events.watched():
        events.notice(survey, now)


def any_due() -> bool:
    return _due().exists()


def _due() -> QuerySet[Delivery]:
    return Delivery.objects.filter(state=State.WAITING, due_at__lte=timezone.now())


def turn() -> None:
    """Try what is due, for some seconds. Posts are on their way together, so that whoever has alerts posted to what
    never answers holds up nobody else's."""
    started = timezone.now()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        posts = []
        for pk, attempts in list(_due().order_by("due_at").values_list("pk", "attempts")[:AT_ONCE]):
            if (timezone.now() - started).total_seconds() >= TURN_SECONDS:
                break
            delivery = _claim(pk, attempts)
            if delivery and delivery.webhook and delivery.webhook.gone:
                _settle(delivery, State.FAILED)
            elif delivery and delivery.webhook:
                posts.append((delivery, delivery.webhook, pool.submit(_post, *_request(delivery, delivery.webhook))))
            elif delivery:
                _note(delivery, _mail(delivery, delivery.reader))
        for delivery, webhook, post in posts:
            _note(delivery, _arrived(delivery, webhook, post.result()))


def _claim(pk: int, attempts: int) -> Delivery | None:
    """The delivery, whose next try is noted before this one; None where somebody else is at it, or it is gone."""
    now = timezone.now()
    wait = WAITS[min(attempts, len(WAITS) - 1)]
    noted = {"attempts": F("attempts") + 1, "due_at": now + wait, "day": now.date()}
    if not _due().filter(pk=pk, attempts=attempts).update(**noted):
        return None
    rows = Delivery.objects.select_related("alert__survey", "webhook__survey", "reader__survey", "reader__user")
    return rows.filter(pk=pk).first()


def _note(delivery: Delivery, done: bool) -> None:
    if done:
        _settle(delivery, State.SENT)
    elif delivery.attempts > len(WAITS):
        _settle(delivery, State.FAILED)


def _settle(delivery: Delivery, state: Delivery.State) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(state=state, due_at=None)


# Webhooks -------------------------------------------------------------------------------------------------------------


def _request(delivery: Delivery, webhook: Webhook) -> tuple[str, bytes, dict[str, str]]:
    """Address, body and headers."""
    content = body.encoded(delivery)
    return (
        webhook.url,
        content,
        signature.headers(signature.secrets_of(webhook.salt), delivery.name, timezone.now(), content),
    )


def _post(url: str, content: bytes, signed: dict[str, str]) -> int | None:
    """The status of the answer, if there is one. It runs beside others, without the database."""
    try:
        return posting.post(url, content, signed)
    except (Refused, OSError):
        return None


def _arrived(delivery: Delivery, webhook: Webhook, status: int | None) -> bool:
    Delivery.objects.filter(pk=delivery.pk).update(status=status)
    if status == GONE:
        Webhook.objects.filter(pk=webhook.pk).update(gone=True)
        _settle(delivery, State.FAILED)
    return status is not None and 200 <= status < 300


# Mail -----------------------------------------------------------------------------------------------------------------


def _mail(delivery: Delivery, reader: AlertReader | None) -> bool:
    """Whether the mail server took it. Whoever has no role any more is told nothing, now and later."""
    assert reader is not None
    if not has_role(reader.user, reader.survey, Role.VIEWER):
        reader.delete()
        return False
    if not settings.EMAIL_HOST:
        return False
    if delivery.alert and not reader.confirmed:
        return False  # it was another address when this was entered
    try:
        _message(delivery, reader).send()
    except (OSError, UnicodeError, smtplib.SMTPException) as error:  # UnicodeError: a host that is none
        FAULTS.add("An alert could not be sent", (type(error), error, error.__traceback__))
        return False
    return True


def _message(delivery: Delivery, reader: AlertReader) -> EmailMessage:
    if delivery.alert:
        words = letters.letter(delivery.alert, reader.language)
    else:
        words = letters.question(reader, receivers.confirmation(reader))
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip(">")
    return EmailMessage(
        subject=" ".join(words.subject.split()),
        body=words.text,
        to=[reader.address],
        headers={"Message-ID": f"<{delivery.name}@{domain}>", "Auto-Submitted": "auto-generated"},
    )


# The rest -------------------------------------------------------------------------------------------------------------


def purge(now: datetime) -> None:
    """Forget deliveries of long ago; what was said stays, so that it is not said again."""
    Delivery.objects.exclude(state=State.WAITING).filter(day__lt=(now - KEPT).date()).delete()
