"""Whether the schedule, the broker and a worker are alive: the worker's sweep says so in Redis, where it soon expires.

Not in the database: a clock written there every second would tell when the reports beside it came.
"""

from functools import lru_cache

import redis
from django.conf import settings

from surveys.operation.broker import client

# A sweep comes every second; after so many without one, the schedule, the broker or every worker is down.
LATE_SECONDS = 30
# Work that has not been done for so long grows faster than it is done, or keeps failing.
BEHIND_SECONDS = 300

_ALIVE, _BEHIND = "deniable:alive", "deniable:behind-since"


_connected = lru_cache(maxsize=1)(client)  # by URL


def _redis() -> redis.Redis:
    return _connected(settings.REDIS_URL)


def beat(behind: bool) -> None:
    """A sweep has run, and found work that was due, or none."""
    now = str(_now())
    with _redis().pipeline() as pipe:
        pipe.set(_ALIVE, now, ex=LATE_SECONDS)
        if behind:
            pipe.set(_BEHIND, now, nx=True)
        else:
            pipe.delete(_BEHIND)
        pipe.execute()


def status() -> str:
    """ "ok", "late" (no sweep came) or "behind" (there always was work that was due, for too long)."""
    try:
        alive, since = _redis().mget(_ALIVE, _BEHIND)
        now = _now()
    except redis.RedisError:
        return "late"
    # Where Redis's clock was set back, what was to expire is still there.
    if alive is None or abs(now - float(alive)) > LATE_SECONDS:
        return "late"
    return "behind" if since is not None and now - float(since) > BEHIND_SECONDS else "ok"


def _now() -> float:
    """By Redis's clock: those of a site's machines may differ."""
    seconds, microseconds = _redis().time()
    return float(seconds + microseconds / 1e6)
