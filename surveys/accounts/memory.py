"""The place where attempts to sign in are counted: in memory, under marks whose key is forgotten every hour with all
counts."""

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar

WINDOW = 3600  # seconds until everything is forgotten
KEPT_MAX = 100_000  # names and clients; beyond, those go that were tried longest ago

T = TypeVar("T")


class Count(NamedTuple):
    wrong: int = 0
    free_at: float = 0.0


class Hour(NamedTuple):
    """The key of this hour's marks, the moment, and the seconds until both are forgotten."""

    key: bytes
    now: float
    left: float


# From the counts of some marks, at one moment, what is answered and what they become.
Rule = Callable[[Sequence[Count]], tuple[T, Sequence[Count]]]


class Memory(Protocol):
    def hour(self) -> Hour: ...

    def change(self, hour: Hour, marks: Sequence[bytes], rule: Rule[T]) -> T:
        """Apply the rule; nobody else changes these counts meanwhile."""

    def drop(self, marks: Sequence[bytes]) -> None:
        """Forget these counts."""

    def remember(self, hour: Hour, mark: bytes) -> None:
        """`knows` is true of it until the hour ends."""

    def knows(self, mark: bytes) -> bool: ...


class OwnMemory:
    """The memory of this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._turn = clock, threading.Lock()
        self._forget(clock())

    def hour(self) -> Hour:
        with self._turn:
            now = self._clock()
            if now - self._began >= WINDOW:
                self._forget(now)
            return Hour(self._key, now, self._began + WINDOW - now)

    def change(self, hour: Hour, marks: Sequence[bytes], rule: Rule[T]) -> T:
        with self._turn:
            before = [self._counts.get(mark, Count()) for mark in marks]
            answer, after = rule(before)
            for mark, count in zip(marks, after, strict=True):
                if count != self._counts.get(mark):
                    self._counts.pop(mark, None)
                    self._counts[mark] = count  # at the end
            while len(self._counts) > KEPT_MAX:
                del self._counts[next(iter(self._counts))]
            return answer

    def drop(self, marks: Sequence[bytes]) -> None:
        with self._turn:
            for mark in marks:
                self._counts.pop(mark, None)

    def remember(self, hour: Hour, mark: bytes) -> None:
        with self._turn:
            self._known.add(mark)

    def knows(self, mark: bytes) -> bool:
        return mark in self._known

    def _forget(self, now: float) -> None:
        self._began, self._key = now, secrets.token_bytes(32)
        self._counts: dict[bytes, Count] = {}
        self._known: set[bytes] = set()
