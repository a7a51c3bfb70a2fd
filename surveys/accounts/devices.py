"""Known devices. A signed cookie keeps other people's attempts at a name from delaying its owner.

The cookie does not sign in. It decides which count an attempt belongs to (attempts.py). It holds no name and is sent
only to the account pages. The site stores nothing about it.
"""

import secrets
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.core import signing
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils.crypto import salted_hmac

LASTS = timedelta(days=60)  # since the last sign-in with it
_SALT = "surveys.accounts.devices"


def device_of(request: HttpRequest | None, name: str) -> bytes | None:
    """Return the device's nonce if its cookie shows an earlier sign-in as `name`, else None."""
    cookie = request.COOKIES.get(settings.DEVICE_COOKIE_NAME) if request is not None else None
    if cookie is None:
        return None
    try:
        owner, nonce = signing.loads(cookie, salt=_SALT, max_age=LASTS)
    except signing.BadSignature:
        return None
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return nonce.encode() if owner in [_owner(name, key) for key in keys] else None


def cookie_of(name: str, nonce: str) -> str:
    return signing.dumps([_owner(name, settings.SECRET_KEY), nonce], salt=_SALT)


def _owner(name: str, key: str) -> str:
    return salted_hmac(_SALT, name.casefold(), key, algorithm="sha256").hexdigest()


class RememberDevice:
    """Give the device a cookie after a sign-in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        name = getattr(request, "signed_in_as", None)
        if name is not None:
            known = device_of(request, name)
            nonce = known.decode() if known else secrets.token_urlsafe(16)
            response.set_cookie(
                settings.DEVICE_COOKIE_NAME,
                cookie_of(name, nonce),
                max_age=LASTS,
                path=reverse("account"),
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response


def _signed_in(sender: object, request: HttpRequest, user: object, **more: object) -> None:
    request.signed_in_as = user.get_username()  # type: ignore[attr-defined]


user_logged_in.connect(_signed_in, dispatch_uid="surveys.accounts.devices")
