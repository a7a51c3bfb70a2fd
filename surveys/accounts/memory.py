"""Counts of attempts to sign in, kept in memory. The key of their marks is forgotten every hour with all counts."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from surveys.operation.window import Window, WindowMoment

HOUR = 3600  # seconds until everything is forgotten
KEPT_MAX = 100_000  # names and clients; beyond that, the least recently used are forgotten

T = TypeVar("T")


class Count(NamedTuple):
    wrong: int = 0
    free_at: float = 0.0


# A rule takes the counts of some marks, all read at one moment. It returns an answer and the new counts.
Rule = Callable[[Sequence[Count]], tuple[T, Sequence[Count]]]


class Memory(Protocol):
    def moment(self) -> WindowMoment: ...

    def change(self, moment: WindowMoment, marks: Sequence[bytes], rule: Rule[T]) -> T:
        """Apply the rule while no one else changes these counts. Return its answer."""

    def drop(self, marks: Sequence[bytes]) -> None:
        """Forget these counts."""

    def remember(self, moment: WindowMoment, mark: bytes) -> None:
        """Make `knows` true of this mark until the window ends."""

    def knows(self, mark: bytes) -> bool: ...


class ProcessMemory(Window[Count]):
    """Counts in the memory of this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(HOUR, clock)

    def change(self, moment: WindowMoment, marks: Sequence[bytes], rule: Rule[T]) -> T:
        with self._turn:
            before = [self._counts.get(mark, Count()) for mark in marks]
            answer, after = rule(before)
            for mark, count in zip(marks, after, strict=True):
                if count != self._counts.get(mark):
                    self._counts.pop(mark, None)
                    self._counts[mark] = count  # moves it to the end
            while len(self._counts) > KEPT_MAX:
                del self._counts[next(iter(self._counts))]
            return answer

    def drop(self, marks: Sequence[bytes]) -> None:
        with self._turn:
            for mark in marks:
                self._counts.pop(mark, None)

    def remember(self, moment: WindowMoment, mark: bytes) -> None:
        with self._turn:
            self._known.add(mark)

    def knows(self, mark: bytes) -> bool:
        return mark in self._known

    def _forget(self, now: float) -> None:
        super()._forget(now)
        self._known: set[bytes] = set()
