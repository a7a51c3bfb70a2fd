"""Events that alerts report: a survey's life, its releases and its failures. Each is reported once.

Releases, team members' actions and failures cause events; a report alone never does (P11). Events are noticed at full
hours, so an alert reveals only the hour of a release. The stored time is the day.
"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from surveys.designer.alerts import signature
from surveys.designer.studio.status import FAILING
from surveys.models import Alert, AlertReader, Delivery, Release, Survey, Tally, Webhook
from surveys.models.survey import SurveyQuerySet
from surveys.operation import heartbeat
from surveys.researcher.results import precision, response_cache

Kind = Alert.Kind
HOUR = timedelta(hours=1)


class AlertFact(NamedTuple):
    """An event. `about` distinguishes alerts of one kind; `data` is sent to the receiver."""

    kind: str
    about: str = ""
    data: dict[str, object] = {}


def watched() -> SurveyQuerySet:
    """Return the open and ended surveys that have a receiver of alerts."""
    wanted = (rows.objects.filter(survey=OuterRef("pk")) for rows in (Webhook, AlertReader))
    return Survey.objects.filter(Exists(next(wanted)) | Exists(next(wanted))).exclude(state=Survey.State.DRAFT)


def notice(survey: Survey, now: datetime, later: bool = False) -> int:
    """Store the survey's new events and return their number. They are delivered at once, or with `later` at the next
    full hour."""
    due = now.replace(minute=0, second=0, microsecond=0) + HOUR if later else now
    return sum(_enter(survey, fact, now.date(), due) for fact in facts(survey, now))


def facts(survey: Survey, now: datetime) -> Iterator[AlertFact]:
    """Return all facts that can be sent now. Each problem is reported at most once a day."""
    if survey.is_draft:
        return
    if not survey.begins_later:
        yield AlertFact(Kind.OPENED)
    releases = list(Release.objects.readable(survey))
    if releases:
        yield AlertFact(Kind.FIRST_RELEASE, data={"release": _facts_of(releases[0])})
        if precision.is_reached(survey, response_cache.document(releases[-1])):
            yield AlertFact(Kind.PRECISION, data={"release": _facts_of(releases[-1])})
    if survey.state == Survey.State.CLOSED and releases and releases[-1].final:
        yield AlertFact(Kind.ENDED, data={"release": _facts_of(releases[-1])})
    elif survey.state == Survey.State.CLOSED and survey.fewer_than:
        yield AlertFact(Kind.ENDED, data={"release": None, "fewer_than": survey.fewer_than})
    yield from _troubles(survey, now)


def _troubles(survey: Survey, now: datetime) -> Iterator[AlertFact]:
    for release in Release.objects.filter(survey=survey, document__isnull=True, attempts__gt=FAILING):
        yield AlertFact(
            Kind.TROUBLE, f"estimates {release.number}", {"trouble": "estimates", "release": _facts_of(release)}
        )
    if Tally.objects.filter(survey=survey, attempts__gt=FAILING).exists():
        yield AlertFact(Kind.TROUBLE, f"counting {now.date()}", {"trouble": "counting"})
    if survey.state == Survey.State.OPEN and heartbeat.status() == "behind":
        yield AlertFact(Kind.TROUBLE, f"behind {now.date()}", {"trouble": "behind"})


def _facts_of(release: Release) -> dict[str, object]:
    return {"number": release.number, "day": release.day.isoformat(), "n": release.n, "final": release.final}


def _enter(survey: Survey, fact: AlertFact, day: date, due: datetime) -> bool:
    """Store an event and its deliveries; return whether it is new. Of two processes at once, one finds it new."""
    with transaction.atomic():
        alert, created = Alert.objects.get_or_create(
            survey=survey, kind=fact.kind, about=fact.about, defaults={"day": day, "data": fact.data}
        )
        if created:
            for webhook in survey.webhooks.filter(gone=False):
                enter(due, alert=alert, webhook=webhook)
            for reader in survey.alert_readers.filter(confirmed=True) if settings.EMAIL_HOST else ():
                enter(due, alert=alert, reader=reader)
    return created


def enter(due: datetime, **to: object) -> Delivery:
    """Store a delivery, to be sent from the moment `due` on."""
    return Delivery.objects.create(name=signature.new_name(), due_at=due, day=timezone.now().date(), **to)
