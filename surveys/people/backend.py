"""Signing in by name and password, at a bounded rate: the one way to an account (settings.AUTHENTICATION_BACKENDS)."""

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from surveys.intake.clients import client_at, network_of
from surveys.people.attempts import Attempts
from surveys.people.devices import device_of

attempts = Attempts()
# A sign-in that waits for its hash holds one of the server's threads: pages keep at least half of them.
_places = threading.BoundedSemaphore(max(settings.WEB_THREADS // 2, 1))


class Later(ValidationError):
    """Not now. The form that asked shows the sentence."""


class LimitedBackend(ModelBackend):
    """ModelBackend, but `authenticate` raises Later for a name or client that must wait, and where too many wait."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **more: Any
    ) -> User | None:
        if username is None or password is None:
            return None
        client, device = client_of(request), device_of(request, username)
        with _place():
            seconds = attempts.admit(username, client, device)
            if seconds > 0:
                raise Later(f"Too many wrong attempts. Try again in {math.ceil(seconds)} seconds.", code="later")
            user = super().authenticate(request, username=username, password=password, **more)
        if user is not None:
            attempts.succeeded(username, client, device)
        return user


@contextmanager
def _place() -> Iterator[None]:
    if not _places.acquire(blocking=False):
        raise Later("Many people are signing in at this moment. Try again in a few seconds.", code="later")
    try:
        yield
    finally:
        _places.release()


def client_of(request: HttpRequest | None) -> bytes | None:
    """The network of the client as bytes; None where it is unknown or this machine itself."""
    if request is None:
        return None
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR")
    client = client_at(request.META.get("REMOTE_ADDR", ""), forwarded, settings.TRUSTED_PROXIES)
    return network_of(client) if client else None
