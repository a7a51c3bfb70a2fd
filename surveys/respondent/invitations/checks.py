"""System checks of the book of invitations. `manage.py check --database default` runs before every start.

E007: a book older than the database. E008: another site's book. E009: a book on a network. W010: no book here.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connections

from surveys.models import ReportId, Survey
from surveys.respondent.invitations import restoration
from surveys.respondent.invitations.file import exists
from surveys.respondent.invitations.restoration import Gap

NETWORKS = frozenset(["afs", "ceph", "cifs", "fuse.glusterfs", "fuse.sshfs", "lustre", "nfs", "nfs4", "smb3", "smbfs"])
MOUNTS = Path("/proc/self/mounts")


@register(Tags.database)
def book_of_this_site(databases: Sequence[str] | None, **options: Any) -> list[CheckMessage]:
    if "default" not in (databases or ()) or not _has_tables():
        return []
    if not exists():
        return [_none()] if restoration.by_invitation() else []
    return [_older(gap) if gap.uses is not None else _unknown(gap.survey) for gap in restoration.gaps()]


def _has_tables() -> bool:
    """Return whether the database has its tables. Return False if it cannot store reports; E005 and E001 report
    that."""
    try:
        return {Survey._meta.db_table, ReportId._meta.db_table} <= set(
            connections["default"].introspection.table_names()
        )
    except (ImproperlyConfigured, OperationalError):
        return False


@register()
def book_on_this_machine(**options: Any) -> list[CheckMessage]:
    """Return E009 for a book on a network: without SQLite's locks, two machines could sign for one invitation."""
    kind = _file_system(settings.INVITATIONS_FILE.parent)
    if kind not in NETWORKS:
        return []
    hint = "Set INVITATIONS_DIR to a disk of the one machine that signs. See docs/operators/settings.md, Invitations."
    return [Error(f"INVITATIONS_DIR is on a network ({kind}).", hint=hint, id="deniable.E009")]


def _file_system(directory: Path) -> str:
    """Return the kind of the directory's file system; "" if it is unknown."""
    if not MOUNTS.exists():
        return ""
    mounts = [line.split(" ")[1:3] for line in MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()]
    above = {str(each) for each in (directory.resolve(), *directory.resolve().parents)}
    holding = [(len(path), k, kind) for k, (path, kind) in enumerate(mounts) if path in above]
    return max(holding, default=(0, 0, ""))[2]


def _none() -> CheckMessage:
    message = "There are surveys by invitation, but no book of invitations on this machine."
    hint = "Ignore this if another machine signs. Otherwise no one can answer them: restore the book."
    return Warning(message, hint=hint, id="deniable.W010")


def _older(gap: Gap) -> CheckMessage:
    survey = gap.survey
    message = (
        f"The book of invitations is older than the database: {survey.slug} has {gap.reports} reports from {gap.uses}"
    )
    hint = (
        f"At least {gap.reports - (gap.uses or 0)} people could answer again. Restore a newer book, or end the survey "
        f"(manage.py survey close {survey.slug}), or let them (manage.py survey restored {survey.slug})."
    )
    return Error(f"{message} used invitations.", hint=hint, id="deniable.E007")


def _unknown(survey: Survey) -> CheckMessage:
    hint = (
        f"Restore it, or name its directory (INVITATIONS_DIR), or end the survey: manage.py survey close {survey.slug}."
    )
    message = f"The book of invitations does not know {survey.slug}."
    return Error(message, hint=hint, id="deniable.E008")
