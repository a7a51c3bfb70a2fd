"""Asking for the files of a release's randomized reports."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from surveys.models import AuditEntry, Export, Release
from surveys.people.log import record


class NotNewest(Exception):
    """Files are made of the newest release only, whose reports the blocks are."""


def newest(release: Release) -> bool:
    return not Release.objects.filter(survey=release.survey, number__gt=release.number).exists()


def ask(user: User, release: Release) -> Export:
    """The export of the release, asked for unless it was; one that failed is tried again."""
    if not newest(release):
        raise NotNewest
    asked = {"state": Export.State.ASKED, "reason": "", "attempts": 0, "worked_at": timezone.now()}
    with transaction.atomic():
        export, new = Export.objects.get_or_create(release=release, defaults=asked)
        if not new:
            new = bool(Export.objects.filter(release=release, state=Export.State.FAILED).update(**asked))
            export.refresh_from_db()
        if new:
            record(user, AuditEntry.Action.PREPARED, release.survey, f"release {release.number}")
    return export
