"""What goes with a role: whoever is removed from a survey, or may do less there, keeps nothing that the role gave them.

- Invitations: those that they made as an owner. And every other one to a role that they have not any more: each is a
  link that they may hold, with which they, or a new account of theirs, would come back.
- Tokens that are for this survey alone and read, or do, more than they may.
- Files, cross-tables, regressions and subgroups that they asked for and that are not made yet. What is ready belongs
  to the survey's researchers, and opening it asks for the role each time.

All of it is asked for again where it is used (open_ones of invitations.py, access.py, the worker), so that no way of
losing a role that this module does not hear of leaves a door open.
"""

from functools import reduce
from operator import or_
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.db.models.signals import post_save, pre_delete
from django.dispatch import receiver

from surveys.models import COUNTED, AuditEntry, Counting, Export, Invitation, Membership, Role, Scope, Survey, Token
from surveys.people.log import record


def withdraw(user: User, survey: Survey, left: Role | None, by: User | None) -> None:
    """End what `user` has of the survey beyond the role that is left to them. The log has who did it, if known."""
    with transaction.atomic():
        _invitations(user, survey, left, by)
        _tokens(user, survey, left)
        if left is None or not left.covers(Role.RESEARCHER):
            _requests(user, survey)


def _invitations(user: User, survey: Survey, left: Role | None, by: User | None) -> None:
    beyond = [role for role in Role if left is None or not left.covers(role)]
    theirs = Q(made_by=user) if left is not Role.OWNER else Q(pk__in=[])
    for invitation in Invitation.objects.filter(theirs | Q(role__in=beyond), survey=survey, used=False):
        ended = Invitation.objects.filter(pk=invitation.pk, used=False).update(used=True)
        if ended and by is not None:
            record(by, AuditEntry.Action.REVOKED, survey, f"{invitation.role}, {invitation.last_day}")


def _tokens(user: User, survey: Survey, left: Role | None) -> None:
    theirs = Token.objects.filter(user=user, survey=survey, revoked=False)
    if left is not None:
        needed = {Scope.MICRODATA: Role.RESEARCHER, Scope.INVITATIONS: Role.DESIGNER, Scope.STUDIO: Role.DESIGNER}
        beyond = [Q(scopes__contains=scope) for scope, role in needed.items() if not left.covers(role)]
        theirs = theirs.filter(reduce(or_, beyond, Q(pk__in=[])))
    theirs.update(revoked=True)


_KINDS: tuple[type[Counting] | type[Export], ...] = (*COUNTED, Export)


def _requests(user: User, survey: Survey) -> None:
    """Whoever works on one of them notices that it is theirs no more (Job.mine)."""
    for kind in _KINDS:
        jobs = kind._default_manager.filter(asked_by=user, release__survey=survey)
        if kind is Export and survey.microdata_public:
            continue  # anybody may have them
        waiting = jobs.filter(state__in=kind.UNDER_WAY)
        waiting.update(state=kind.State.FAILED, reason=kind.Reason.REVOKED)


@receiver(post_save, sender=User, dispatch_uid="surveys.people.withdrawal.closed")
def _closed(sender: type[User], instance: User, **more: Any) -> None:
    """An account that was switched off has no role."""
    if not instance.is_active:
        _withdraw_everywhere(instance)


@receiver(pre_delete, sender=User, dispatch_uid="surveys.people.withdrawal.deleted")
def _deleted(sender: type[User], instance: User, **more: Any) -> None:
    _withdraw_everywhere(instance)


def _withdraw_everywhere(user: User) -> None:
    """Also where a superuser without a role made or asked for something."""
    with transaction.atomic():
        for membership in Membership.objects.filter(user=user).select_related("survey"):
            withdraw(user, membership.survey, None, None)
        Invitation.objects.filter(made_by=user, used=False).update(used=True)
        Token.objects.filter(user=user, revoked=False).update(revoked=True)
        for kind in _KINDS:
            waiting = kind._default_manager.filter(asked_by=user, state__in=kind.UNDER_WAY)
            waiting.update(state=kind.State.FAILED, reason=kind.Reason.REVOKED)
