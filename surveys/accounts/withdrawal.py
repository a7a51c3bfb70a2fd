"""What goes with a role: whoever is removed from a survey, or may do less there, keeps nothing that the role gave them.

- Invitations: those that they made as an owner. And every other one to a role that they have not any more: each is a
  link that they may hold, with which they, or a new account of theirs, would come back.
- Tokens that are for this survey alone and read, or do, more than they may.
- The link with which testers answer a draft: they may hold it, and with it they would still read the draft.
- Webhooks that they added, and alerts that come to them by mail.
- Files, cross-tables, regressions and subgroups that they asked for and that are not made yet. What is ready belongs
  to the survey's researchers, and opening it asks for the role each time.

All of it is asked for again where it is used (open_ones of invitations.py, access.py, the worker), so that no way of
losing a role that this module does not hear of leaves a door open.
"""

from collections.abc import Callable
from functools import partial, reduce
from operator import or_
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.db.models.signals import post_save, pre_delete
from django.dispatch import receiver

from surveys.audit import record
from surveys.models import (
    AlertReader,
    AnalysisRun,
    AuditEntry,
    Export,
    Invitation,
    Membership,
    Role,
    Scope,
    Survey,
    Token,
    TryoutLink,
    Webhook,
)

JobKind = type[AnalysisRun] | type[Export]
Left = Role | None  # what somebody may still do with the survey
By = User | None


def withdraw(user: User, survey: Survey | None, left: Left, by: By) -> None:
    """End what `user` has of the survey, or of all of them, beyond the role that is left to them. The log has who did
    it, if known."""
    with transaction.atomic():
        for end in ENDS.values():
            end(user, survey, left, by)


def _invitations(user: User, survey: Survey | None, left: Left, by: By) -> None:
    ended = Q(made_by=user) if left is not Role.OWNER else Q(pk__in=[])
    if survey:  # of all surveys, others' links to a role that somebody has not would be nearly all there are
        ended |= Q(role__in=[role for role in Role if left is None or not left.covers(role)])
    for invitation in _of(survey, Invitation.objects.filter(ended, used=False)):
        if Invitation.objects.filter(pk=invitation.pk, used=False).update(used=True) and by is not None:
            record(by, AuditEntry.Action.REVOKED, survey, f"{invitation.role}, {invitation.last_day}")


def _tokens(user: User, survey: Survey | None, left: Left, by: By) -> None:
    theirs = _of(survey, Token.objects.filter(user=user, revoked=False))
    if left is not None:
        needed = {Scope.MICRODATA: Role.RESEARCHER, Scope.INVITATIONS: Role.DESIGNER, Scope.STUDIO: Role.DESIGNER}
        beyond = [Q(scopes__contains=scope) for scope, role in needed.items() if not left.covers(role)]
        theirs = theirs.filter(reduce(or_, beyond, Q(pk__in=[])))
    theirs.update(revoked=True)


def _webhooks(user: User, survey: Survey | None, left: Left, by: By) -> None:
    if left is not None and left.covers(Role.DESIGNER):
        return
    for webhook in _of(survey, Webhook.objects.filter(made_by=user)):
        webhook.delete()
        if by is not None:
            record(by, AuditEntry.Action.EDITED, survey, f"no webhook to {webhook.host} any more")


def _testers(user: User, survey: Survey | None, left: Left, by: By) -> None:
    if survey is None or (left is not None and left.covers(Role.DESIGNER)):
        return
    if TryoutLink.objects.filter(survey=survey).delete()[0] and by is not None:
        record(by, AuditEntry.Action.EDITED, survey, "no link for testers any more")


def _readers(user: User, survey: Survey | None, left: Left, by: By) -> None:
    if left is None:
        _of(survey, AlertReader.objects.filter(user=user)).delete()


def _jobs(kind: JobKind, user: User, survey: Survey | None, left: Left, by: By) -> None:
    """Whoever works on one of them notices that it is theirs no more (Job.mine)."""
    if left is not None and left.covers(Role.RESEARCHER):
        return
    if kind is Export and survey and survey.microdata_public:
        return  # anybody may have them
    waiting = _of(survey, kind._default_manager.filter(asked_by=user, state__in=kind.UNDER_WAY), "release__survey")
    waiting.update(state=kind.State.FAILED, reason=kind.Reason.REVOKED)


def _of(survey: Survey | None, rows: QuerySet[Any], path: str = "survey") -> QuerySet[Any]:
    return rows.filter(**{path: survey}) if survey else rows


_JOBS: tuple[JobKind, ...] = (AnalysisRun, Export)

# Every kind of thing that somebody sets up stands here, or with a reason in tests/accounts/test_withdrawal.py.
ENDS: dict[type[Model], Callable[[User, Survey | None, Left, By], None]] = {
    Invitation: _invitations,
    Token: _tokens,
    Webhook: _webhooks,
    AlertReader: _readers,
    TryoutLink: _testers,
    **{kind: partial(_jobs, kind) for kind in _JOBS},
}


@receiver(post_save, sender=User, dispatch_uid="surveys.accounts.withdrawal.closed")
def _closed(sender: type[User], instance: User, **more: Any) -> None:
    """An account that was switched off has no role."""
    if not instance.is_active:
        _withdraw_everywhere(instance)


@receiver(pre_delete, sender=User, dispatch_uid="surveys.accounts.withdrawal.deleted")
def _deleted(sender: type[User], instance: User, **more: Any) -> None:
    _withdraw_everywhere(instance)


def _withdraw_everywhere(user: User) -> None:
    """Also where a superuser without a role made or asked for something."""
    with transaction.atomic():
        for membership in Membership.objects.filter(user=user).select_related("survey"):
            withdraw(user, membership.survey, None, None)
        withdraw(user, None, None, None)
