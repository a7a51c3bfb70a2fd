"""Members of a survey's team. The last owner can neither leave nor lose that role."""

from django.contrib.auth.models import User
from django.db import transaction

from surveys.accounts import withdrawal
from surveys.audit import record
from surveys.models import AuditEntry, Membership, Role, Survey


class LastOwner(Exception):
    """The survey would have no owner."""


class NoMember(Exception):
    """The member has been removed in the meantime."""


def give(owner: User, survey: Survey, member: int, role: Role) -> Membership:
    """Change a member's role; `member` is the membership's key."""
    with transaction.atomic():
        membership = _locked(survey, member, owned_after=role is Role.OWNER)
        if membership.role != role:
            smaller = not role.covers(Role(membership.role))
            change = f"{membership.user.get_username()}: {membership.role} → {role}"
            membership.role = role
            membership.save(update_fields=["role"])
            record(owner, AuditEntry.Action.ROLE_GIVEN, survey, change)
            if smaller:
                withdrawal.withdraw(membership.user, survey, role, owner)
    return membership


def remove(owner: User, survey: Survey, member: int) -> Membership:
    """Remove a member; `member` is the membership's key."""
    with transaction.atomic():
        membership = _locked(survey, member, owned_after=False)
        Membership.objects.filter(pk=member).delete()
        record(owner, AuditEntry.Action.REMOVED, survey, f"{membership.user.get_username()}: {membership.role}")
        withdrawal.withdraw(membership.user, survey, None, owner)
    return membership


def _locked(survey: Survey, member: int, owned_after: bool) -> Membership:
    """Return the membership, and lock all memberships of the survey until the transaction ends. So two owners cannot
    remove each other."""
    memberships = Membership.objects.filter(survey=survey).select_related("user")
    held = {each.pk: each for each in memberships.select_for_update(of=("self",)).order_by("pk")}
    if member not in held:
        raise NoMember
    owners = [pk for pk, each in held.items() if each.role == Role.OWNER]
    if owners == [member] and not owned_after:
        raise LastOwner
    return held[member]
