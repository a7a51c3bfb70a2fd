"""How often a token, an account or a client may ask, told from others without keeping who they are.

Each is counted under a keyed hash, in memory only; the key and all counts are forgotten every minute. Each process
counts for itself.
"""

import hashlib
import math
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable

WINDOW = 60.0  # seconds
KEPT_MAX = 200_000  # askers of a window; more go uncounted


class Counts:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._turn = clock, threading.Lock()
        self._forget(clock())

    def add(self, kind: str, who: bytes, limit: int) -> int:
        """Count a request; the whole seconds to wait if it is more than `limit` of a window, else 0."""
        with self._turn:
            mark = self._mark(kind, who)
            if mark in self._counts or len(self._counts) < KEPT_MAX:
                self._counts[mark] += 1
            return self._wait(mark, limit)

    def full(self, kind: str, who: bytes, limit: int) -> int:
        """The whole seconds until the next window if there were `limit` requests or more in this one, else 0."""
        with self._turn:
            return self._wait(self._mark(kind, who), limit - 1)

    def _wait(self, mark: bytes, limit: int) -> int:
        over = self._counts[mark] > limit if mark in self._counts else limit < 0
        return max(1, math.ceil(self._began + WINDOW - self._clock())) if over else 0

    def _mark(self, kind: str, who: bytes) -> bytes:
        now = self._clock()
        if now - self._began >= WINDOW:
            self._forget(now)
        return hashlib.blake2b(who, key=self._key, person=kind.encode(), digest_size=16).digest()

    def _forget(self, now: float) -> None:
        self._began, self._key = now, secrets.token_bytes(32)
        self._counts: Counter[bytes] = Counter()


COUNTS = Counts()
