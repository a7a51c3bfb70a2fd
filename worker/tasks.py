"""The scheduled tasks. They take primary keys and may run twice or never: the rows say which work is left."""

import random
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import timedelta

from celery import group
from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, connection, transaction
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from surveys.life.lifecycle import close_survey
from surveys.models import AnalysisRun, Export, Recount, RecountPart, Release, Report, ReportId, Survey, Tally, Workbook
from surveys.models.jobs import Job
from surveys.models.report import KEEP_IDS
from surveys.operation import heartbeat
from surveys.respondent.invitations import book, counts, letters
from surveys.respondent.relay import keys
from surveys.survey.definition import relay
from surveys.transparency.check import manifest
from surveys.transparency.log import entries
from worker import alerts, analyses, exports, mail, recount, traces, troubles, turnout, workbooks
from worker.batches import lock, take
from worker.block_merge import join
from worker.celery import app
from worker.estimation import estimate as estimate_release
from worker.releases import drain, release

# Work that keeps failing is tried at every second sweep, every fourth and so on, at the rarest at one of 2^9. The sweep
# is drawn at random, so no times need to be stored with the reports.
HALVINGS_MAX = 9

# Seconds until a queued task is dropped. The next sweep sends it again.
EXPIRES = 5.0

# A recount whose messages were lost is sent again after this time. A block takes a fraction of a second.
RESEND = timedelta(seconds=30)

# How long a recount is kept for its user.
KEEP_RECOUNT = timedelta(days=1)
PURGE_BATCH = 10_000

# SQLite has one writer. Between two batches the intake can store reports.
PAUSE_SECONDS = 0.15


# How long a survey's reports are taken at a time. Other surveys, and the sweep, which also requests their estimates,
# wait for the same worker. With a sweep each second, half of the worker's time is left for them.
TURN_SECONDS = 0.5


@app.task
def sweep() -> None:
    """Close due surveys and start the work that the rows request."""
    for survey in Survey.objects.due(timezone.now()):
        close_survey(survey)
    work = list(unfinished().values_list("pk", "tally__attempts"))
    heartbeat.beat(behind=bool(work))
    for pk in _sometimes(work):
        process.apply_async((pk,), expires=EXPIRES)
    for pk in _sometimes(Release.objects.filter(document__isnull=True).values_list("pk", "attempts")):
        estimate.apply_async((pk,), expires=EXPIRES)
    for rows, task in JOBS.items():
        for pk in _sometimes(rows.waiting().values_list("pk", "attempts")):
            task.apply_async((pk,), expires=EXPIRES)
    destroy_keys()
    count_invitations()
    if settings.EMAIL_HOST and letters.any_waiting():
        post.apply_async(expires=EXPIRES)
    if time.monotonic() >= _turns["not before"] and alerts.any_due():
        _turns["not before"] = time.monotonic() + ALERTS_REST
        deliver_alerts.apply_async(expires=EXPIRES)
    if Tally.objects.filter(traces=True).exists() and time.monotonic() >= _removal["not before"]:
        _remove_traces()
    uncounted = RecountPart.objects.filter(recount=OuterRef("pk"), totals__isnull=True)
    for request in Recount.objects.filter(Exists(uncounted), dispatched_at__lte=timezone.now() - RESEND):
        dispatch(request)
    entries.sweep(manifest.digest(), timezone.now().date())  # last, because everything above is more urgent


def destroy_keys() -> None:
    """Destroy the signing keys of ended surveys by invitation, including surveys that the database closed at their last
    report, and the gateway's keys that no survey needs."""
    for digest in book.signing():
        if Survey.objects.filter(digest=digest, state=Survey.State.CLOSED).exists():
            book.end(digest)
    keys.destroy(_is_needed)


def _is_needed(key: keys.GatewayKey) -> bool:
    """Return whether a survey's reports are sealed for this key. The key is kept for a day after the survey's end, so
    that late respondents get the answer that the survey has ended."""
    named = Survey.objects.filter(canonical__contains=f'"key":"{relay.text_of(*key)}"')
    return named.exclude(state=Survey.State.CLOSED, closed_at__lt=timezone.now() - timedelta(days=1)).exists()


def count_invitations() -> None:
    """Store which invitations have been used, with each release of a survey by invitation."""
    counted = counts.last_releases()
    if not counted:
        return
    newest = Release.objects.filter(survey__digest__in=counted).values_list("survey__digest", "survey__batch")
    for digest, batch, number in newest.annotate(newest=Max("number")):
        if number > counted[digest]:
            counts.count(digest, number, batch)


# Alerts to receivers that never answer occupy the worker of estimates for only a part of its time.
ALERTS_REST = 20
_turns = {"not before": 0.0}


# Rewriting a long table of waiting reports delays the intake, so it is done rarely.
TRACES_REST = 20
_removal = {"not before": 0.0}


def _remove_traces() -> None:
    started = time.monotonic()
    traces.remove()
    ended = time.monotonic()
    _removal["not before"] = ended + TRACES_REST * (ended - started)


@app.task
def process(pk: int) -> None:
    """Take a survey's waiting reports, batch by batch, and make its next release if one is due."""
    survey, started = Survey.objects.filter(pk=pk).first(), time.monotonic()
    if survey is None or not _count_attempt(pk):
        return  # deleted, or a worker is at it
    if survey.state == Survey.State.CLOSED and not drain(survey):
        return
    while take(survey):
        if connection.vendor == "sqlite":
            time.sleep(PAUSE_SECONDS)
        if time.monotonic() - started >= TURN_SECONDS:
            break  # the next sweep continues
    release(survey, timezone.now().date())
    while join(survey):
        pass
    Tally.objects.filter(survey=pk).exclude(attempts=0).update(attempts=0)


