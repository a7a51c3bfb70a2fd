"""Crossings of a release: a row that somebody asked for, claimed by a worker, counted from the blocks, and kept.

As for files (worker/exports.py) the released blocks are the newest release at every moment, and are read by one
statement. Of each block only the bytes of the two questions are decoded, and nothing is kept but counts: memory does
not grow with the reports. A crossing is ready only if both questions' totals, counted from the very same
bytes, are the release's to the last integer (P11).
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
from django.db import connections
from django.utils import timezone

from ldp.crossing import document
from ldp.inference import crossed, jointly
from ldp.inference.jointly import Counts
from ldp.inference.variables import Variable, pair_of
from ldp.mechanisms import of
from ldp.microdata import Table, unpacked
from ldp.scores import Totals
from ldp.tally import Batch
from surveys.access import may_still_have
from surveys.definition.layout import Field, Layout
from surveys.models import Crossing, Survey
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
        counts = _counted(row, *pair)
        if not counts[0, 0]:
            raise Abandoned(Reason.NOBODY)
        made = document(header(row.release), crossed.Crossing(*pair, counts))
    except Abandoned as abandoned:
        if abandoned.reason:
            row.mine().update(state=Crossing.State.FAILED, reason=abandoned.reason)
        return
    row.mine().update(state=Crossing.State.READY, document=made)


def _counted(row: Crossing, first: Variable, second: Variable) -> Counts:
    """Over all reports of the release. Abandoned where they are not those of the release."""
    release, places = row.release, (_Place(row.release.survey, first), _Place(row.release.survey, second))
    n, counts, totals = 0, np.zeros((), dtype=np.int64), dict[str, Any]()
    with _progress(row) as said:
        for block in released(release.survey):
            tables = (places[0].read(block), places[1].read(block))
            counts = counts + jointly.counts(first, second, [tables])
            batches.add(totals, {place.key: place.totals for place in places})
            n += len(tables[0])
            said(n)
    if n != release.n or any(totals[place.key] != release.totals[place.key] for place in places):
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
    """The place where a variable's question stands in a packed report, and what was last read of it."""

    def __init__(self, survey: Survey, variable: Variable) -> None:
        self.key: str = variable.question["key"]
        self.totals: Totals = {}
        self._randomizer = of(variable.question)
        field = next(field for field in Layout(survey.definition).fields if field.key == self.key)
        self._bytes = field.start // 8, (field.start + field.width + 7) // 8
        self._field = Field(self.key, field.start % 8, field.width)

    def read(self, block: bytes) -> Table:
        """The question's columns of a block; `totals` are theirs."""
        rows = blocks.decode(block, *self._bytes)
        self.totals = self._randomizer.tally(Batch(rows).field(self._field.start, self._field.width))
        return unpacked(rows, self._field.start, self._randomizer.packing().columns)
