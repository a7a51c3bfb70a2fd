"""Counts of attempts to sign in that all processes share in Redis.

Redis has only the random half of the hour's key, so no one can test IP addresses against the counts without SECRET_KEY.
Key and counts expire together after an hour, by Redis's clock. A Redis that writes files is not used.
"""

import hashlib
import secrets
import time
from collections.abc import Sequence
from typing import Any, TypeVar

import redis
from django.conf import settings

from surveys.accounts import memory
from surveys.accounts.memory import HOUR, Count, Rule
from surveys.operation import broker
from surveys.operation.window import WindowMoment

PATIENCE = 0.5  # seconds to wait for an answer
REST = 2.0  # seconds before a Redis that did not answer is tried again
TRIES = 100  # attempts at a change while others change the same counts

T = TypeVar("T")


class Away(Exception):
    """Redis does not answer, or would write counts to disk."""


LOST = (Away, redis.RedisError, OSError)  # the errors of a Redis that cannot be used


class SharedMemory:
    """The counts of one kind. `room` separates them from other kinds."""

    def __init__(self, url: str, room: str) -> None:
        self._redis: Any = broker.client(url, PATIENCE)
        self._room, self._away_until = f"deniable:attempts:{room}:", 0.0

    @property
    def resting(self) -> bool:
        """Return whether Redis was away a moment ago. Then requests do not wait for it."""
        return time.monotonic() < self._away_until

    def rest(self) -> None:
        self._away_until = time.monotonic() + REST

    def moment(self) -> WindowMoment:
        name = f"{self._room}key"
        with self._redis.pipeline() as pipe:
            pipe.set(name, secrets.token_hex(32), nx=True, ex=HOUR)
            pipe.get(name).pttl(name).time().config_get("save").config_get("appendonly")
            _, half, left, (seconds, microseconds), save, append = pipe.execute()
        if _text(save, "save") or _text(append, "appendonly") != "no":
            raise Away
        key = hashlib.blake2b(half, key=hashlib.sha256(settings.SECRET_KEY.encode()).digest(), digest_size=32).digest()
        return WindowMoment(key, seconds + microseconds / 1e6, max(left, 1) / 1000)

    def change(self, moment: WindowMoment, marks: Sequence[bytes], rule: Rule[T]) -> T:
        names = [self._name(mark) for mark in marks]
        with self._redis.pipeline() as pipe:
            for _ in range(TRIES):
                pipe.watch(*names)
                before = [_count(text) for text in pipe.mget(names)]
                answer, after = rule(before)
                changed = {n: new for n, old, new in zip(names, before, after, strict=True) if new != old}
                if not changed or self._written(pipe, moment, changed):
                    return answer
        raise Away

    def drop(self, marks: Sequence[bytes]) -> None:
        names = [self._name(mark) for mark in marks]
        self._redis.delete(*names)
        self._redis.zrem(self._order, *names)

    def remember(self, moment: WindowMoment, mark: bytes) -> None:
        self._redis.set(self._name(mark), "known", px=_milliseconds(moment))

    def knows(self, mark: bytes) -> bool:
        return bool(self._redis.exists(self._name(mark)))

    @property
    def _order(self) -> str:
        return f"{self._room}order"

    def _name(self, mark: bytes) -> str:
        return self._room + mark.hex()

    def _written(self, pipe: Any, moment: WindowMoment, counts: dict[str, Count]) -> bool:
        """Write the counts; False if another process changed them first."""
        pipe.multi()
        for name, count in counts.items():
            pipe.set(name, f"{count.wrong} {count.free_at!r}", px=_milliseconds(moment))
        pipe.zadd(self._order, dict.fromkeys(counts, moment.now)).pexpire(self._order, _milliseconds(moment))
        pipe.zcard(self._order)
        try:
            *_, kept = pipe.execute()
        except redis.WatchError:
            return False
        if kept > memory.KEPT_MAX:
            self._redis.delete(*(name for name, _ in self._redis.zpopmin(self._order, kept - memory.KEPT_MAX)))
        return True


def _milliseconds(moment: WindowMoment) -> int:
    return max(int(moment.left * 1000), 1)


def _count(text: bytes | None) -> Count:
    wrong, free_at = text.split() if text else (0, 0.0)
    return Count(int(wrong), float(free_at))


def _text(configured: dict[Any, Any], name: str) -> str:
    value = configured.get(name, configured.get(name.encode(), "?"))
    return value.decode() if isinstance(value, bytes) else str(value)
