"""API tokens. Only their hashes are stored."""

from datetime import date

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey


class Scope(models.TextChoices):
    """A use that a token allows, if its owner may do it."""

    RESULTS = "results", _("Results")
    MICRODATA = "microdata", _("Microdata")
    INVITATIONS = "invitations", _("Invitations")
    STUDIO = "studio", _("Studio")


class Token(models.Model):
    """A user's API token. It never allows more than its owner may do at that moment."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=80)  # The owner's name for it.
    prefix = models.CharField(max_length=12)  # Its first characters, by which the owner recognizes it.
    token_hash = models.CharField(max_length=64, unique=True)  # SHA-256 of the token, in hexadecimal.
    scopes = models.CharField(max_length=100)  # Words with spaces between them.
    # The only survey that it is for; null for all.
    survey = models.ForeignKey(Survey, null=True, on_delete=models.CASCADE, related_name="tokens")
    created = models.DateField()
    last_day = models.DateField()  # The last day on which it works (UTC).
    last_used = models.DateField(null=True)  # The last day on which it was used (UTC).
    revoked = models.BooleanField(default=False)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.prefix}… of {self.user}"

    def works_on(self, day: date) -> bool:
        """Return whether it is neither revoked nor expired on this day."""
        return not self.revoked and day <= self.last_day

    def has(self, scope: Scope) -> bool:
        return scope in self.scopes.split()

    def is_for(self, survey: Survey) -> bool:
        """Return whether it is for this survey, or for all surveys. Scopes are not checked."""
        return self.survey_id in (None, survey.pk)

    def reaches(self, slug: str, scope: Scope) -> bool:
        """Return whether it allows this use of the survey with this slug. Its owner's role is not checked."""
        return self.has(scope) and (self.survey is None or self.survey.slug == slug)
