"""Requested analyses of a release, computed from its stored reports."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connections
from django.utils import timezone

from surveys.access import may_still_have
from surveys.models import AnalysisRun
from surveys.researcher.analyses.frame.reports import NoReports, TooFewReached
from surveys.researcher.analyses.registry import COUNTED
from worker.estimation import header
from worker.job_expiry import TRIES_MAX, Abandoned
from worker.released_reports import ReleasedReports

SAID_EVERY = 0.5  # seconds

Reason = AnalysisRun.Reason


def make(pk: int) -> None:
    """Compute and store a requested analysis, or the reason for its failure, unless another worker does."""
    run = AnalysisRun.claim(pk)
    if run is None:
        return
    try:
        document = _document(run)
    except Abandoned as abandoned:
        if abandoned.reason:
            run.mine().update(state=AnalysisRun.State.FAILED, reason=abandoned.reason)
        return
    run.mine().update(state=AnalysisRun.State.READY, document=document)


def _document(run: AnalysisRun) -> Any:
    if run.attempts > TRIES_MAX:
        raise Abandoned(Reason.TRIED)
    if not may_still_have(run, run.release.survey):
        raise Abandoned(Reason.REVOKED)
    analysis, reports = COUNTED[run.kind], ReleasedReports(run.release, lambda: _progress(run))
    try:
        return analysis.document(header(run.release), analysis.from_json(run.specification), reports)
    except TooFewReached:
        raise Abandoned(Reason.FEW_ASKED) from None
    except NoReports:
        raise Abandoned(Reason.NOBODY) from None


@contextmanager
def _progress(run: AnalysisRun) -> Iterator[Callable[[int], None]]:
    """Yield a function that stores the number of counted reports, at most every SAID_EVERY seconds. It writes in a
    thread with another connection: the connection that reads the blocks would hide its writes until it is done, and
    SQLite could not store them."""

    def write(n: int) -> int:
        return run.mine().update(counted=n, worked_at=timezone.now())

    def say(n: int) -> None:
        if time.monotonic() >= next_at[0]:
            if not other.submit(write, n).result():
                raise Abandoned
            next_at[0] = time.monotonic() + SAID_EVERY

    next_at = [time.monotonic() + SAID_EVERY]
    with ThreadPoolExecutor(max_workers=1) as other:
        try:
            yield say
        finally:
            other.submit(connections.close_all).result()
