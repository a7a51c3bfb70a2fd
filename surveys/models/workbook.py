"""All tables of a release as one file, made by a worker on request."""

from django.db import models

from surveys.models.jobs import Job
from surveys.models.release import Release
from surveys.models.words import WordField


class Workbook(Job):
    """A release's workbook in one language, for users who may see the same waves. `digest` covers everything else that
    it depends on, so a workbook never changes."""

    progress = "written"

    class Reason(models.TextChoices):
        TRIED = "tried", "making it failed several times"

    release = models.ForeignKey(Release, on_delete=models.CASCADE)
    language = models.CharField(max_length=10)
    waves = models.JSONField()  # Slug and release of each wave that the requester may see.
    digest = models.CharField(max_length=64)  # SHA-256 of what it depends on (surveys/researcher/workbook/requests.py).
    reason = WordField(max_length=10, choices=Reason.choices, blank=True)  # Why it failed.
    written = models.PositiveIntegerField(default=0)  # Steps done so far (surveys/researcher/workbook/tables.py).
    content = models.BinaryField(null=True)  # The file; null until it is ready.

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "digest"], name="workbook_once")]

    def __str__(self) -> str:
        return f"tables of {self.release} ({self.language})"
