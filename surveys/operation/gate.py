"""A gate before what costs time: one computation at a time in each process, and few that wait for it (P12)."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

WAITING_MAX = 4
PATIENCE = 20.0  # seconds


class Busy(Exception):
    """Too many wait already."""


class Gate:
    def __init__(self, waiting_max: int = WAITING_MAX, patience: float = PATIENCE) -> None:
        self._turn, self._count = threading.Lock(), threading.Lock()
        self._waiting, self._most, self._patience = 0, waiting_max, patience

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Busy where it is not this caller's turn in time."""
        with self._count:
            if self._waiting > self._most:
                raise Busy
            self._waiting += 1
        try:
            if not self._turn.acquire(timeout=self._patience):
                raise Busy
            try:
                yield
            finally:
                self._turn.release()
        finally:
            with self._count:
                self._waiting -= 1