def _count_attempt(pk: int) -> bool:
    """Count an attempt to take a survey's reports; return False if a worker is already taking them. It is counted here,
    not when the message is sent, because a message that a busy worker drops is no failure."""
    with transaction.atomic():
        tally = lock(pk)
        return tally is not None and Tally.objects.filter(pk=tally.pk).update(attempts=F("attempts") + 1) == 1


# Exact intervals of the largest questions take a minute or two at ten million reports, at three confidences.
@app.task(soft_time_limit=280, time_limit=300)
def estimate(pk: int) -> None:
    """Compute a release's estimates, unless it was deleted with its survey."""
    if release := Release.objects.select_related("survey").filter(pk=pk).first():
        estimate_release(release)


# In the queue of estimates, so that requests for files do not delay counts.
@app.task(soft_time_limit=280, time_limit=300)
def export(pk: int) -> None:
    """Make the files of a release's reports."""
    _unless_deleted(Export, exports.make, pk)


@app.task(soft_time_limit=280, time_limit=300)
def analyze(pk: int) -> None:
    """Compute an analysis of a release."""
    _unless_deleted(AnalysisRun, analyses.make, pk)


@app.task(soft_time_limit=280, time_limit=300)
def write_workbook(pk: int) -> None:
    """Make a workbook."""
    _unless_deleted(Workbook, workbooks.make, pk)


# The jobs that users request, each with its task.
JOBS = {Export: export, AnalysisRun: analyze, Workbook: write_workbook}


def _unless_deleted(rows: type[Job], make: Callable[[int], None], pk: int) -> None:
    """Do the requested job, unless it was deleted with its survey, before or meanwhile."""
    try:
        make(pk)
    except (ObjectDoesNotExist, DatabaseError):
        if rows._default_manager.filter(pk=pk).exists():
            raise


# In the queue of estimates: a mail server may be slow, and no batch should wait for it.
@app.task
def post() -> None:
    """Send letters to invited people."""
    mail.turn()


@app.task
def notice() -> None:
    """Store new alerts."""
    alerts.notice()


@app.task
def count_people() -> None:
    """Publish how many people have answered."""
    turnout.count(timezone.now())


# As slow as the receivers.
@app.task
def deliver_alerts() -> None:
    """Deliver the alerts that are due."""
    alerts.turn()


@app.task
def tell() -> None:
    """Report the state of letters for /metrics, and the machine's troubles to its owners."""
    mail.tell()
    troubles.tell()


@app.task
def purge() -> None:
    """Delete the ids of taken reports some time after their survey's end, old recounts and old deliveries.

    Until the end an id must stay, or a late retry would be counted again. After the end no report is taken, and an id
    only gives a retry 200 in place of 410.
    """
    now = timezone.now()
    Recount.objects.filter(dispatched_at__lte=now - KEEP_RECOUNT).delete()
    alerts.purge(now)
    for survey in Survey.objects.filter(state=Survey.State.CLOSED):
        while join(survey):  # blocks that a recount needed when the survey ended
            pass
    for survey in Survey.objects.filter(closed_at__lte=now - KEEP_IDS):
        while _delete_some(survey):
            pass


def _delete_some(survey: Survey) -> int:
    table = ReportId._meta.db_table
    some = f"SELECT id FROM {table} WHERE survey_id = %(survey)s LIMIT %(most)s"
    with connection.cursor() as cursor:
        names = {"survey": survey.pk, "most": PURGE_BATCH}
        cursor.execute(f"DELETE FROM {table} WHERE survey_id = %(survey)s AND id IN ({some})", names)
        return int(cursor.rowcount)


@app.task
def count_part(pk: int) -> None:
    """Count one block of a recount, unless it was deleted with its survey."""
    with suppress(RecountPart.DoesNotExist):
        recount.count_part(pk)


def dispatch(request: Recount) -> None:
    """Send the missing parts of a recount to the workers."""
    group(count_part.s(pk) for pk in recount.missing(request).values_list("pk", flat=True)).apply_async()
    Recount.objects.filter(pk=request.pk).update(dispatched_at=timezone.now())


def unfinished() -> QuerySet[Survey]:
    """Return the open surveys with work and the ended surveys that lack a final release. An open survey has work if a
    form has a full batch waiting, or an attempt has not ended well, after which a release may be due. Ended surveys
    marked as having too few reports are left out."""
    of_survey = Report.objects.filter(survey=OuterRef("pk")).order_by()
    waiting = Subquery(of_survey.values("survey", "form").annotate(n=Count("id")).order_by("-n").values("n")[:1])
    due = Q(waiting__gte=F("batch")) | Q(tally__attempts__gt=0)
    final = Exists(Release.objects.filter(survey=OuterRef("pk"), final=True))
    ended = Q(state=Survey.State.CLOSED, tally__isnull=False, tally__fewer_than=None) & ~Q(final)
    return Survey.objects.annotate(waiting=waiting).filter(Q(due, state=Survey.State.OPEN) | ended)


def _sometimes(work: Iterable[tuple[int, int]]) -> list[int]:
    """Return the keys, from pairs (key, attempts), whose turn it is."""
    return [pk for pk, attempts in work if random.random() < 2.0 ** -min(attempts, HALVINGS_MAX)]
