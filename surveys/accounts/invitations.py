"""Invitations to a team by link. An owner makes a link, and the first person who uses it joins.

The link holds a token; the database has only the token's hash. The session keeps the hash while the visitor signs in,
so no other URL holds the token.
"""

import secrets
from datetime import timedelta
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from surveys.accounts.tokens import hash_of, today
from surveys.audit import record
from surveys.models import AuditEntry, Invitation, Membership, Role, Survey

DAYS = 14  # until an invitation expires
_KEY = "invitation"


class Gone(Exception):
    """The invitation was accepted, revoked or has expired."""


def invite(owner: User, survey: Survey, role: Role) -> tuple[Invitation, str]:
    """Return a new invitation and its link, which is shown only this once."""
    token = secrets.token_urlsafe(32)
    last_day = today() + timedelta(days=DAYS)
    with transaction.atomic():
        invitation = Invitation.objects.create(
            survey=survey, role=role, token_hash=hash_of(token), last_day=last_day, made_by=owner
        )
        record(owner, AuditEntry.Action.INVITED, survey, f"{role}, {last_day}")
    return invitation, f"{settings.STAFF_URL}{reverse('invitation')}?{urlencode({'token': token})}"


def revoke(owner: User, invitation: Invitation) -> None:
    """Revoke the invitation, unless it has just been accepted."""
    with transaction.atomic():
        if _use(invitation):
            record(owner, AuditEntry.Action.REVOKED, invitation.survey, f"{invitation.role}, {invitation.last_day}")


def open_ones() -> QuerySet[Invitation]:
    """Return the invitations that can be accepted now. An invitation's maker must still be an owner."""
    owns = Q(made_by__memberships__survey=F("survey"), made_by__memberships__role=Role.OWNER)
    owner = Q(pk__in=Invitation.objects.filter(owns).values("pk")) | Q(made_by__is_superuser=True)
    return Invitation.objects.filter(owner, made_by__is_active=True, used=False, last_day__gte=today())


def _use(invitation: Invitation) -> bool:
    """Use up the invitation; return False if it was not open. A conditional update lets one request succeed."""
    return bool(Invitation.objects.filter(pk=invitation.pk, used=False, last_day__gte=today()).update(used=True))


def follow(request: HttpRequest, token: str) -> bool:
    """Keep a link's invitation in the visitor's session. Return whether the invitation exists."""
    exists = open_ones().filter(token_hash=hash_of(token)).exists()
    if exists:
        request.session[_KEY] = hash_of(token)
    return exists


def followed(request: HttpRequest) -> Invitation | None:
    """Return the invitation that this visitor has followed and can still accept."""
    kept = request.session.get(_KEY)
    return open_ones().filter(token_hash=kept).select_related("survey").first() if kept else None


def accept(user: User, invitation: Invitation) -> None:
    """Give `user` the invitation's role, or raise Gone. Of two requests at once one succeeds. A larger role stays."""
    role = Role(invitation.role)
    with transaction.atomic():
        if not open_ones().filter(pk=invitation.pk).exists() or not _use(invitation):
            raise Gone
        member, new = Membership.objects.select_for_update().get_or_create(
            survey=invitation.survey, user=user, defaults={"role": role}
        )
        if not new and not Role(member.role).covers(role):
            member.role = role
            member.save(update_fields=["role"])
        record(user, AuditEntry.Action.JOINED, invitation.survey, role)
