"""The turnout of open surveys: how many people have answered, counted on the hour and shown in tens (protection.md,
"How many have answered").

If the shown number changed at each full ten, an observer who knows when nine of ten people answered would see whether
the tenth did. So the number at which it changes is drawn at random within each ten and never shown. Even for an
observer who knows all other reports, one report changes the shown number with a chance of one in ten.
"""

import secrets
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef

from ldp.forms.definition import groups
from surveys.models import Release, Report, ReportId, Survey, Tally, Turnout
from surveys.models.turnout import DAY, STEP, first_step
from surveys.respondent.invitations import book

Lot = Callable[[int], int]
HOUR = timedelta(hours=1)


def count(now: datetime) -> None:
    """Count the people of every open survey once an hour, those of surveys by invitation once a day (UTC)."""
    hour, invited = full_hour(now), set(book.signing())
    running = Survey.objects.filter(state=Survey.State.OPEN, tally__isnull=False).exclude(opens_at__gt=now)
    for pk, digest in running.values_list("pk", "digest"):
        _count(pk, hour, hour.replace(hour=0) if digest in invited else hour)
    Turnout.objects.exclude(survey__state=Survey.State.OPEN).delete()


def full_hour(moment: datetime) -> datetime:
    return moment.replace(minute=0, second=0, microsecond=0)


@transaction.atomic
def _count(pk: int, hour: datetime, since: datetime) -> None:
    """Count the people of a survey unless that was done since `since`. The tally's lock is held, as when a batch is
    taken, so no report is missed or counted twice."""
    held = Tally.objects.select_for_update(of=("self",)).select_related("survey")
    tally = held.filter(survey=pk, survey__state=Survey.State.OPEN).first()
    if tally is None:
        return  # ended or deleted
    turnout = Turnout.objects.filter(survey=pk).first()
    if turnout and since <= turnout.hour <= hour:
        return
    turnout = turnout or Turnout(survey_id=pk, hour=_first_hour(tally.survey), counts=[0], turning=first_step())
    shown, turnout.turning = step(turnout.people, turnout.turning, people(tally))
    shown = max(shown, _released(pk))
    missed = min(DAY, max(1, round((hour - turnout.hour) / HOUR))) - 1
    turnout.counts = [*turnout.counts, *[turnout.people] * missed, shown][-DAY:]
    turnout.hour = hour
    turnout.save()


def _first_hour(survey: Survey) -> datetime:
    return full_hour(max(filter(None, (survey.opened_at, survey.opens_at))))


def _released(pk: int) -> int:
    """Return the newest release's number of reports, rounded down to full tens. The release has published it."""
    newest = Release.objects.filter(survey=pk).aggregate(n=Max("n"))["n"] or 0
    return int(newest - newest % STEP)


def people(tally: Tally) -> int:
    """Return the number of people whose reports wait, are held back or are in the tally. Groups are counted by
    `beyond`."""
    taken = ReportId.objects.filter(survey=tally.survey_id, id=OuterRef("id"))
    news = Report.objects.filter(~Exists(taken), survey=tally.survey_id).order_by()
    waiting = dict(news.values("form").annotate(n=Count("id")).values_list("form", "n"))
    numbers = [
        each["n"] + held["n"] + waiting.get(form, 0)
        for form, (each, held) in enumerate(zip(tally.tallies, tally.held, strict=True))
    ]
    return beyond(numbers, settings.RELEASE_LEAST if groups(tally.survey.definition) else 1)


def beyond(numbers: Iterable[int], least: int) -> int:
    """Return the sum over groups of the number of people from the `least`-th on, the first whose results are published.
    People may know who is in which group, so a group below `least` adds nothing. Its `least`-th person adds one, like
    every later person: adding all earlier ones too would show when that person answered."""
    return sum(max(0, n - least + 1) for n in numbers)


def step(shown: int, turning: int, people: int, lot: Lot = secrets.randbelow) -> tuple[int, int]:
    """Return the number shown for `people` answers, a multiple of STEP, and the number of answers at which it next
    grows, drawn at random within the next ten."""
    while people >= turning:
        shown = turning - turning % STEP
        turning = shown + STEP + lot(STEP)
    return shown, turning
