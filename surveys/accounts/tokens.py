"""API tokens. Their owner makes and revokes them; a request names one by its text.

A token is 32 random bytes after the prefix dnb_. The database stores only a hash and searches for that, so the duration
of a search reveals nothing about the token.
"""

import hashlib
import re
import secrets
from datetime import UTC, date, datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction

from surveys.audit import record
from surveys.models import AuditEntry, Scope, Survey, Token

WORD = "dnb_"
DAYS_MAX = 365
WORKING_MAX = 50  # active tokens of one user
_FORM = re.compile(r"dnb_[A-Za-z0-9_-]{43}")
_SHOWN = len(WORD) + 6  # characters that the owner sees in the list; 37 stay unknown


class TooManyTokens(Exception):
    """The user has WORKING_MAX active tokens."""


def make(owner: User, name: str, scopes: list[Scope], days: int, survey: Survey | None = None) -> tuple[Token, str]:
    """Return a new token that works for `days` more days, and its text, which is shown only once."""
    if not 1 <= days <= DAYS_MAX:
        raise ValueError(f"A token works for 1 to {DAYS_MAX} days.")
    text = WORD + secrets.token_urlsafe(32)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)
        if Token.objects.filter(user=owner, revoked=False, last_day__gte=today()).count() >= WORKING_MAX:
            raise TooManyTokens
        token = Token.objects.create(
            user=owner,
            name=name,
            prefix=text[:_SHOWN],
            token_hash=hash_of(text),
            scopes=" ".join(scope for scope in Scope if scope in scopes),
            survey=survey,
            created=today(),
            last_day=today() + timedelta(days=days),
        )
        record(owner, AuditEntry.Action.TOKEN_MADE, survey, _description(token))
    return token, text


def revoke(owner: User, token: Token) -> None:
    with transaction.atomic():
        if Token.objects.filter(pk=token.pk, revoked=False).update(revoked=True):
            record(owner, AuditEntry.Action.TOKEN_REVOKED, token.survey, _description(token))


def find(text: str) -> Token | None:
    """Return the active token of this text with its owner, or None. Store today as the day of its last use."""
    if not _FORM.fullmatch(text):
        return None
    token = Token.objects.select_related("user", "survey").filter(token_hash=hash_of(text)).first()
    day = today()
    if token is None or not token.works_on(day) or not token.user.is_active:
        return None
    if token.last_used != day:
        Token.objects.filter(pk=token.pk).update(last_used=day)
    return token


def today() -> date:
    return datetime.now(UTC).date()


def _description(token: Token) -> str:
    return f"{token.prefix}…, {token.scopes.replace(' ', ' and ')}, until {token.last_day}"


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
