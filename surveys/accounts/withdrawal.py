"""The end of a role: a user who leaves a survey, or gets a smaller role, loses everything that the role gave.

- Invitations that the user made as an owner, and all other invitations to a role that the user no longer has. The user
  may hold such a link, and could come back with it under a new account.
- API tokens for this survey alone that allow more than the user may do.
- The link with which testers answer a draft. The user may hold it, and could still read the draft.
- Webhooks that the user added, and alerts that the user gets by email.
- Files, cross-tables, regressions and subgroups that the user requested and that are not ready. Ready ones belong to
  the survey's researchers, and opening one checks the role each time.

Every use checks the role again (open_ones of invitations.py, access.py, the worker). So a role that ends unnoticed by
this module leaves no door open.
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
Left = Role | None  # the role that the user keeps
By = User | None


def withdraw(user: User, survey: Survey | None, left: Left, by: By) -> None:
    """End everything that needs more than the role `left`, in one survey or in all: the user's links, tokens and more
    (ENDS). The audit names the user who did it (`by`), if known."""
    with transaction.atomic():
        for end in ENDS.values():
            end(user, survey, left, by)


def _invitations(user: User, survey: Survey | None, left: Left, by: By) -> None:
    ended = Q(made_by=user) if left is not Role.OWNER else Q(pk__in=[])
    if survey:  # in all surveys, links to a role that the user lacks would be nearly all links
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
    """End the jobs. A worker notices that its job has ended (Job.mine)."""
    if left is not None and left.covers(Role.RESEARCHER):
        return
    if kind is Export and survey and survey.microdata_public:
        return  # anyone may have them
    waiting = _of(survey, kind._default_manager.filter(asked_by=user, state__in=kind.UNDER_WAY), "release__survey")
    waiting.update(state=kind.State.FAILED, reason=kind.Reason.REVOKED)


def _of(survey: Survey | None, rows: QuerySet[Any], path: str = "survey") -> QuerySet[Any]:
    return rows.filter(**{path: survey}) if survey else rows


_JOBS: tuple[JobKind, ...] = (AnalysisRun, Export)

# Every kind of thing that a user sets up is here, or tests/accounts/test_withdrawal.py gives the reason why not.
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
    """Withdraw everything from a deactivated account."""
    if not instance.is_active:
        _withdraw_everywhere(instance)


@receiver(pre_delete, sender=User, dispatch_uid="surveys.accounts.withdrawal.deleted")
def _deleted(sender: type[User], instance: User, **more: Any) -> None:
    _withdraw_everywhere(instance)


def _withdraw_everywhere(user: User) -> None:
    """Withdraw in every survey, including things that a superuser without a role made or requested."""
    with transaction.atomic():
        for membership in Membership.objects.filter(user=user).select_related("survey"):
            withdraw(user, membership.survey, None, None)
        withdraw(user, None, None, None)
