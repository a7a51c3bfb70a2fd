"""Requested analyses of a release, computed from its reports, which are read once more.

As for files (worker/exports.py) the released blocks are the newest release at every moment, and are read by one
statement. Only the questions' bytes of each block are decoded, and only counts are kept. Counts are used only if the
questions' totals, from the very same bytes, are the release's to the last integer (P11).
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connections
from django.utils import timezone

from ldp.inference.variables import Variable
from ldp.microdata import MicrodataTable
from ldp.tally import Batch
from surveys.access import may_still_have
from surveys.life import summing
from surveys.models import AnalysisRun
from surveys.models.tally import FormCount, nothing
from surveys.researcher.analyses.frame.reports import NoReports
from surveys.researcher.analyses.registry import COUNTED
from surveys.survey.definition.layout import Layout
from worker import blocks
from worker.estimation import header
from worker.exports import released
from worker.job_expiry import TRIES_MAX, Abandoned

SAID_EVERY = 0.5  # seconds

Reason = AnalysisRun.Reason


def make(pk: int) -> None:
    """Compute and store a requested analysis, or the reason for none, unless another worker does."""
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
    analysis = COUNTED[run.kind]
    try:
        return analysis.document(header(run.release), analysis.from_json(run.specification), ReleasedReports(run))
    except NoReports:
        raise Abandoned(Reason.NOBODY) from None


class ReleasedReports:
    """The reports of a run's release (surveys/researcher/analyses/frame/reports.py)."""

    def __init__(self, run: AnalysisRun) -> None:
        self.run, self.release = run, run.release

    def read(
        self, variables: Mapping[int, Sequence[Variable]], add: Callable[[int, Mapping[str, MicrodataTable]], None]
    ) -> None:
        """Abandoned where the reports are not the release's."""
        layouts = {form: Layout(self.release.survey.definition, form) for form in variables}
        places = {form: _places(layouts[form], each) for form, each in variables.items()}
        tallies = {form: nothing(1)[0] for form in variables}
        with _progress(self.run) as progress:
            for form, block in released(self.release.survey):
                if form in places:
                    tables = {key: place.read(block) for key, place in places[form].items()}
                    add(form, tables)
                    totals = {place.key: place.totals for place in places[form].values()}
                    summing.add(tallies[form], {"n": len(next(iter(tables.values()))), "totals": totals})
                    progress(sum(tally["n"] for tally in tallies.values()))
        self._compare(tallies)

    def _compare(self, tallies: Mapping[int, FormCount]) -> None:
        for form, tally in tallies.items():
            whole = self.release.tallies[form]
            if tally["n"] != whole["n"] or any(whole["totals"][key] != own for key, own in tally["totals"].items()):
                raise Abandoned(Reason.DIFFERS if self.release.is_newest() else Reason.SUPERSEDED)


def _places(layout: Layout, variables: Sequence[Variable]) -> "dict[str, _Place]":
    return {each.question["key"]: _Place(layout, each) for each in variables}


@contextmanager
def _progress(run: AnalysisRun) -> Iterator[Callable[[int], None]]:
    """Store the number of counted reports now and then. A thread's own connection writes it: no one would see writes of
    the connection that reads the blocks, and SQLite could not store them."""

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


class _Place:
    """A variable's question in a form's packed report, and the totals last read of it."""

    def __init__(self, layout: Layout, variable: Variable) -> None:
        self._question: str = variable.question["key"]
        self._field = next(field for field in layout.fields if self._question in field.part.keys)
        self._bytes = self._field.start // 8, (self._field.start + self._field.width + 7) // 8
        self.key, self.totals = self._field.key, dict[str, list[int]]()

    def read(self, block: bytes) -> MicrodataTable:
        """The question's columns of a block; `totals` belong to its part of the report."""
        rows, start = blocks.decode(block, *self._bytes), self._field.start % 8
        self.totals = self._field.part.tally(Batch(rows).field(start, self._field.width))
        return self._field.part.tables(rows, start)[self._question]
