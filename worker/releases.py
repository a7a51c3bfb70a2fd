"""Releases: what can be seen of a survey's reports changes only from release to release (P11)."""

from datetime import date

from django.db import connection, transaction

from surveys.life.summing import totals_digest
from surveys.models import GROWTH, Block, Release, Report, Survey, Tally
from worker import batches, traces
from worker.erasure import erase


def release(survey: Survey, day: date) -> Release | None:
    """Make and return the survey's next release, None if none is due. It is due if the tally has grown enough, or if
    the survey has ended and no report waits. A survey that publishes once has no release before its end.

    If the survey ended after `survey` was read, return None: the next call releases with nothing held back. An ended
    survey erases the reports of each form with too few. If every form has too few, it never has a release.
    """
    with transaction.atomic():
        tally = batches.lock(survey.pk, waits=True)  # or taken reports would be released only with the next batch
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
    """Return whether no report of the ended survey waits any more; False if they were too few and erased."""
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
    """Wait until every report that saw the survey open has been stored. Return False if that takes too long.

    On PostgreSQL the statement of such a report locks the table until it has committed, and every later one sees that
    the survey is closed. SQLite stores one report after the other, so there is nothing to wait for.
    """
    if connection.vendor != "postgresql":
        return True
    with transaction.atomic(), connection.cursor() as cursor:
        return traces.lock_reports(cursor, "SHARE")
