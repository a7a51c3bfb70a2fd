"""Asking for what a worker counts of a release, within what one survey may ask of it."""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.contrib.auth.models import User

from ldp.forms.definition import questionnaire
from surveys.models import Counting, Release

# Of one release and kind. Each costs a worker some seconds and a row of at most some hundred kilobytes.
KEPT_MAX = 300
# Of one kind not yet counted of one survey, so that others' work is not kept waiting.
WAITING_MAX = 8

Row = TypeVar("Row", bound=Counting)


class Refused(Exception):
    """`reason` is a key of the REFUSALS of what was asked for."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def reports_about(release: Release, variables: Iterable[str]) -> int:
    """How many reports there are of those who were asked the questions of all these variables, named by key."""
    keys = [key.partition(".")[0] for key in variables]
    forms = questionnaire(release.survey.definition).reports_about(*keys)
    return sum(release.tallies[form]["n"] for form in forms)


def ask(kind: type[Row], user: User | None, release: Release, **names: Any) -> Row:
    """The release's row of these names, asked for unless it was; one that failed is tried again. Refused where no more
    can be asked for."""
    names |= {"release": release}
    rows = kind._default_manager
    known = rows.filter(**names).exclude(state=kind.State.FAILED).first()
    if known is not None:
        return known
    _allow(kind, release)
    kind.ask(user, **names)
    return rows.get(**names)


def _allow(kind: type[Row], release: Release) -> None:
    if not release.is_newest():
        raise Refused("old")
    rows = kind._default_manager
    if rows.filter(release__survey=release.survey, state__in=kind.UNDER_WAY).count() >= WAITING_MAX:
        raise Refused("waiting")
    if rows.filter(release=release).count() >= KEPT_MAX:
        raise Refused("kept")
