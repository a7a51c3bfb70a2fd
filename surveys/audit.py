"""The audit of users' actions. It holds nothing about respondents, and no IP addresses."""

from django.contrib.auth.models import User
from django.utils import timezone

from surveys.models import AuditEntry, Survey


def record(user: User, action: AuditEntry.Action, survey: Survey | None = None, detail: str = "") -> None:
    """Add an entry. Call this within the transaction of the action, so that both happen or neither."""
    AuditEntry.objects.create(
        username=user.get_username(),
        action=action,
        survey_number=survey.pk if survey else None,
        survey_title=survey.title if survey else "",
        detail=detail[:500],
    )


def record_daily(user: User, action: AuditEntry.Action, survey: Survey) -> None:
    """Add an entry for a frequent action, unless this user and survey have one on the same day (UTC)."""
    today = AuditEntry.objects.filter(survey_number=survey.pk, action=action, at__date=timezone.now().date())
    if not today.filter(username=user.get_username()).exists():
        record(user, action, survey)
