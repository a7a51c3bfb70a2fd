"""Heartbeat of the schedule, the broker and the workers. Each sweep writes it to Redis, where it soon expires.

The database has no heartbeat, because a clock written there every second would reveal when nearby reports came.
"""

from functools import lru_cache

import redis
from django.conf import settings

from surveys.operation.broker import client

# A sweep comes every second. Without one for so long, the schedule, the broker or every worker is down.
LATE_SECONDS = 30
# Work that has been due for so long piles up, or keeps failing.
BEHIND_SECONDS = 300

_ALIVE, _BEHIND = "deniable:alive", "deniable:behind-since"


_connected = lru_cache(maxsize=1)(client)  # by URL


def _redis() -> redis.Redis:
    return _connected(settings.REDIS_URL)


def beat(behind: bool) -> None:
    """Record that a sweep has run, and whether it found due work."""
    now = str(_now())
    with _redis().pipeline() as pipe:
        pipe.set(_ALIVE, now, ex=LATE_SECONDS)
        if behind:
            pipe.set(_BEHIND, now, nx=True)
        else:
            pipe.delete(_BEHIND)
        pipe.execute()


def status() -> str:
    """Return "ok", "late" (no sweep came) or "behind" (work has been due for too long)."""
    try:
        alive, since = _redis().mget(_ALIVE, _BEHIND)
        now = _now()
    except redis.RedisError:
        return "late"
    # An old heartbeat has not expired if Redis's clock was set back.
    if alive is None or abs(now - float(alive)) > LATE_SECONDS:
        return "late"
    return "behind" if since is not None and now - float(since) > BEHIND_SECONDS else "ok"


def _now() -> float:
    """Return Redis's time, because the machines' clocks may differ."""
    seconds, microseconds = _redis().time()
    return float(seconds + microseconds / 1e6)
