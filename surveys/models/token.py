"""Keys with which programs read in somebody's name. Of each only the hash is stored."""

from datetime import date

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey


class Scope(models.TextChoices):
    """What a token may be used for, where its owner may do it."""

    RESULTS = "results", _("Results")
    MICRODATA = "microdata", _("Microdata")
    INVITATIONS = "invitations", _("Invitations")
    STUDIO = "studio", _("Studio")


class Token(models.Model):
    """A key of a person for programs. It never opens more than its owner may open at that moment."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=80, help_text="What its owner calls it.")
    prefix = models.CharField(max_length=12, help_text="How it begins, to recognize it by.")
    token_hash = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token, in hexadecimal.")
    scopes = models.CharField(max_length=100, help_text="Words with spaces between them.")
    survey = models.ForeignKey(
        Survey,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="tokens",
        help_text="The only one it is for.",
    )
    created = models.DateField()
    last_day = models.DateField(help_text="The last day on which it works (UTC).")
    last_used = models.DateField(null=True, help_text="The last day on which it was used (UTC).")
    revoked = models.BooleanField(default=False)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.prefix}… of {self.user}"

    def works_on(self, day: date) -> bool:
        """Whether it is neither revoked nor expired."""
        return not self.revoked and day <= self.last_day

    def has(self, scope: Scope) -> bool:
        return scope in self.scopes.split()

    def is_for(self, survey: Survey) -> bool:
        """Whether it is for this survey, a draft or not, as far as its scopes go."""
        return self.survey_id in (None, survey.pk)

    def reaches(self, slug: str, scope: Scope) -> bool:
        """Whether it is for this use of the survey of this slug, if its owner may do it."""
        return self.has(scope) and (self.survey is None or self.survey.slug == slug)
