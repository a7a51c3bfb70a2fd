"""Clean up an earlier run of the demo: its survey, the survey open for a visitor, and the designer's account."""

import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User

from surveys.models import Membership, Release, Role, Survey
from surveys.public.demo import drafts
from surveys.survey import definition

DESIGNER = "designer"


def released(people: str, n: int) -> Release | None:
    """Return the newest final release of a survey with these people's definition and `n` answers."""
    final = Release.objects.filter(survey__digest=_digest(people), final=True, n=n, document__isnull=False)
    return final.order_by("survey_id").last()


def keep_table(survey: Survey, table: str) -> None:
    """Save the printed table. Only the run that drew the forms knows who was asked what; it is stored nowhere."""
    _table_of(survey).write_text(table, encoding="utf-8")


def table(survey: Survey) -> str:
    """Return the printed table of this survey's run; empty if it was not saved."""
    file = _table_of(survey)
    return file.read_text(encoding="utf-8") if file.exists() else ""


def _table_of(survey: Survey) -> Path:
    return settings.DATA_DIR / f"demo-{survey.pk}.txt"


def open_survey(people: str) -> Survey | None:
    """Return the newest survey with these people's definition that takes reports."""
    return Survey.objects.filter(digest=_digest(people), state=Survey.State.OPEN, closes_at=None).order_by("pk").last()


def new_password() -> str | None:
    """Create the account `designer` and return its password; None if the account exists."""
    if User.objects.filter(username=DESIGNER).exists():
        return None
    password = secrets.token_urlsafe(9)
    User.objects.create_user(DESIGNER, password=password)
    return password


def give(surveys: list[Survey]) -> None:
    """Make the designer the owner of these surveys."""
    designer = User.objects.get(username=DESIGNER)
    for survey in surveys:
        Membership.objects.update_or_create(survey=survey, user=designer, defaults={"role": Role.OWNER})


def _digest(people: str) -> str:
    return definition.digest(definition.build(drafts.draft(people)))
