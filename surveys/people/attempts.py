"""Attempts to sign in: after a few wrong ones a name, and a client, must wait, each time longer.

Kept in memory only, under keyed hashes; the key and all counts are forgotten every hour. Each process counts for
itself.
"""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

WINDOW = 3600.0  # seconds until everything is forgotten
# Attempts before the first pause; many people may share an address.
FREE = {"name": 5, "client": 10, "device": 5}
LONGEST = 60.0  # seconds of a pause: whoever is attacked gets a turn again
KEPT_MAX = 100_000  # names and clients; beyond, those go that were tried longest ago


@dataclass
class Count:
    wrong: int = 0
    free_at: float = 0.0


class Attempts:
    """Each attempt counts as a wrong one when it is admitted, so that a hundred at once are not all free."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, longest: float = LONGEST) -> None:
        self._clock, self._longest, self._turn = clock, longest, threading.Lock()
        self._forget(clock())

    def admit(self, name: str, client: bytes | None, device: bytes | None = None) -> float:
        """The seconds to wait; 0 where this attempt may be made now, and counts."""
        with self._turn:
            now = self._clock()
            if now - self._began >= WINDOW:
                self._forget(now)
            counts = [
                (FREE[kind], self._counts.get(mark, Count()), mark) for kind, mark in self._marks(name, client, device)
            ]
            pause = max((count.free_at - now for _, count, _ in counts), default=0.0)
            if pause > 0:
                return pause
            for free, count, mark in counts:
                count.wrong += 1
                if count.wrong >= free:
                    count.free_at = now + min(2.0 ** (count.wrong - free), self._longest)
                self._counts.pop(mark, None)
                self._counts[mark] = count  # at the end
            while len(self._counts) > KEPT_MAX:
                del self._counts[next(iter(self._counts))]
            return 0.0

    def succeeded(self, name: str, client: bytes | None, device: bytes | None = None) -> None:
        """The attempt was right: the name is free again, and other people's wrong attempts at it hold this client no
        more."""
        with self._turn:
            self._counts.pop(self._mark("name", name), None)
            if device is not None:
                self._counts.pop(self._mark("device", device), None)
            if client is not None:
                self._known.add(self._mark("pair", name, client))
                count = self._counts.get(self._mark("client", client), Count())
                count.wrong, count.free_at = max(count.wrong - 1, 0), 0.0

    def _marks(self, name: str, client: bytes | None, device: bytes | None) -> list[tuple[str, bytes]]:
        """What an attempt counts for. A name alone does not hold a client that has signed in with it, and a device
        that has is held by its own attempts only (devices.py)."""
        if device is not None:
            return [("device", self._mark("device", device))]
        known = client is not None and self._mark("pair", name, client) in self._known
        marks = [] if known else [("name", self._mark("name", name))]
        return marks if client is None else [*marks, ("client", self._mark("client", client))]

    def _mark(self, kind: str, *parts: str | bytes) -> bytes:
        digest = hashlib.blake2b(key=self._key, person=kind.encode(), digest_size=16)
        for part in parts:
            data = part.casefold().encode("utf-8", "surrogatepass") if isinstance(part, str) else part
            digest.update(len(data).to_bytes(8, "big") + data)
        return digest.digest()

    def _forget(self, now: float) -> None:
        self._began, self._key = now, secrets.token_bytes(32)
        self._counts: dict[bytes, Count] = {}
        self._known: set[bytes] = set()
