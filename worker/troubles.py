"""Reports of the machine's troubles to the site's owners and the operator (surveys/operation/troubles.py)."""

from datetime import datetime

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import DatabaseError
from django.utils import translation

from surveys.models import Survey
from surveys.operation import counts
from surveys.operation.faults import FAULTS
from surveys.operation.troubles import TROUBLES, present

DAY, HOUR = 86_400, 3600  # seconds until a lasting trouble is mailed again, and until a failed mail is tried again
RUNBOOK = "docs/operators/runbook.md, “Something is wrong”, says what to do."


def tell() -> None:
    lasting = present(_first_opened())
    for name, holds in lasting.items():
        counts.set_level(f"trouble {name}", float(holds))
    # No mail is sent about mail that does not leave.
    worth = [name for name, holds in lasting.items() if holds and name != "mail"]
    if settings.OPERATOR_MAIL and settings.EMAIL_HOST:
        _mail(worth)


def _first_opened() -> datetime | None:
    """Return when the first survey opened; None while the database does not answer, as on a full disk."""
    try:
        return Survey.first_opened()
    except DatabaseError:
        return None


def _mail(names: list[str]) -> None:
    """Mail all troubles at once if one of them was not mailed within the last day."""
    new = [name for name in names if counts.first(f"mailed {name}", DAY)]
    if not new:
        return
    with translation.override("en"):
        sentences = [str(TROUBLES[name]) for name in names]
    subject = sentences[0] if len(names) == 1 else f"{len(names)} problems"
    body = "\n".join([*sentences, "", RUNBOOK, ""])
    sent = True
    try:
        EmailMessage(f"{settings.SITE_URL}: {subject}", body, to=[settings.OPERATOR_MAIL]).send()
    except OSError as error:
        sent = False
        FAULTS.add("A trouble could not be mailed", (type(error), error, error.__traceback__))
    for name in names:
        counts.again(f"mailed {name}", DAY if sent else HOUR)
