"""The broker (Redis), and checks that it answers. Without it reports are stored, but not counted."""

import sys
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlsplit

import redis

PATIENCE = 5.0  # seconds for an answer
EVERY = 2.0  # seconds between checks
MEANWHILE = "Reports are stored, and counted when it is back."
LOST_AFTER = 3  # failed checks in a row; an embedded Redis restarts sooner


def redacted(url: str) -> str:
    """Return the URL without name, password and options."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def complaint_about(url: str) -> str | None:
    """Return the reason why the broker at a URL cannot be used; None if it answers."""
    try:
        with client(url) as redis_client:
            redis_client.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        return f"No Redis answers at {redacted(url)} ({_reason(error)})."
    return None


def client(url: str, patience: float = PATIENCE) -> redis.Redis:
    limits: dict[str, Any] = {"socket_timeout": patience, "socket_connect_timeout": patience, "retry": None}
    parts = urlsplit(url)
    if parts.scheme == "redis+socket":
        return redis.Redis(unix_socket_path=unquote(parts.path), **limits)
    return redis.Redis.from_url(url, **limits)


def _reason(error: BaseException) -> str:
    """Return the first cause, without the client's numbers and addresses."""
    while error.__cause__ is not None or error.__context__ is not None:
        error = error.__cause__ or error.__context__ or error
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


class Watch:
    """A thread that reports the loss of the broker once, and its return once."""

    def __init__(self, url: str, say: Callable[[str], None] = say) -> None:
        self.url, self._say = url, say
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, name="watch the broker", daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join(2 * PATIENCE)

    def _look(self) -> None:
        missed = 0
        while not self._ended.wait(EVERY):
            complaint = complaint_about(self.url)
            if complaint is None and missed >= LOST_AFTER:
                self._say(f"Redis answers again at {redacted(self.url)}.")
            missed = 0 if complaint is None else missed + 1
            if missed == LOST_AFTER and complaint:
                self._say(f"{complaint} {MEANWHILE}")
