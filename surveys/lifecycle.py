"""A survey's life: draft, open, closed. Each step is a conditional update, so that of two who take it one does."""

import secrets
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from surveys import definition as definitions
from surveys.check.log import note_survey
from surveys.definition import TITLE_MAX
from surveys.models import AuditEntry, Membership, Role, Survey, Tally
from surveys.people.log import record


def create_draft(draft: dict[str, Any], **fields: Any) -> Survey:
    """Store a draft that could be opened. DraftRefused names what it lacks."""
    return Survey.objects.create(title=definitions.build(draft)["title"], draft=draft, **fields)


def begin_draft(owner: User, draft: dict[str, Any], action: AuditEntry.Action = AuditEntry.Action.CREATED) -> Survey:
    """Store a draft, complete or not, that belongs to `owner`."""
    with transaction.atomic():
        survey = Survey.objects.create(title=title_of(draft), draft=draft)
        Membership.objects.create(survey=survey, user=owner, role=Role.OWNER)
        record(owner, action, survey)
    return survey


def title_of(draft: dict[str, Any]) -> str:
    """What a draft is called in lists: as much of its title as has room there."""
    title = draft.get("title", "")
    return title.strip()[:TITLE_MAX] if isinstance(title, str) else ""


def open_survey(survey: Survey) -> None:
    """Freeze the draft into the definition. DraftRefused names what a draft lacks, ValueError a wrong state."""
    definition, slug = definitions.build(survey.draft), _new_slug()
    digest = definitions.digest(definition)
    with transaction.atomic():
        changed = Survey.objects.filter(pk=survey.pk, state=Survey.State.DRAFT).update(
            state=Survey.State.OPEN,
            title=definition["title"],
            slug=slug,
            canonical=definitions.canonical(definition).decode(),
            digest=digest,
            batch=max(settings.BATCH, survey.batch or 0),
            opened_at=timezone.now(),
        )
        if changed != 1:
            raise ValueError("only a draft can be opened")
        Tally.objects.create(survey=survey)
        note_survey(slug, digest)
    survey.refresh_from_db()


def close_survey(survey: Survey) -> bool:
    """Close an open survey; False where it was not open (any more)."""
    changed = Survey.objects.filter(pk=survey.pk, state=Survey.State.OPEN).update(
        state=Survey.State.CLOSED, closed_at=timezone.now()
    )
    survey.refresh_from_db()
    return changed == 1


def _new_slug() -> str:
    """128 random bits as text, without a first character that a command would take for an option."""
    while (slug := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return slug
