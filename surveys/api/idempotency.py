"""Creating once: a request with an `Idempotency-Key` that comes again gets the first one's answer, and does nothing.

Key and deed are one transaction: what was refused can be sent again, and of two that come at once one waits. Links that
are told once are stored nowhere, so their repetition is refused and says so. Of what has texts only its number is
stored, and it is told as it is when the request comes again: what was deleted is nowhere.
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

DAYS = 2  # that a key is known after the day on which it came
HEADER = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": "^[!-~]{16,128}$", "examples": ["2265b1f5-91b7-484a-98f1-6adfcd613e30"]},
    OpenApiParameter.HEADER,
    description="Something random of 16 characters or more: sent again with the same key within two days, the request "
    "does nothing, and gets the same answer. 409 where that was told once, 410 where what was made has been deleted.",
)
Told = TypeVar("Told")
_KEY = re.compile(r"[!-~]{16,128}", re.ASCII)


def once(
    request: Request, user: User, make: Callable[[], tuple[int, object]], secret: bool = False
) -> tuple[int, object]:
    """The status and document that `make` gives, or gave when this key came first; 409 where that was `secret`, 422
    where the key came with another request. The document is stored: it has no text that could be deleted elsewhere."""
    return _first_or_again(request, user, make, lambda stored: stored, secret)


def create_once(request: Request, user: User, make: Callable[[], int], tell: Callable[[int], Told | None]) -> Told:
    """What `tell` says of the number of the thing that `make` makes, or made when this key came first; 410 where there
    is none any more."""
    document: Told | None = _first_or_again(request, user, lambda: (201, make()), tell, secret=False)[1]
    if document is None:
        raise Refusal(410, "gone", "What this key made has been deleted. Take a new one.")
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
        raise Refusal(422, "idempotency_key", "This key came with another request. Take a new one.")
    if row.document is None:
        raise Refusal(409, "told_once", "This was done already, and its links were told once.")
    return row.status, row.document


def _of(request: Request, key: str) -> str:
    """What tells a request from another one with the same key. A body can hold addresses of people: whoever reads the
    database, where the key is not, cannot try which ones these were."""
    data = request.data
    body = data if isinstance(data, bytes) else json.dumps(data, sort_keys=True).encode()
    asked_for = f"{request.method} {request.get_full_path()}\n".encode() + body
    return hmac.new(key.encode(), asked_for, "sha256").hexdigest()
