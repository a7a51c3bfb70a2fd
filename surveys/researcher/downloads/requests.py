"""Requests for the files of a release's randomized reports."""

from django.contrib.auth.models import User
from django.db import transaction

from surveys.audit import record
from surveys.models import AuditEntry, Export, Release


def keep(user: User, release: Release, kept: bool) -> bool:
    """Set whether the release's files stay after newer releases have files. Return whether this changed anything."""
    candidates = Export.objects.filter(release=release, kept=not kept).exclude(state=Export.State.FAILED)
    with transaction.atomic():
        changed = candidates.update(kept=kept) == 1
        if changed:
            does = "keeps" if kept else "no longer keeps"
            record(user, AuditEntry.Action.EDITED, release.survey, f"{does} the files of release {release.number}")
    return changed


class NotNewest(Exception):
    """The release is not the newest. Reports exist only for the newest one."""


def ask(user: User, release: Release) -> Export:
    """Return the release's export. Request one if there is none or it failed."""
    if not release.is_newest():
        raise NotNewest
    with transaction.atomic():
        if Export.ask(user, release=release):
            record(user, AuditEntry.Action.MICRODATA_ASKED, release.survey, f"release {release.number}")
    return Export.objects.get(release=release)
