"""Counts of clients in a window of time, without storing who they are.

They are kept under keyed hashes, in memory only. The key and the counts are forgotten together.
"""

import hashlib
import math
import secrets
import threading
import time
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

MINUTE = 60.0  # seconds
KEPT_MAX = 200_000  # clients counted in a minute; further ones are not counted

T = TypeVar("T")


class WindowMoment(NamedTuple):
    """A window's key for marks, the time, and the time left until key and marks are forgotten, both in seconds."""

    key: bytes
    now: float
    left: float


def mark(key: bytes, kind: str, *parts: str | bytes) -> bytes:
    """Return the hash of a client under this key. Each kind of count has another hash."""
    digest = hashlib.blake2b(key=key, person=kind.encode(), digest_size=16)
    for part in parts:
        data = part.casefold().encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()


class Window(Generic[T]):
    """The counts of a process by mark. `clock` is monotonic."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._clock, self._turn = seconds, clock, threading.RLock()
        self._forget(clock())

    def moment(self) -> WindowMoment:
        with self._turn:
            now = self._clock()
            if now - self._began >= self._seconds:
                self._forget(now)
            return WindowMoment(self._key, now, self._began + self._seconds - now)

    def _forget(self, now: float) -> None:
        self._began, self._key = now, secrets.token_bytes(32)
        self._counts: dict[bytes, T] = {}


class WindowRate(Window[int]):
    """The number of requests of each client in a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(MINUTE, clock)

    def add(self, kind: str, who: bytes, limit: int) -> int:
        """Count a request. Return the whole seconds to wait if there were more than `limit` in this minute, else 0."""
        with self._turn:
            moment = self.moment()
            asker = mark(moment.key, kind, who)
            if asker not in self._counts and len(self._counts) >= KEPT_MAX:
                return 0
            self._counts[asker] = self._counts.get(asker, 0) + 1
            return _wait(moment) if self._counts[asker] > limit else 0

    def full(self, kind: str, who: bytes, limit: int) -> int:
        """Return the whole seconds until the next minute if there were at least `limit` in this one, else 0."""
        with self._turn:
            moment = self.moment()
            return _wait(moment) if self._counts.get(mark(moment.key, kind, who), 0) >= limit else 0


def _wait(moment: WindowMoment) -> int:
    return max(1, math.ceil(moment.left))
