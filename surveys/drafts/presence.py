"""The users at a draft. Snapshots show users who changed it. Redis remembers users who only look at it, for ten
minutes.

If Redis does not answer, the page shows only the users who changed the draft.
"""

import time
from functools import lru_cache

import redis
from django.conf import settings
from django.contrib.auth.models import User

from surveys.drafts import snapshots
from surveys.models import Survey
from surveys.operation.broker import client

PATIENCE = 0.5  # seconds
_connected = lru_cache(maxsize=1)(client)  # by URL and patience


def others(survey: Survey, user: User) -> dict[str, list[str]]:
    """Record that the user is at the draft. Return other users' names, latest first: `editing` changed it in the last
    minutes, `looking` only looked at it."""
    if not survey.is_draft:
        return {"editing": [], "looking": []}
    editing = snapshots.editing(survey, user)
    return {"editing": editing, "looking": [name for name in _look(survey, user) if name not in editing]}


def _look(survey: Survey, user: User) -> list[str]:
    key, now, kept = f"deniable:looking:{survey.pk}", time.time(), snapshots.NOW
    try:
        with _connected(settings.REDIS_URL, PATIENCE).pipeline() as pipe:
            pipe.zremrangebyscore(key, "-inf", now - kept.total_seconds())
            pipe.zadd(key, {user.username: now})
            pipe.zrevrange(key, 0, -1)
            pipe.expire(key, kept)
            _, _, names, _ = pipe.execute()
    except redis.RedisError:
        return []
    return [name.decode() for name in names if name.decode() != user.username]
