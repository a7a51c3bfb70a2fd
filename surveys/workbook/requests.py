"""Asking for a workbook, within what one survey may ask of the workers."""

import hashlib
import json
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import get_language

from surveys.models import Release, Workbook
from surveys.waves.changes import Names
from surveys.workbook import tables

# Of one survey, so that whoever loads every release keeps nobody else waiting.
WAITING_MAX = 2
# After which what failed is tried again.
TRIED_AGAIN = timedelta(minutes=10)


class Busy(Exception):
    """Others of the survey are being made."""


def ask(release: Release, waves: Names) -> Workbook:
    """The workbook in the language that is active, asked for unless it was. `waves` are those up to the release that
    whoever asks may see. Busy where no more can be asked for."""
    digest = _digest(release, waves)
    row = _row(release, digest)
    if row is not None and not _failed_long_ago(row):
        return row
    under_way = Workbook.objects.filter(release__survey=release.survey, state__in=Workbook.UNDER_WAY)
    if under_way.count() >= WAITING_MAX:
        raise Busy
    Workbook.ask(release=release, digest=digest, language=get_language() or "en", waves=waves)
    row = _row(release, digest)
    assert row is not None
    return row


def _row(release: Release, digest: str) -> Workbook | None:
    return Workbook.objects.filter(release=release, digest=digest).first()


def _failed_long_ago(row: Workbook) -> bool:
    return row.state == row.State.FAILED and row.worked_at < timezone.now() - TRIED_AGAIN


def _digest(release: Release, waves: Names) -> str:
    """What a workbook depends on beside its release, in one word."""
    what = [get_language(), waves, tables.ready(release)]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()
