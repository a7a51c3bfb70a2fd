"""Releases: the only moments at which anything visible of a survey's reports changes (P11)."""

from datetime import date

from django.db import connection, transaction

from surveys.life.summing import totals_digest
from surveys.models import GROWTH, Block, Release, Report, Survey, Tally
from worker import batches, traces
from worker.erasure import erase


def release(survey: Survey, day: date) -> Release | None:
    """Make the survey's next release if it is due: grown enough, or the survey ended and everything taken. A survey
    that publishes once has none before its end.

    None where it ended after `survey` was read: waiting reports are then taken without holding any back. None, for
    ever, where it ended with too few reports of every form: these are erased, like the reports of any form with too
    few.
    """
    with transaction.atomic():
        tally = batches.lock(survey.pk)
        if tally is None or not Survey.objects.filter(pk=survey.pk, state=survey.state).exists():
            return None
        last = Release.objects.filter(survey=survey).order_by("number").last()
        final = survey.state == Survey.State.CLOSED
        if (last and last.final) or not (_ended(survey, tally) if final else _grown(survey, tally, last)):
            return None
        if final:
            erase(survey, tally)
        return None if tally.fewer_than else _make(survey, tally, last, day, final)


def _grown(survey: Survey, tally: Tally, last: Release | None) -> bool:
    before = last.n if last else 0
    return not survey.publishes_once and tally.n - before >= max(survey.batch_size, before / GROWTH)


def _ended(survey: Survey, tally: Tally) -> bool:
    """Whether none of the ended survey's reports waits any more; false once they were too few."""
    return tally.fewer_than is None and not Report.objects.filter(survey=survey).exists()


def _make(survey: Survey, tally: Tally, last: Release | None, day: date, final: bool) -> Release:
    if final:
        for form in range(len(tally.tallies)):
            batches.let_go(survey, tally, form)
        tally.traces = True  # of copies of taken reports, which may have been the last to wait
        tally.save()
    Block.objects.filter(survey=survey, stage=Block.Stage.READY).update(stage=Block.Stage.RELEASED)
    number = last.number + 1 if last else 1
    digest = totals_digest(tally.tallies)
    return Release.objects.create(
        survey=survey, number=number, day=day, final=final, n=tally.n, tallies=tally.tallies, digest=digest
    )


def drain(survey: Survey) -> bool:
    """Wait until no report that still saw the survey as open is on its way; False if that takes too long.

    On PostgreSQL such a report's statement holds a lock of the table until it has committed, and every later one sees
    that the survey is closed. SQLite stores one report after the other.
    """
    if connection.vendor != "postgresql":
        return True
    with transaction.atomic(), connection.cursor() as cursor:
        return traces.lock_reports(cursor, "SHARE")
