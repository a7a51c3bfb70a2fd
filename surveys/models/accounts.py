"""Users who work on a survey, and their actions. Respondents have no account and are in none of these tables."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey
from surveys.models.words import WordField


class Role(models.TextChoices):
    """The rights of a user on a survey. Each role includes the roles before it."""

    VIEWER = "viewer", _("Viewer")
    RESEARCHER = "researcher", _("Researcher")
    DESIGNER = "designer", _("Designer")
    OWNER = "owner", _("Owner")

    def covers(self, needed: "Role") -> bool:
        order = list(Role)
        return order.index(self) >= order.index(needed)


class Profile(models.Model):
    """The site's data about an account, besides Django's."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    zone = models.CharField(max_length=64)  # The IANA name of the account's time zone.

    def __str__(self) -> str:
        return f"{self.user}: {self.zone}"


class Membership(models.Model):
    """A user's role on a survey."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = WordField(max_length=10, choices=Role.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["survey", "user"], name="one_role_on_a_survey")]

    def __str__(self) -> str:
        return f"{self.user}: {self.role} of {self.survey}"


class Invitation(models.Model):
    """A link that gives a role to the first person who accepts it. Only the hash of its token is stored."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="invitations")
    role = WordField(max_length=10, choices=Role.choices)
    token_hash = models.CharField(max_length=64, unique=True)  # SHA-256 of the token, in hexadecimal.
    last_day = models.DateField()  # The last day (UTC) on which it can be accepted.
    used = models.BooleanField(default=False)
    # The owner who made it. Without a maker who is still an owner, it does not work.
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="invitations"
    )

    def __str__(self) -> str:
        return f"invitation to {self.survey} as {self.role}"


class AuditEntry(models.Model):
    """An action of a user. Append-only: a database trigger refuses changes and deletions.

    It names users and surveys by text, so that it outlives them. No IP address is stored.
    """

    class Action(models.TextChoices):
        CREATED = "created"
        IMPORTED = "imported"
        EDITED = "edited"
        OPENED = "opened"
        CLOSED = "closed"
        PUBLISHED = "published"
        UNPUBLISHED = "unpublished"
        MICRODATA_PUBLISHED = "microdata published"
        MICRODATA_UNPUBLISHED = "microdata taken back"
        MICRODATA_ASKED = "microdata asked for"
        MICRODATA_TAKEN = "microdata taken"
        ARCHIVED = "archived"
        UNARCHIVED = "unarchived"
        DELETED = "deleted"
        INVITED = "invited"
        REVOKED = "revoked"
        JOINED = "joined"
        ROLE_GIVEN = "role given"
        REMOVED = "removed"
        TOKEN_MADE = "made a token"
        TOKEN_REVOKED = "revoked a token"

    at = models.DateTimeField(auto_now_add=True)
    username = models.CharField(max_length=150)
    action = WordField(max_length=20, choices=Action.choices)
    survey_number = models.BigIntegerField(null=True, db_index=True)  # The survey's primary key.
    survey_title = models.CharField(max_length=200)
    detail = models.CharField(max_length=500)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.username} {self.action} {self.survey_title}".rstrip()
