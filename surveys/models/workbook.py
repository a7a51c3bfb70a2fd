"""All tables of a release as one file, made by a worker for whoever sees the results."""

from django.db import models

from surveys.models.jobs import Job
from surveys.models.release import Release


class Workbook(Job):
    """In one language, for those who may see the same waves. What it depends on beside these has its part in `digest`,
    so that one that is made never changes."""

    progress = "written"

    class Reason(models.TextChoices):
        TRIED = "tried", "making it failed several times"

    release = models.ForeignKey(Release, on_delete=models.CASCADE)
    language = models.CharField(max_length=10)
    waves = models.JSONField(help_text="Slug and release of each wave that whoever asked may see.")
    digest = models.CharField(
        max_length=64, help_text="SHA-256 of what it depends on (surveys/researcher/workbook/requests.py)."
    )
    reason = models.CharField(max_length=10, choices=Reason.choices, blank=True, help_text="Why it failed.")
    written = models.PositiveIntegerField(
        default=0, help_text="Steps done so far (surveys/researcher/workbook/tables.py)."
    )
    content = models.BinaryField(null=True, help_text="The file; null until it is ready.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "digest"], name="workbook_once")]

    def __str__(self) -> str:
        return f"tables of {self.release} ({self.language})"
