"""What the schedule starts. Tasks take primary keys and may run twice or never: the rows are the truth."""

from datetime import datetime, timedelta

from celery import group
from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from surveys.intake.backlog import waiting
from surveys.models import Heartbeat, Recount, RecountPart, Report, Survey, Tally
from worker import blocks, recount
from worker.celery import app
from worker.estimation import IN_FLIGHT, estimate
from worker.moving import move
from worker.tally import count_new

# Two workers on one survey would only wait for each other, so work is leased. A worker that dies leaves its lease to
# run out; the next one waits twice as long each time, so a survey that kills workers does not do so for ever.
LEASE = timedelta(seconds=5)
LEASE_DOUBLINGS_MAX = 9

# A recount whose messages were lost is sent again; a block takes a fraction of a second.
RESEND = timedelta(seconds=30)

# How long after a survey's end the ids of its reports are kept for retries.
KEEP_IDS = timedelta(days=30)
PURGE_BATCH = 10_000

# Batches of one task: a survey whose reports arrive faster than they are counted still gets its estimates.
BATCHES_MAX = 20


@app.task
def sweep() -> None:
    """Close what is due and start the work that the rows ask for."""
    now = timezone.now()
    _beat(now)
    for survey in Survey.objects.due(now):
        survey.close()
    for pk in unfinished().filter(tally__claimable_at__lte=now).values_list("pk", flat=True):
        process.apply_async((pk,), expires=LEASE.total_seconds())
    uncounted = RecountPart.objects.filter(recount=OuterRef("pk"), totals__isnull=True)
    for request in Recount.objects.filter(Exists(uncounted), dispatched_at__lte=now - RESEND):
        dispatch(request)


@app.task
def purge() -> None:
    """Delete what is left of moved reports some time after their survey's end.

    Until the end an id must stay, or a late retry would be counted again. After it nothing is taken any more, and the
    ids only let a retry hear 200 instead of 410.
    """
    ended = Survey.objects.filter(closed_at__lte=timezone.now() - KEEP_IDS)
    for survey in ended.filter(Exists(Report.objects.filter(survey=OuterRef("pk")))):
        while True:
            keys = Report.objects.filter(survey=survey, packed=None).values_list("pk", flat=True)[:PURGE_BATCH]
            if not Report.objects.filter(pk__in=list(keys)).delete()[0]:
                break


@app.task
def process(pk: int) -> None:
    """Tally a survey's new reports and recompute its estimates, unless another worker is at it."""
    if not _take_lease(pk):
        return
    survey = Survey.objects.get(pk=pk)
    for _ in range(BATCHES_MAX):
        if not count_new(survey):
            break
        _set_lease(pk, attempts=1, wait=LEASE)
    estimate(survey, timezone.now())
    while move(survey):
        _set_lease(pk, attempts=1, wait=LEASE)
    _set_lease(pk, attempts=0, wait=timedelta(0))


@app.task
def count_part(pk: int) -> None:
    """One block of a recount."""
    recount.count_part(pk)


def dispatch(request: Recount) -> None:
    """Send the missing parts of a recount to the workers."""
    group(count_part.s(pk) for pk in recount.missing(request).values_list("pk", flat=True)).apply_async()
    Recount.objects.filter(pk=request.pk).update(dispatched_at=timezone.now())


def unfinished() -> QuerySet[Survey]:
    """Surveys with uncounted reports, with enough for a block, or whose estimates are missing, old, or provisional
    after the end."""
    waiting = Exists(Report.objects.filter(survey=OuterRef("pk"), counted=False))
    missing = Q(tally__n__gt=0, estimate=None)
    old = Q(estimate__isnull=False) & ~Q(estimate__n=F("tally__n"))
    ended = Q(closed_at__lte=timezone.now() - IN_FLIGHT, estimate__provisional=True)
    full = Q(tally__n__gte=F("tally__moved") + blocks.SIZE)
    rest = Q(state=Survey.State.CLOSED, tally__n__gt=F("tally__moved"))
    return Survey.objects.filter(Q(waiting) | missing | old | ended | full | rest)


def _beat(now: datetime) -> None:
    """Write down that the schedule, the broker and a worker are alive, and how much waits since when."""
    found = waiting(settings.BACKLOG_MAX)
    last = Heartbeat.objects.first()
    since = (last.backlog_since if last and last.backlog_since else now) if found else None
    Heartbeat.objects.update_or_create(pk=1, defaults={"swept_at": now, "backlog": found, "backlog_since": since})


def _take_lease(pk: int) -> bool:
    now, tally = timezone.now(), Tally.objects.get(survey=pk)
    wait = LEASE * 2 ** min(tally.attempts, LEASE_DOUBLINGS_MAX)
    free = Tally.objects.filter(survey=pk, attempts=tally.attempts, claimable_at__lte=now)
    return free.update(attempts=tally.attempts + 1, claimable_at=now + wait) == 1


def _set_lease(pk: int, attempts: int, wait: timedelta) -> None:
    Tally.objects.filter(survey=pk).update(attempts=attempts, claimable_at=timezone.now() + wait)
