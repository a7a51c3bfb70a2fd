"""Counts for /metrics, in Redis. They are so coarse that they reveal no single report and no report's time.

Each process counts visits and writes them on the hour, in hundreds. The remainder stays for the next hour, and each
process starts with a random, secret remainder. So another report changes the written counts in one of a hundred cases,
and then reveals its hour only. docs/developers/protection.md has the argument.
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
SLOW = (0.1, 1.0)  # seconds; slower replies are counted
PATIENCE = 0.5

LEVEL_SECONDS = 600

_BY_LOT, _EVENTS, _LEVEL, _ONCE = "deniable:counts", "deniable:events", "deniable:level:", "deniable:once:"
_connected = lru_cache(maxsize=1)(client)  # by URL and patience

Write = Callable[[dict[str, int]], bool]


def _add_all(key: str, counts: dict[str, int]) -> bool:
    """Add the counts in Redis; return whether that succeeded."""
    try:
        with _connected(settings.REDIS_URL, PATIENCE).pipeline() as pipe:
            for name, count in counts.items():
                pipe.hincrby(key, name, count)
            pipe.execute()
        return True
    except redis.RedisError:
        return False


class Hourly:
    """The counts of a process. Any thread may add to them."""

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
        """Write the full hundreds. If Redis does not answer, the counts wait for the next hour."""
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
    """Count at once an event that is no visit: the start of a process, or a minute with faults in its log."""
    _add_all(_EVENTS, {name: 1})


def count_start(part: str) -> None:
    """Count the start of a process of this part, in another thread."""
    # Not a daemon: a process that ended meanwhile would wait for ever for the lock of that thread's connection.
    threading.Thread(target=count_event, args=(f"start {part}",), name="count the start").start()


def set_level(name: str, level: float) -> None:
    """Store a level that is no visit; it expires after LEVEL_SECONDS."""
    with suppress(redis.RedisError):
        _connected(settings.REDIS_URL, PATIENCE).set(f"{_LEVEL}{name}", level, ex=LEVEL_SECONDS)


def first(name: str, seconds: int) -> bool:
    """Return whether the name was not used within the last seconds. Return False while Redis does not answer."""
    try:
        return bool(_connected(settings.REDIS_URL, PATIENCE).set(f"{_ONCE}{name}", 1, nx=True, ex=seconds))
    except redis.RedisError:
        return False


def again(name: str, seconds: int) -> None:
    """Let `first` return True for the name again after this many seconds."""
    with suppress(redis.RedisError):
        _connected(settings.REDIS_URL, PATIENCE).expire(f"{_ONCE}{name}", seconds)


def level(name: str) -> float | None:
    """Return the last reported level; None if it is older than LEVEL_SECONDS."""
    return levels([name])[0]


def levels(names: list[str]) -> list[float | None]:
    """Return the levels in the order of names. All are None while Redis does not answer."""
    try:
        values = _connected(settings.REDIS_URL, PATIENCE).mget([f"{_LEVEL}{name}" for name in names])
    except redis.RedisError:
        return [None] * len(names)
    return [None if value is None else float(value) for value in values]


def read() -> dict[str, int]:
    """Return all counts and events; {} while Redis does not answer."""
    try:
        connected = _connected(settings.REDIS_URL, PATIENCE)
        rows = [*connected.hgetall(_BY_LOT).items(), *connected.hgetall(_EVENTS).items()]
    except redis.RedisError:
        return {}
    return {name.decode() if isinstance(name, bytes) else name: int(count) for name, count in rows}


def waiting(queue: str) -> int | None:
    """Return the order of magnitude of a queue's length: 0, 10, 100, ... Return None while Redis does not answer."""
    try:
        count = int(_connected(settings.REDIS_URL, PATIENCE).llen(queue))
    except redis.RedisError:
        return None
    return magnitude(count)


def magnitude(count: int) -> int:
    """Return 0 below ten, then 10, 100, ..."""
    return 0 if count < 10 else int(10 ** (len(str(count)) - 1))
