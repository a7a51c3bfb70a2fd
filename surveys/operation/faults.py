"""Faults of visits, in the process log: one line a minute with their number, and each stack once.

A line for each fault would reveal when a person answered or read. And while a database is away, each try of each
browser would log a stack.
"""

import atexit
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable

from surveys.operation.counts import count_event
from surveys.operation.timers import Later, later
from surveys.operation.trails import Error, trail

MINUTE = 60.0  # seconds
STACKS_MAX = 64  # stacks remembered as written


class Faults:
    """The faults of a process. Any thread may add some."""

    def __init__(self, later: Later = later, clock: Callable[[], float] = time.time) -> None:
        self._later, self._clock, self._lock = later, clock, threading.Lock()
        self._counts: Counter[tuple[str, str]] = Counter()  # by description and place
        self._written: set[str] = set()

    def add(self, what: str, error: Error, count: int = 1) -> None:
        """Add a fault. Its line begins with `what`."""
        with self._lock:
            first = not self._counts
            self._counts[what, trail(error)] += count
        if first:
            self._later(MINUTE - self._clock() % MINUTE, self.write)

    def write(self) -> None:
        """Log the faults of the last minute."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        if counts:
            count_event("fault minute")
        for (what, places), count in counts.items():
            kind = places.partition("\n")[0]
            logging.getLogger("surveys.faults").error("%s, %d in a minute%s", what, count, self._new(places) or kind)

    def _new(self, places: str) -> str:
        with self._lock:
            if places in self._written or len(self._written) >= STACKS_MAX:
                return ""
            self._written.add(places)
        return places


FAULTS = Faults()
atexit.register(FAULTS.write)
