"""Versions of a survey: a closed one is asked again, and an open one corrected, as a draft of its own with results of
its own."""

from django.contrib.auth.models import User
from django.db import transaction

from surveys import drafts
from surveys.access import Visitor, has_role, may_see_results
from surveys.models import AuditEntry, Membership, Role, Survey
from surveys.people.log import record


def new_version(survey: Survey, user: User) -> Survey:
    """The draft of the next version, with the same questions and the same people; of two who ask at once, and whoever
    asks again while it is a draft, each gets the same one."""
    with transaction.atomic():
        Survey.objects.select_for_update().get(pk=survey.pk)
        waiting = survey.later_versions.filter(state=Survey.State.DRAFT).order_by("pk").first()
        return waiting or _copy(survey, user)


def _copy(survey: Survey, user: User) -> Survey:
    draft = drafts.begin(survey.draft, expected_n=survey.expected_n, previous=survey)
    roles = dict(survey.memberships.values_list("user_id", "role"))
    if Role.OWNER not in roles.values():
        roles[user.pk] = Role.OWNER
    Membership.objects.bulk_create(Membership(survey=draft, user_id=pk, role=role) for pk, role in roles.items())
    record(user, AuditEntry.Action.CREATED, draft, f"a new version of survey {survey.pk}")
    return draft


def linked(survey: Survey, user: Visitor) -> tuple[Survey | None, list[Survey]]:
    """The version before and those after, as far as they have a page in the studio for `user`."""
    before = survey.previous if survey.previous and has_role(user, survey.previous, Role.VIEWER) else None
    return before, [later for later in survey.later_versions.order_by("pk") if has_role(user, later, Role.VIEWER)]


def with_results(survey: Survey, user: Visitor) -> tuple[tuple[str, str, str], ...]:
    """(which, slug, title) of the versions before and after whose results `user`, perhaps nobody known, may see."""
    versions = [("earlier", survey.previous)] if survey.previous else []
    versions += [("later", later) for later in survey.later_versions.order_by("pk")]
    return tuple(
        (which, other.slug, other.title) for which, other in versions if other.slug and may_see_results(user, other)
    )
