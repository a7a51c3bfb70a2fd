"""How often somebody came within a minute, told from others without keeping who they are.

Each is counted under a keyed hash, in memory only; the key and all counts are forgotten every minute.
"""

import hashlib
import secrets
from collections import Counter

WINDOW = 60.0  # seconds
KEPT_MAX = 200_000  # who is counted in a window; more go uncounted


class Window:
    """The counts of a minute. Times are in seconds, monotonic; `began` is when this one did."""

    def __init__(self, now: float) -> None:
        self._forget(now)

    def turn(self, now: float) -> None:
        """Forget everything once the minute is over."""
        if now - self.began >= WINDOW:
            self._forget(now)

    def mark(self, who: bytes, kind: str = "") -> bytes:
        """The hash under which somebody is counted in this minute, another one for each kind of asking."""
        return hashlib.blake2b(who, key=self._key, person=kind.encode(), digest_size=16).digest()

    def add(self, mark: bytes) -> int:
        """Count once more; the count, 0 for whoever goes uncounted."""
        if mark in self._counts or len(self._counts) < KEPT_MAX:
            self._counts[mark] += 1
        return self._counts[mark]

    def count(self, mark: bytes) -> int:
        return self._counts[mark]

    def _forget(self, now: float) -> None:
        self.began, self._key = now, secrets.token_bytes(32)
        self._counts: Counter[bytes] = Counter()
