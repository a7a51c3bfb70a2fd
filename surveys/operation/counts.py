"""Counts for /metrics, in Redis, so coarse that they reveal no single report and no moment of one.

Each process counts visits by itself and writes them on the hour, in hundreds. The remainder stays for the next hour,
and each process starts with a random, secret remainder: one report more changes what is written in one case of a
hundred, and then reveals its hour. The argument is in docs/developers/protection.md.
"""

import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache

import redis
from django.conf import settings

from surveys.operation.broker import client
from surveys.operation.timers import Later, later

HOUR = 3600.0  # seconds
STEP = 100
SLOW = (0.1, 1.0)  # seconds; slower answers are counted
PATIENCE = 0.5

LEVEL_SECONDS = 600

_BY_LOT, _EVENTS, _LEVEL, _ONCE = "deniable:counts", "deniable:events", "deniable:level:", "deniable:once:"
_connected = lru_cache(maxsize=1)(client)  # by URL and patience

Write = Callable[[dict[str, int]], bool]


def _add_all(key: str, counts: dict[str, int]) -> bool:
    """Add the counts in Redis; return whether it took them."""
    try:
        with _connected(settings.REDIS_URL, PATIENCE).pipeline() as pipe:
            for name, count in counts.items():
                pipe.hincrby(key, name, count)
            pipe.execute()
        return True
    except redis.RedisError:
        return False


class Hourly:
    """The counts of one process; any thread may add to them."""

    def __init__(self, write: Write, later: Later = later, clock: Callable[[], float] = time.time) -> None:
        self._write, self._later, self._clock, self._lock = write, later, clock, threading.Lock()
        self._counts: Counter[str] = Counter()
        self._waits = False

    def add(self, *names: str) -> None:
        with self._lock:
            for name in names:
                if name not in self._counts:
                    self._counts[name] = secrets.randbelow(STEP)
                self._counts[name] += 1
            first, self._waits = not self._waits, True
        if first:
            self._later(HOUR - self._clock() % HOUR, self.write)

    def write(self) -> None:
        """Write the full hundreds. Counts that Redis does not take wait for the next hour."""
        with self._lock:
            self._waits = False
            full = {name: count - count % STEP for name, count in self._counts.items() if count >= STEP}
            self._counts.subtract(full)
        if full and not self._write(full):
            with self._lock:
                self._counts.update(full)


COUNTS = Hourly(lambda counts: _add_all(_BY_LOT, counts))


def count_answer(kind: str, status: int, seconds: float) -> None:
    """Count the answer to a report or to a request for a signature."""
    COUNTS.add(f"{kind} {outcome(status)}", *[f"slower {than}" for than in SLOW if seconds > than])


def outcome(status: int) -> str:
    if status < 300:
        return "accepted"
    return "failed" if status == 500 else "later" if status in (429, 503) else "refused"


def count_event(name: str) -> None:
    """Count at once what is no visit: the start of a process, or a minute with faults in its log."""
    _add_all(_EVENTS, {name: 1})


def count_start(part: str) -> None:
    """Count the start of a process of this part, without waiting for Redis."""
    later(0, lambda: count_event(f"start {part}"))


def set_level(name: str, level: float) -> None:
    """Store a level that is no visit; it expires after LEVEL_SECONDS."""
    with suppress(redis.RedisError):
        _connected(settings.REDIS_URL, PATIENCE).set(f"{_LEVEL}{name}", level, ex=LEVEL_SECONDS)


def first(name: str, seconds: int) -> bool:
    """Return whether the name was not given within the last seconds; False while Redis does not answer."""
    try:
        return bool(_connected(settings.REDIS_URL, PATIENCE).set(f"{_ONCE}{name}", 1, nx=True, ex=seconds))
    except redis.RedisError:
        return False


def again(name: str, seconds: int) -> None:
    """Let `first` return True for the name again after this many seconds."""
    with suppress(redis.RedisError):
        _connected(settings.REDIS_URL, PATIENCE).expire(f"{_ONCE}{name}", seconds)


def level(name: str) -> float | None:
    """Return the level that was last reported; None if it is older than ten minutes."""
    return levels([name])[0]


def levels(names: list[str]) -> list[float | None]:
    """Return the levels in the order of their names, all None while Redis does not answer."""
    try:
        values = _connected(settings.REDIS_URL, PATIENCE).mget([f"{_LEVEL}{name}" for name in names])
    except redis.RedisError:
        return [None] * len(names)
    return [None if value is None else float(value) for value in values]


def read() -> dict[str, int]:
    """Return all counts and events; empty while Redis does not answer."""
    try:
        connected = _connected(settings.REDIS_URL, PATIENCE)
        rows = [*connected.hgetall(_BY_LOT).items(), *connected.hgetall(_EVENTS).items()]
    except redis.RedisError:
        return {}
    return {name.decode() if isinstance(name, bytes) else name: int(count) for name, count in rows}


def waiting(queue: str) -> int | None:
    """Return the order of magnitude of the tasks in a queue: 0, 10, 100, ..."""
    try:
        count = int(_connected(settings.REDIS_URL, PATIENCE).llen(queue))
    except redis.RedisError:
        return None
    return magnitude(count)


def magnitude(count: int) -> int:
    """Return 0 below ten, then 10, 100, ..."""
    return 0 if count < 10 else int(10 ** (len(str(count)) - 1))
