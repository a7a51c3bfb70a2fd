"""Counts for /metrics, in Redis, at a granularity that tells no single report and no moment of one.

What people do is counted by each process for itself and written on the hour, in hundreds. What is left over stays for
the next hour, and with what each process begins is drawn by lot and secret: whether one report more came changes what
is written in one case of a hundred, and then tells its hour. The argument is in docs/developers/protection.md.
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
SLOW = (0.1, 1.0)  # seconds until an answer; slower ones are counted by these
PATIENCE = 0.5

LEVEL_SECONDS = 600

_BY_LOT, _EVENTS, _LEVEL = "deniable:counts", "deniable:events", "deniable:level:"
_connected = lru_cache(maxsize=1)(client)  # by URL and patience

Write = Callable[[dict[str, int]], bool]


def _add_all(key: str, counts: dict[str, int]) -> bool:
    """Whether Redis took them."""
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
        """The full hundreds. What Redis does not take waits for the next hour."""
        with self._lock:
            self._waits = False
            full = {name: count - count % STEP for name, count in self._counts.items() if count >= STEP}
            self._counts.subtract(full)
        if full and not self._write(full):
            with self._lock:
                self._counts.update(full)


COUNTS = Hourly(lambda counts: _add_all(_BY_LOT, counts))


def count_answer(kind: str, status: int, seconds: float) -> None:
    """The answer to a report or to a request for a signature."""
    COUNTS.add(f"{kind} {outcome(status)}", *(f"slower {than}" for than in SLOW if seconds > than))


def outcome(status: int) -> str:
    if status < 300:
        return "accepted"
    return "failed" if status == 500 else "later" if status in (429, 503) else "refused"


def count_event(name: str) -> None:
    """What is no visit, at its moment: that a process started, or a minute in which the log has a line of faults."""
    _add_all(_EVENTS, {name: 1})


def count_start(part: str) -> None:
    """A process of this part starts, and waits for nobody."""
    later(0, lambda: count_event(f"start {part}"))


def tell(name: str, level: float) -> None:
    """What is no visit and stands at a level for a while, until it is told anew."""
    with suppress(redis.RedisError):
        _connected(settings.REDIS_URL, PATIENCE).set(f"{_LEVEL}{name}", level, ex=LEVEL_SECONDS)


def level(name: str) -> float | None:
    """None where nobody told one lately."""
    try:
        value = _connected(settings.REDIS_URL, PATIENCE).get(f"{_LEVEL}{name}")
    except redis.RedisError:
        return None
    return None if value is None else float(value)


def read() -> dict[str, int]:
    """All counts and events; empty while Redis does not answer."""
    try:
        connected = _connected(settings.REDIS_URL, PATIENCE)
        rows = [*connected.hgetall(_BY_LOT).items(), *connected.hgetall(_EVENTS).items()]
    except redis.RedisError:
        return {}
    return {name.decode() if isinstance(name, bytes) else name: int(count) for name, count in rows}


def waiting(queue: str) -> int | None:
    """The order of magnitude of how many tasks a queue has: 0, 10, 100, ..."""
    try:
        count = int(_connected(settings.REDIS_URL, PATIENCE).llen(queue))
    except redis.RedisError:
        return None
    return magnitude(count)


def magnitude(count: int) -> int:
    """0 below ten, then 10, 100, ..."""
    return 0 if count < 10 else int(10 ** (len(str(count)) - 1))
