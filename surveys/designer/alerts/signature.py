"""Signatures of webhooks, as in Standard Webhooks (standardwebhooks.com): HMAC-SHA256 of id, time and body.

A webhook's secret is not stored. It is derived from random characters in its row and the site's secret key, so the
database alone cannot sign. Posts are also signed under the site's older keys, so receivers keep working while a key is
replaced.
"""

import base64
import hashlib
import hmac
import secrets
from datetime import datetime

from django.conf import settings
from django.utils.crypto import salted_hmac

PREFIX = "whsec_"


def new_salt() -> str:
    return secrets.token_urlsafe(32)


def new_name() -> str:
    """Return a delivery's id, which stays the same for every attempt."""
    return f"msg_{secrets.token_urlsafe(18)}"


def secret(salt: str) -> str:
    """Return the secret as the receiver keeps it: the prefix, and 32 bytes in base64."""
    return secrets_of(salt)[0]


def secrets_of(salt: str) -> list[str]:
    """Return the present secret, then the secrets by older keys of the site."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    made = [
        salted_hmac("surveys.designer.alerts.webhook", salt, secret=key, algorithm="sha256").digest() for key in keys
    ]
    return [PREFIX + base64.b64encode(each).decode() for each in made]


def headers(known: list[str], name: str, now: datetime, body: bytes) -> dict[str, str]:
    """Return the headers of a body, with a signature by each secret."""
    moment = str(int(now.timestamp()))
    signed = " ".join(signature(each, name, moment, body) for each in known)
    return {"webhook-id": name, "webhook-timestamp": moment, "webhook-signature": signed}


def signature(secret: str, name: str, moment: str, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = f"{name}.{moment}.".encode() + body
    return f"v1,{base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()}"
