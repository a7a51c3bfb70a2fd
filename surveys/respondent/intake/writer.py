"""The writer. One thread stores each group of waiting reports with one commit, so the loop never waits for a disk.

Only the loop changes the list. The next group gathers while one is stored; a single report is stored at once.
"""

import asyncio
import queue
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from surveys.respondent.intake.storage import Outcome, Row

GROUP_MAX = 1024  # rows in a statement
WAITING_MAX = 8192  # reports of all surveys
# Reports of one survey. A flood of one survey leaves room for the others, at most two groups from the disk.
SURVEY_MAX = 1024

# Clients with a reply send their next reports one after the other. If the first were stored alone, the others would
# wait for it, and every second flush would carry one report. So if fewer than half as many wait as were here just now
# (_crowd), the writer waits for more: for this share of the last group's time, and at most PATIENCE_MAX seconds,
# because a slow group is a sign of trouble.
PATIENCE = 0.5
PATIENCE_MAX = 0.05

Store = Callable[[Sequence[Row]], Sequence[Outcome | Exception]]


class _Waiting(NamedTuple):
    row: Row
    outcome: "asyncio.Future[Outcome]"
    since: float


class Writer:
    """The writer of a loop. It calls `store` in its thread, for one group at a time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, store: Store) -> None:
        self._loop, self._store = loop, store
        self._waiting: list[_Waiting] = []
        self._of_survey: Counter[int] = Counter()  # reports that wait or are in the thread
        self._busy = False  # a group is in the thread, or will be
        self._patience: asyncio.TimerHandle | None = None
        self._crowd = 1  # reports when the last group ended, answered or waiting
        self._began = self._ended = float("-inf")
        self._under_way: list[_Waiting] = []
        self._groups: queue.SimpleQueue[list[_Waiting]] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="writer", daemon=True).start()

    def full(self, survey_id: int) -> bool:
        """Return whether too many reports wait to take another of this survey."""
        return len(self._waiting) >= WAITING_MAX or self._of_survey[survey_id] >= SURVEY_MAX

    def put(self, row: Row) -> "asyncio.Future[Outcome]":
        """Queue a row. Return the future of its outcome, or of the error that storing it raised."""
        outcome: asyncio.Future[Outcome] = self._loop.create_future()
        self._waiting.append(_Waiting(row, outcome, self._loop.time()))
        self._of_survey[row.survey_id] += 1
        if not self._busy:
            self._plan()
        elif self._patience and len(self._waiting) >= self._crowd:
            self._patience.cancel()
            self._patience = None
            self._loop.call_soon(self._hand_over)
        return outcome

    def give_up(self, since: float) -> None:
        """Answer TimeoutError to all rows that were put before `since`. Their reports may still be stored, and are
        known then."""
        for waiting in (*self._under_way, *self._waiting):
            if waiting.since < since and not waiting.outcome.done():
                waiting.outcome.set_exception(TimeoutError())

    @property
    def idle(self) -> bool:
        return not self._busy

    def _plan(self) -> None:
        """Hand over once the requests of this turn of the loop are in the list, or after some patience."""
        self._busy = True
        lasted = self._ended - self._began
        if self._loop.time() < self._ended + lasted and 2 * len(self._waiting) < self._crowd:
            self._patience = self._loop.call_later(min(PATIENCE * lasted, PATIENCE_MAX), self._hand_over)
        else:
            self._loop.call_soon(self._hand_over)

    def _hand_over(self) -> None:
        self._patience, self._began = None, self._loop.time()
        group, self._waiting = self._waiting[:GROUP_MAX], self._waiting[GROUP_MAX:]
        self._under_way = group
        self._groups.put(group)

    def _run(self) -> None:
        while True:
            group = self._groups.get()
            outcomes: Sequence[Outcome | Exception]
            try:
                outcomes = self._store([waiting.row for waiting in group])
            except Exception as error:  # an error of one group does not affect the next
                outcomes = [error] * len(group)
            self._loop.call_soon_threadsafe(self._release, group, outcomes)

    def _release(self, group: list[_Waiting], outcomes: Sequence[Outcome | Exception]) -> None:
        self._of_survey -= Counter([waiting.row.survey_id for waiting in group])  # no entry of 0 stays
        for waiting, outcome in zip(group, outcomes, strict=True):
            if waiting.outcome.done():  # the client no longer waits
                continue
            if isinstance(outcome, Exception):
                waiting.outcome.set_exception(outcome)
            else:
                waiting.outcome.set_result(outcome)
        self._ended = self._loop.time()
        self._crowd = len(group) + len(self._waiting)
        self._busy = False
        if self._waiting:
            self._plan()
