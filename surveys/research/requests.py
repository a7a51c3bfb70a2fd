"""Asking for the files of a release's randomized reports."""

from django.contrib.auth.models import User
from django.db import transaction

from surveys.models import AuditEntry, Export, Release
from surveys.people.log import record


class NotNewest(Exception):
    """Files are made of the newest release only, whose reports the blocks are."""


def ask(user: User, release: Release) -> Export:
    """The export of the release, asked for unless it was; one that failed is tried again."""
    if not release.is_newest():
        raise NotNewest
    with transaction.atomic():
        if Export.ask(user, release=release):
            record(user, AuditEntry.Action.MICRODATA_ASKED, release.survey, f"release {release.number}")
    return Export.objects.get(release=release)
