"""Versions of a survey in words: the number of this one, and advice while another is open."""

from typing import NamedTuple

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from surveys.access import has_role
from surveys.designer.studio.pages import state_of
from surveys.life.versions import Version, Versions, linked
from surveys.models import Role, Survey
from surveys.rules.context import Context


class OpenVersion(NamedTuple):
    """An open version beside the survey on the page. `older` is the number of the older of both, which should end.
    `ending` is its survey, if the reader may end it. `leads`: its link leads to a newer version."""

    number: int
    survey: Survey
    is_newer: bool
    older: int
    leads: bool
    ending: Survey | None


def beside(survey: Survey, user: User) -> Context:
    """Return the context of designer/open_versions.html: the open versions beside a draft or an open survey."""
    versions = linked(survey, user)
    shown = [] if survey.state == Survey.State.CLOSED else versions.open
    return {"own_version": versions.own.number, "open_versions": [_beside(versions.own, each, user) for each in shown]}


def _beside(own: Version, other: Version, user: User) -> OpenVersion:
    older = min(own, other, key=lambda each: each.number)
    ending = older.survey if older.is_open and has_role(user, older.survey, Role.DESIGNER) else None
    leads = older.survey.led_to() is not None
    return OpenVersion(other.number, other.survey, other.number > own.number, older.number, leads, ending)


def version_name(versions: Versions) -> str:
    """Return the version's name; "" if it is the only one."""
    if versions.own.number == 1 and not versions.others:
        return ""
    return _("Version %(number)d") % {"number": versions.own.number}


def related(versions: Versions) -> list[tuple[str, int]]:
    """Return the previous and the next version in words, with their surveys' numbers."""
    before = versions.before
    replaces, follows = _("replaces version %(number)d (%(state)s)"), _("next wave of version %(number)d (%(state)s)")
    words = follows if versions.own.is_wave else replaces
    return [
        *([(words % _named(before), before.survey.pk)] if before else []),
        *((_after(later) % _named(later), later.survey.pk) for later in versions.after),
    ]


def _after(later: Version) -> str:
    if later.survey.is_draft:
        return _("version %(number)d is being drafted")
    replaced, followed = _("replaced by version %(number)d (%(state)s)"), _("next wave: version %(number)d (%(state)s)")
    return followed if later.is_wave else replaced


def _named(version: Version) -> dict[str, object]:
    return {"number": version.number, "state": state_of(version.survey)}


def need(versions: Versions) -> str:
    """Return a note in the list of surveys for an open survey with a newer open version."""
    newer = [each for each in versions.open if each.number > versions.own.number and versions.own.is_open]
    return _("Version %(number)d is open too") % {"number": newer[-1].number} if newer else ""
