"""What people with an account did. Nothing of respondents, and no address, stands in it."""

from django.contrib.auth.models import User

from surveys.models import AuditEntry, Survey


def record(user: User, action: AuditEntry.Action, survey: Survey | None = None, detail: str = "") -> None:
    """Add an entry; call it within the transaction of the deed, so that both happen or none."""
    AuditEntry.objects.create(
        username=user.get_username(),
        action=action,
        survey_number=survey.pk if survey else None,
        survey_title=survey.title if survey else "",
        detail=detail[:500],
    )
