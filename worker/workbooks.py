"""Workbooks of releases. A request is a row; a worker claims it and makes the workbook from the release. A survey keeps
its newest ones."""

import time
from collections.abc import Callable

from django.utils import timezone
from django.utils.translation import override

from surveys.models import Survey, Workbook
from surveys.researcher.workbook import tables
from worker.job_expiry import TRIES_MAX, Abandoned

# How many a survey keeps: in some languages, with and without waves that only some users may see.
NEWEST = 8
NOTED_EVERY = 0.5  # seconds


def make(pk: int) -> None:
    """Make a workbook, unless another worker does."""
    row = Workbook.claim(pk)
    if row is None:
        return
    if row.attempts > TRIES_MAX:
        _end(row, Workbook.State.FAILED, reason=Workbook.Reason.TRIED)
        return
    waves = tuple((slug, number) for slug, number in row.waves)
    try:
        with override(row.language):
            content = tables.workbook_bytes(row.release, waves, _noted(row))
    except Abandoned:
        return
    if _end(row, Workbook.State.READY, content=content):
        _remove_old(row.release.survey)


def _end(row: Workbook, state: Workbook.State, **fields: object) -> bool:
    """Store the end of a job. Return whether the row was still this worker's. Only the day of its time is kept: a
    visitor without an account may have requested it, and the moment is private."""
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    return row.mine().update(state=state, worked_at=midnight, **fields) == 1


def _noted(row: Workbook) -> Callable[[], None]:
    """Return a function to be called at each step. It stores the progress at most every NOTED_EVERY seconds, and raises
    Abandoned if another worker has the row."""
    done, next_at = 0, time.monotonic() + NOTED_EVERY

    def step() -> None:
        nonlocal done, next_at
        done += 1
        if time.monotonic() >= next_at:
            if not row.mine().update(written=done, worked_at=timezone.now()):
                raise Abandoned
            next_at = time.monotonic() + NOTED_EVERY

    return step


def _remove_old(survey: Survey) -> None:
    ready = Workbook.objects.filter(release__survey=survey, state=Workbook.State.READY)
    newest = ready.order_by("-pk").values_list("pk", flat=True)[:NEWEST]
    ready.exclude(pk__in=list(newest)).delete()
