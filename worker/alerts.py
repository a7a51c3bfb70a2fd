"""Delivery of alerts: waiting rows are posted to webhooks or sent by mail, and tried again after a failure.

Accounts take turns, and so do surveys within an account. Each webhook gets one post at a time, and all mail is sent one
by one. So a receiver that never answers delays only its own deliveries, and a failure affects only its row.
"""

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F, Min, QuerySet
from django.utils import timezone

from surveys.access import has_role
from surveys.designer.alerts import body, events, letters, posting, receivers, signature
from surveys.designer.alerts.addresses import WebhookRefused
from surveys.models import AlertReader, Delivery, Webhook
from surveys.operation.faults import FAULTS
from worker.turns import in_turns

State = Delivery.State
# The pauses between attempts, three days in all. One more attempt follows the last pause.
WAITS = [timedelta(seconds=s) for s in (60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)]
TURN_SECONDS = 5
AT_ONCE = 50
GONE = 410
KEPT = timedelta(days=30)


def notice() -> None:
    """Store the new alerts of every survey with a receiver."""
    now = timezone.now()
    for survey in events.watched():
        events.notice(survey, now)


def any_due() -> bool:
    return _due().exists()


def _due() -> QuerySet[Delivery]:
    return Delivery.objects.filter(state=State.WAITING, due_at__lte=timezone.now())


class DeliveryOutcome(NamedTuple):
    """Whether the receiver took the delivery, and the status of a webhook's answer, if any."""

    taken: bool
    status: int | None = None


NOTHING = DeliveryOutcome(False)


def turn() -> None:
    """Try the due deliveries for TURN_SECONDS. A delivery that takes much longer counts as not answered: a host name's
    lookup alone can take longer than a task may."""
    pool, started = ThreadPoolExecutor(AT_ONCE), time.monotonic()
    until, over = started + TURN_SECONDS, started + posting.CONNECT_SECONDS + posting.SECONDS + 1
    under_way = dict[Future[DeliveryOutcome], Delivery]()
    try:
        while (left := until - time.monotonic()) > 0:
            batch = _next(AT_ONCE - len(under_way), {_lane(each) for each in under_way.values()})
            under_way |= {pool.submit(_outcome, ask): each for each in batch if (ask := _prepared(each))}
            if not batch and not under_way:
                break
            for future in wait(under_way, left, FIRST_COMPLETED).done:
                _note(under_way.pop(future), future.result())
        wait(under_way, max(0, over - time.monotonic()))
        for future, delivery in under_way.items():
            _note(delivery, future.result() if future.done() else NOTHING)
    finally:
        pool.shutdown(wait=False)


def _next(most: int, busy: set[int | None]) -> list[Delivery]:
    """Claim and return up to `most` deliveries, the oldest of each receiver, on lanes that are not busy."""
    eldest = _due().order_by().values("webhook", "reader").annotate(eldest=Min("pk")).values("eldest")
    due = Delivery.objects.filter(pk__in=eldest).select_related("webhook__made_by", "reader__user")
    batch = list[Delivery]()
    for row in in_turns(due, lambda each: each.account, lambda each: each.receiver.survey_id):
        if len(batch) < most and _lane(row) not in busy and (delivery := _claim(row)):
            busy.add(_lane(row))
            batch.append(delivery)
    return batch


def _lane(delivery: Delivery) -> int | None:
    """Return the webhook's key, or None for all mail. A lane has one delivery under way at a time."""
    return delivery.webhook_id


def _claim(delivery: Delivery) -> Delivery | None:
    """Return the delivery with its relations, after storing the time of its next attempt; None if another worker has
    it, or it is deleted."""
    now = timezone.now()
    pause = WAITS[min(delivery.attempts, len(WAITS) - 1)]
    noted = {"attempts": F("attempts") + 1, "due_at": now + pause, "day": now.date()}
    if not _due().filter(pk=delivery.pk, attempts=delivery.attempts).update(**noted):
        return None
    receivers = ("webhook__survey", "webhook__made_by", "reader__survey", "reader__user")
    return Delivery.objects.select_related("alert__survey", *receivers).filter(pk=delivery.pk).first()


def _prepared(delivery: Delivery) -> Callable[[], DeliveryOutcome] | None:
    """Return the call that delivers; None if nothing can be delivered. A receiver whose account has lost its role is
    deleted."""
    receiver = delivery.receiver
    try:
        if delivery.account is None or not has_role(delivery.account, receiver.survey, receiver.NEEDED):
            receiver.delete()
            return None
        if ask := _post_of(delivery, receiver) if isinstance(receiver, Webhook) else _mail_of(delivery, receiver):
            return ask
    except Exception as error:  # it cannot be built, for any reason
        FAULTS.add("An alert could not be built", (type(error), error, error.__traceback__))
    _note(delivery, NOTHING)
    return None


def _outcome(ask: Callable[[], DeliveryOutcome]) -> DeliveryOutcome:
    """Deliver in a thread, without the database."""
    try:
        return ask()
    except Exception as error:
        FAULTS.add("An alert could not be sent", (type(error), error, error.__traceback__))
        return NOTHING


def _note(delivery: Delivery, outcome: DeliveryOutcome) -> None:
    if delivery.webhook and outcome.status == GONE:
        delivery.webhook.gone = True
        delivery.webhook.save(update_fields=["gone"])
    gone = delivery.webhook and delivery.webhook.gone
    row = Delivery.objects.filter(pk=delivery.pk)
    row.update(status=outcome.status)
    if outcome.taken:
        row.update(state=State.SENT, due_at=None)
    elif gone or delivery.attempts > len(WAITS):
        row.filter(attempts=delivery.attempts).update(state=State.FAILED, due_at=None)


# Webhooks -------------------------------------------------------------------------------------------------------------


def _post_of(delivery: Delivery, webhook: Webhook) -> Callable[[], DeliveryOutcome] | None:
    if webhook.gone:
        return None
    content = body.encoded(delivery)
    signed = signature.headers(signature.secrets_of(webhook.salt), delivery.name, timezone.now(), content)
    return partial(_post, webhook.url, content, signed)


def _post(url: str, content: bytes, signed: dict[str, str]) -> DeliveryOutcome:
    try:
        status = posting.post(url, content, signed)
    except (WebhookRefused, OSError):
        return NOTHING
    return DeliveryOutcome(200 <= status < 300, status)


# Mail -----------------------------------------------------------------------------------------------------------------


def _mail_of(delivery: Delivery, reader: AlertReader) -> Callable[[], DeliveryOutcome] | None:
    """Return the call that sends the mail; None if the site sends no mail, or the reader's email address changed after
    the alert was stored and is not confirmed."""
    if not settings.EMAIL_HOST or (delivery.alert and not reader.confirmed):
        return None
    return partial(_send, _message(delivery, reader))


def _send(message: EmailMessage) -> DeliveryOutcome:
    """Send the message. Raise if the mail server does not take it."""
    message.send()
    return DeliveryOutcome(True)


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
    """Delete old deliveries. The alerts stay, so that none is sent again."""
    Delivery.objects.exclude(state=State.WAITING).filter(day__lt=(now - KEPT).date()).delete()
