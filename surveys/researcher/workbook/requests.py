"""Asking for a workbook, within what one survey may ask of the workers."""

import hashlib
import json

from django.utils import timezone
from django.utils.translation import get_language

from surveys.access import Visitor, has_role
from surveys.models import Release, Role, Workbook
from surveys.researcher.analyses.frame.derived import WaveNames
from surveys.researcher.workbook import tables

# For one survey, so that a reader who loads every release keeps no one else waiting.
WAITING_MAX = 2


class WorkbookBusy(Exception):
    """Others of the survey are being made."""


class Older(Exception):
    """Strangers have none made of a release that is not the newest: a survey keeps some, and with all releases and
    languages they would have them made again and again."""


def ask(release: Release, waves: WaveNames, by: Visitor) -> Workbook:
    """Return the workbook in the active language, and ask for it unless someone has. `waves` are those up to the
    release that the reader may see. WorkbookBusy if no more can be asked for, Older if not of this release."""
    digest = _digest(release, waves)
    row = _row(release, digest)
    if row is not None and not _failed_before_today(row):
        return row
    if not (release.is_newest() or has_role(by, release.survey, Role.VIEWER)):
        raise Older
    under_way = Workbook.objects.filter(release__survey=release.survey, state__in=Workbook.UNDER_WAY)
    if under_way.count() >= WAITING_MAX:
        raise WorkbookBusy
    Workbook.ask(release=release, digest=digest, language=get_language() or "en", waves=waves)
    row = _row(release, digest)
    assert row is not None
    return row


def _row(release: Release, digest: str) -> Workbook | None:
    return Workbook.objects.filter(release=release, digest=digest).first()


def _failed_before_today(row: Workbook) -> bool:
    """Return what failed is tried again on another day."""
    return row.state == row.State.FAILED and row.worked_at.date() < timezone.now().date()


def _digest(release: Release, waves: WaveNames) -> str:
    """Return what a workbook depends on beside its release, in one word."""
    what = [get_language(), waves, tables.ready(release)]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()
