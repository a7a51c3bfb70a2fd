"""Sign-in by name and password, at a limited rate. No other backend exists (settings.AUTHENTICATION_BACKENDS)."""

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext

from surveys.accounts.attempts import Attempts
from surveys.accounts.devices import device_of
from surveys.accounts.shared import SharedMemory
from surveys.respondent.intake.clients import client_at, network_of

attempts = Attempts(shared=SharedMemory(settings.REDIS_URL, "passwords"))
# A sign-in that waits for its hash holds a thread of the server. Pages keep at least half of the threads.
_places = threading.BoundedSemaphore(max(settings.WEB_THREADS // 2, 1))


class TooManyAttempts(ValidationError):
    """The attempt must wait. The form shows the message."""


class LimitedBackend(ModelBackend):
    """ModelBackend with limits. `authenticate` raises TooManyAttempts if the name or client must wait, or if too many
    sign-ins run at once."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **more: Any
    ) -> User | None:
        if username is None or password is None:
            return None
        with _place():
            right = admit(attempts, request, username)
            user = super().authenticate(request, username=username, password=password, **more)
        if user is not None:
            right()
        return user


def admit(counts: Attempts, request: HttpRequest | None, name: str) -> Callable[[], None]:
    """Admit an attempt at `name`, or raise TooManyAttempts. Return the function to call after a right attempt."""
    client, device = client_of(request), device_of(request, name)
    seconds = math.ceil(counts.admit(name, client, device))
    if seconds > 0:
        sentence = ngettext(
            "Too many wrong attempts. Try again in %(seconds)d second.",
            "Too many wrong attempts. Try again in %(seconds)d seconds.",
            seconds,
        )
        raise TooManyAttempts(sentence % {"seconds": seconds}, code="later")
    return lambda: counts.succeeded(name, client, device)


@contextmanager
def _place() -> Iterator[None]:
    if not _places.acquire(blocking=False):
        raise TooManyAttempts(
            gettext("Many people are signing in at this moment. Try again in a few seconds."), code="later"
        )
    try:
        yield
    finally:
        _places.release()


def client_of(request: HttpRequest | None) -> bytes | None:
    """Return the client's network as bytes; None for an unknown client or this machine itself."""
    if request is None:
        return None
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR")
    client = client_at(request.META.get("REMOTE_ADDR", ""), forwarded, settings.TRUSTED_PROXIES)
    return network_of(client) if client else None
