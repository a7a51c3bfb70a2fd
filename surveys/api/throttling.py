"""The limit on requests per minute. Further requests get 429, with the seconds to wait."""

from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from surveys.accounts.backend import client_of
from surveys.models import Token
from surveys.operation.window import WindowRate

RATE = WindowRate()  # of this process


class Throttle(BaseThrottle):
    """A limit for each token, each account, and each other IP address. No IP address is stored."""

    def allow_request(self, request: Request, view: Any) -> bool:
        kind, who = _asker(request)
        self._wait = 0
        if settings.API_REQUESTS_PER_MINUTE and who is not None:
            self._wait = RATE.add(kind, who, settings.API_REQUESTS_PER_MINUTE)
        return not self._wait

    def wait(self) -> float:
        return self._wait


def _asker(request: Request) -> tuple[str, bytes | None]:
    if isinstance(request.auth, Token):
        return "token", str(request.auth.pk).encode()
    if request.user.is_authenticated:
        return "account", str(request.user.pk).encode()
    return "client", client_of(request._request)
