"""Troubles that an operator must know before anything is lost: a failed or missing backup, a full disk, mail that does
not leave, a certificate that expires.

The worker checks once a minute. The site's owners see the troubles above their surveys, and OPERATOR_MAIL gets them
once a day while they last (worker/troubles.py). No trouble depends on a single report.
"""

from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from surveys.operation import counts, gauges

DISK_FREE_LEAST = 0.1
CERTIFICATE_DAYS_LEAST = 14
BACKUP_DAYS_MOST = 8

TROUBLES: dict[str, str | Promise] = {
    "backup_failed": _("The last backup failed."),
    "backup_missing": _("No backup has been made since the first survey opened, more than three days ago."),
    "backup_old": _("The last backup is more than a week old."),
    "disk": _("Less than a tenth of the disk is free. On a full disk no report is stored."),
    "mail": _("Emails do not leave: the mail server takes none."),
    "certificate": _("The certificate ends within two weeks. Without a certificate no one can answer."),
}


def present(first_opened: datetime | None) -> dict[str, bool]:
    """Return whether this machine has each trouble. `first_opened` is the time when the first survey opened. Unreadable
    facts are no trouble."""
    backup, certificate = gauges.backup_days(), gauges.certificate_days()
    return {
        "backup_failed": gauges.backup_failed(),
        "backup_missing": gauges.backup_missing(first_opened),
        "backup_old": backup is not None and backup > BACKUP_DAYS_MOST,
        "disk": gauges.disk_free() < DISK_FREE_LEAST,
        "mail": counts.level("mail_failing") == 1,
        "certificate": certificate is not None and certificate < CERTIFICATE_DAYS_LEAST,
    }


def reported() -> list[str | Promise]:
    """Return sentences on the troubles that the worker has found within the last minutes."""
    levels = counts.levels([f"trouble {name}" for name in TROUBLES])
    return [sentence for sentence, level in zip(TROUBLES.values(), levels, strict=True) if level == 1]
