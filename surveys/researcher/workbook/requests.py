"""Requests for a workbook, within the limits of a survey."""

import hashlib
import json

from django.utils import timezone
from django.utils.translation import get_language

from surveys.access import Visitor, has_role
from surveys.models import Release, Role, Workbook
from surveys.researcher.analyses.frame.derived import WaveNames
from surveys.researcher.workbook import tables

# The most unfinished workbooks of one survey: a reader who loads every release does not delay other surveys.
WAITING_MAX = 2


class WorkbookBusy(Exception):
    """Other workbooks of the survey are unfinished."""


class Older(Exception):
    """The release is not the newest, and the visitor has no role in the survey. A survey stores only a few workbooks.
    Visitors could request old releases in all languages again and again."""


def ask(release: Release, waves: WaveNames, by: Visitor) -> Workbook:
    """Return the workbook in the active language. Request it if there is none or it failed on an earlier day.

    `waves` are the waves up to the release that the reader may see. Raise WorkbookBusy at the limit, Older if the
    release is too old for the visitor.
    """
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
    """Return whether the workbook failed on an earlier day. Then it is tried again."""
    return row.state == row.State.FAILED and row.worked_at.date() < timezone.now().date()


def _digest(release: Release, waves: WaveNames) -> str:
    """Return a digest of a workbook's inputs besides its release."""
    what = [get_language(), waves, tables.ready(release)]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()
