"""Versions of a survey. A designer makes a new version to ask a closed survey again or to correct an open one. A
version is a survey with results of its own."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from surveys import drafts
from surveys.access import Visitor, has_role, may_see_results
from surveys.audit import record
from surveys.models import AuditEntry, Membership, Role, Survey
from surveys.survey.definition.invitations import FIELD as INVITED
from surveys.survey.definition.waves import FIELD as WAVE


def new_version(survey: Survey, user: User) -> Survey:
    """Return the draft of the next version, with the same questions and team. Repeated and simultaneous requests get
    the same draft."""
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


def is_wave(survey: Survey) -> bool:
    """Return whether a survey asks the people of the previous version again. Then it does not replace that version."""
    before, draft = survey.previous, survey.draft
    named = draft.get(WAVE) if isinstance(draft, dict) else None
    return before is not None and isinstance(named, dict) and named.get("survey") == before.slug


def can_take_link(draft: Survey, user: Visitor | None) -> bool:
    """Return whether the previous version's link can lead to this draft. Both must have an open link, and `user` must
    be a designer of the previous version, or None (the command line)."""
    before = draft.previous
    if before is None or before.is_draft or not isinstance(draft.draft, dict):
        return False
    if user is not None and not has_role(user, before, Role.DESIGNER):
        return False
    return INVITED not in before.definition and not draft.draft.get(INVITED)


class Version(NamedTuple):
    """A survey and its number among its versions; 1 is the oldest that still exists."""

    number: int
    survey: Survey

    @property
    def is_open(self) -> bool:
        return self.survey.state == Survey.State.OPEN

    @property
    def is_wave(self) -> bool:
        """Return whether it asks the people of the previous version again. Then it does not replace that version."""
        return is_wave(self.survey)


class Versions(NamedTuple):
    """A survey's version, and the other versions that the user can see in the studio, oldest first."""

    own: Version
    others: list[Version]

    @property
    def before(self) -> Version | None:
        """Return the version that this one replaces or follows."""
        return next((each for each in self.others if each.survey.pk == self.own.survey.previous_id), None)

    @property
    def after(self) -> list[Version]:
        """Return the versions that replace or follow this one."""
        return [each for each in self.others if each.survey.previous_id == self.own.survey.pk]

    @property
    def open(self) -> list[Version]:
        return [each for each in self.others if each.is_open]


def linked(survey: Survey, user: Visitor) -> Versions:
    return all_linked([survey], user)[survey.pk]


def all_linked(surveys: Iterable[Survey], user: Visitor) -> dict[int, Versions]:
    """Return the versions of each survey and of its other versions, by primary key."""
    known = {survey.pk: survey for survey in surveys}
    return {each.own.survey.pk: each for family in _families(known) for each in _seen(family, user)}


def _seen(family: list[Survey], user: Visitor) -> Iterator[Versions]:
    """Yield the versions of each survey of a family. A user who may see no other version still gets this version's
    number."""
    numbered = [Version(number, survey) for number, survey in enumerate(family, 1)]
    shown = [each for each in numbered if len(family) > 1 and has_role(user, each.survey, Role.VIEWER)]
    for own in numbered:
        yield Versions(own, [each for each in shown if each != own])


def _families(surveys: dict[int, Survey]) -> list[list[Survey]]:
    """Return all versions of these surveys, one list for each family, oldest first. The number of queries is the number
    of steps to the farthest version."""
    known, fresh = dict(surveys), list(surveys.values())
    while fresh:
        earlier = [survey.previous_id for survey in fresh if survey.previous_id]
        beside = Survey.objects.filter(Q(pk__in=earlier) | Q(previous__in=[survey.pk for survey in fresh]))
        fresh = [survey for survey in beside if survey.pk not in known]
        known |= {survey.pk: survey for survey in fresh}
    # A version is stored after the previous one, so its number is higher.
    families: dict[int, list[Survey]] = {}
    for pk, survey in sorted(known.items()):
        if before := known.get(survey.previous_id or 0):
            survey.previous = before
        family = families.get(survey.previous_id or 0, [])
        family.append(survey)
        families[pk] = family
    return list({id(family): family for family in families.values()}.values())


def with_results(survey: Survey, user: Visitor) -> tuple[tuple[str, str, str], ...]:
    """Return ("earlier" or "later", slug, title) of the adjacent versions whose results `user`, perhaps anonymous, may
    see."""
    versions = [("earlier", survey.previous)] if survey.previous else []
    versions += [("later", later) for later in survey.later_versions.order_by("pk")]
    return tuple(
        (which, other.slug, other.title) for which, other in versions if other.slug and may_see_results(user, other)
    )
