"""Authentication of API clients: by a token, or by a browser's session."""

from django.contrib.auth.models import User
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from surveys.accounts import tokens
from surveys.accounts.backend import client_of
from surveys.api import throttling
from surveys.models import Token

WRONG_MAX = 60  # invalid tokens per client and minute
# The same text for all, so that no one learns whether a token ever existed.
REFUSED = "This token is not valid: it is mistyped, has expired or was revoked."


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer dnb_...`. Any other value of the header is refused."""

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        header = request.META.get("HTTP_AUTHORIZATION")
        if header is None:
            return None
        scheme, _, text = header.partition(" ")
        client = client_of(request._request)
        if client is not None and (seconds := throttling.RATE.full("wrong", client, WRONG_MAX)):
            raise Throttled(seconds)
        token = tokens.find(text.strip()) if scheme.lower() == "bearer" else None
        if token is None:
            if client is not None:
                throttling.RATE.add("wrong", client, WRONG_MAX)
            raise AuthenticationFailed(REFUSED)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge by RFC 6750. It says whether a token was invalid or missing."""
        sent = "HTTP_AUTHORIZATION" in request.META
        return 'Bearer realm="Deniable"' + (', error="invalid_token"' if sent else "")
