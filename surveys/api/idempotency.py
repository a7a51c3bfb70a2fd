"""Repeat the first answer for a repeated request with the same `Idempotency-Key`, without a second action.

Key and action are one transaction: a refused request can be sent again, and one of two simultaneous requests waits.
Links that are shown once are not stored, so a repeated request for them is refused. Of a created text only the number
is stored, and the answer shows the present text: deleted texts do not remain here.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from surveys.accounts import tokens
from surveys.api.problems import Refusal
from surveys.models import IdempotencyKey

DAYS = 2  # days for which a key is stored after the day of its request
HEADER = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": "^[!-~]{16,128}$", "examples": ["2265b1f5-91b7-484a-98f1-6adfcd613e30"]},
    OpenApiParameter.HEADER,
    description="A random text of 16 characters or more. Sent again with the same key within two days, the request "
    "does nothing and gets the same answer: 409 if that answer is shown only once, 410 if the thing it "
    "made has been deleted.",
)
Told = TypeVar("Told")
_KEY = re.compile(r"[!-~]{16,128}", re.ASCII)


def once(
    request: Request, user: User, make: Callable[[], tuple[int, object]], secret: bool = False
) -> tuple[int, object]:
    """Return the status and document of `make`, or those stored with this key.

    Raise 409 if they were `secret`, 422 if the key came with another request. The document is stored, so it must not
    contain text that users can delete elsewhere.
    """
    return _first_or_again(request, user, make, lambda stored: stored, secret)


def create_once(request: Request, user: User, make: Callable[[], int], tell: Callable[[int], Told | None]) -> Told:
    """Create a thing with `make` unless this key has created it. Return the result of `tell` for its number. Raise 410
    if the thing was deleted."""
    document: Told | None = _first_or_again(request, user, lambda: (201, make()), tell, secret=False)[1]
    if document is None:
        raise Refusal(410, "gone", "The thing that this key made has been deleted. Use a new key.")
    return document


def _first_or_again(
    request: Request,
    user: User,
    make: Callable[[], tuple[int, Any]],
    tell: Callable[[Any], Any],
    secret: bool,
) -> tuple[int, Any]:
    key = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        status, made = make()
        return status, tell(made)
    if not _KEY.fullmatch(key):
        raise ParseError("“Idempotency-Key” has 16 to 128 characters of ASCII without spaces.")
    with transaction.atomic():
        day = tokens.today()
        forget(day)
        row, new = IdempotencyKey.objects.get_or_create(
            user=user,
            key_hash=hashlib.sha256(key.encode()).hexdigest(),
            defaults={"request_hash": _of(request, key), "day": day},
        )
        if not new:
            status, made = _again(row, _of(request, key))
            return status, tell(made)
        status, made = make()
        IdempotencyKey.objects.filter(pk=row.pk).update(status=status, document=None if secret else made)
    return status, tell(made)


def forget(day: date) -> None:
    IdempotencyKey.objects.filter(day__lt=day - timedelta(days=DAYS)).delete()


def _again(row: IdempotencyKey, request_hash: str) -> tuple[int, object]:
    if row.request_hash != request_hash:
        raise Refusal(422, "idempotency_key", "This key came with another request. Use a new key.")
    if row.document is None:
        raise Refusal(409, "told_once", "This was done already, and its links are shown only once.")
    return row.status, row.document


def _of(request: Request, key: str) -> str:
    """Return the digest of a request for this key. Bodies can contain email addresses. The database lacks the key, so
    no one can guess them from the digest."""
    data = request.data
    body = data if isinstance(data, bytes) else json.dumps(data, sort_keys=True).encode()
    asked_for = f"{request.method} {request.get_full_path()}\n".encode() + body
    return hmac.new(key.encode(), asked_for, "sha256").hexdigest()
