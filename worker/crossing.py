"""Crossings of a release: a row that somebody asked for, claimed by a worker, counted from the blocks, and kept.

As for files (worker/exports.py) the released blocks are the newest release at every moment, and are read by one
statement. Of each block only the bytes of the two questions are decoded, and nothing is kept but counts: memory does
not grow with the reports. A crossing is ready only if both questions' totals, counted from the very same
bytes, are the release's to the last integer (P11). Two questions of a joint form need no block: the release's
totals have their table.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
from django.db import connections
from django.utils import timezone

from ldp.crossing import Crossed, document
from ldp.forms import results
from ldp.forms.definition import questionnaire
from ldp.inference import crossed, jointly
from ldp.inference.jointly import Counts
from ldp.inference.variables import Variable, pair_of
from ldp.microdata import Table
from ldp.tally import Batch
from surveys.access import may_still_have
from surveys.definition.layout import Layout
from surveys.models import Crossing
from surveys.models.tally import nothing
from worker import batches, blocks
from worker.estimation import header
from worker.exports import released
from worker.job_expiry import TRIES_MAX, Abandoned

SAID_EVERY = 0.5  # seconds

Reason = Crossing.Reason


def make(pk: int) -> None:
    """Count a crossing, unless somebody does."""
    row = Crossing.claim(pk)
    if row is None:
        return
    try:
        if row.attempts > TRIES_MAX:
            raise Abandoned(Reason.TRIED)
        if not may_still_have(row, row.release.survey):
            raise Abandoned(Reason.REVOKED)
        pair = pair_of(row.release.survey.questions, row.first, row.second)
        made = document(header(row.release), _crossed(row, *pair))
    except Abandoned as abandoned:
        if abandoned.reason:
            row.mine().update(state=Crossing.State.FAILED, reason=abandoned.reason)
        return
    row.mine().update(state=Crossing.State.READY, document=made)


def _crossed(row: Crossing, first: Variable, second: Variable) -> Crossed:
    """From the tally of a joint form that has both, else from the reports. Abandoned where none is about both."""
    release, definition = row.release, row.release.survey.definition
    forms = questionnaire(definition).reports_about(first.question["key"], second.question["key"])
    if not any(release.tallies[form]["n"] for form in forms):
        raise Abandoned(Reason.NOBODY)
    jointly = results.crossing(definition, release.form_tallies, first, second)
    if jointly is not None:
        return jointly
    counts = _counted(row, forms, first, second)
    if not counts.ndim or not counts[0, 0]:
        raise Abandoned(Reason.NOBODY)
    return crossed.Crossing(first, second, counts)


def _counted(row: Crossing, forms: frozenset[int], first: Variable, second: Variable) -> Counts:
    """Over all reports of these forms. Abandoned where they are not those of the release."""
    release, pair = row.release, (first, second)
    places = {form: [_Place(Layout(release.survey.definition, form), variable) for variable in pair] for form in forms}
    counts, tallies = np.zeros((), dtype=np.int64), {form: nothing(1)[0] for form in forms}
    with _progress(row) as said:
        for form, block in released(release.survey):
            if form in forms:
                tables = (places[form][0].read(block), places[form][1].read(block))
                counts = counts + jointly.counts(first, second, [tables])
                totals = {place.key: place.totals for place in places[form]}
                batches.add(tallies[form], {"n": len(tables[0]), "totals": totals})
                said(sum(each["n"] for each in tallies.values()))
    for form, tally in tallies.items():
        whole = release.tallies[form]
        if tally["n"] != whole["n"] or any(whole["totals"][key] != own for key, own in tally["totals"].items()):
            raise Abandoned(Reason.DIFFERS if release.is_newest() else Reason.SUPERSEDED)
    return counts


@contextmanager
def _progress(row: Crossing) -> Iterator[Callable[[int], None]]:
    """To say how many reports were counted, now and then. By another connection, which is a thread's: what this one
    writes while it reads the blocks nobody would see, or, on SQLite, could not be written."""

    def write(n: int) -> int:
        return row.mine().update(counted=n, worked_at=timezone.now())

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
    """The place where a variable's question stands in a form's packed report, and what was last read of it."""

    def __init__(self, layout: Layout, variable: Variable) -> None:
        self._question: str = variable.question["key"]
        self._field = next(field for field in layout.fields if self._question in field.part.keys)
        self._bytes = self._field.start // 8, (self._field.start + self._field.width + 7) // 8
        self.key, self.totals = self._field.key, dict[str, list[int]]()

    def read(self, block: bytes) -> Table:
        """The question's columns of a block; `totals` are those of its part of the report."""
        rows, start = blocks.decode(block, *self._bytes), self._field.start % 8
        self.totals = self._field.part.tally(Batch(rows).field(start, self._field.width))
        return self._field.part.tables(rows, start)[self._question]
