"""How often a token, an account or a client may ask, told from others without keeping who they are.

Each process counts for itself, and forgets every minute (surveys/operation/window.py).
"""

import math
import threading
import time
from collections.abc import Callable

from surveys.operation.window import WINDOW, Window


class Counts:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._turn = clock, threading.Lock()
        self._window = Window(clock())

    def add(self, kind: str, who: bytes, limit: int) -> int:
        """Count a request; the whole seconds to wait if it is more than `limit` of a window, else 0."""
        with self._turn:
            return self._wait(self._window.add(self._mark(kind, who)), limit)

    def full(self, kind: str, who: bytes, limit: int) -> int:
        """The whole seconds until the next window if there were `limit` requests or more in this one, else 0."""
        with self._turn:
            return self._wait(self._window.count(self._mark(kind, who)), limit - 1)

    def _wait(self, count: int, limit: int) -> int:
        return max(1, math.ceil(self._window.began + WINDOW - self._clock())) if count > limit else 0

    def _mark(self, kind: str, who: bytes) -> bytes:
        self._window.turn(self._clock())
        return self._window.mark(who, kind)


COUNTS = Counts()
