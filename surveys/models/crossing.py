"""Two questions of a release crossed, counted by a worker on request and kept for ever."""

from django.db import models

from surveys.models.jobs import Job
from surveys.models.release import Release


class Crossing(Job):
    """One table."""

    progress = "counted"

    class Reason(models.TextChoices):
        SUPERSEDED = "superseded", "a newer release came before the reports were counted"
        DIFFERS = "differs", "the stored reports do not add up to the release"
        NOBODY = "nobody", "no report is about both"
        REVOKED = "revoked", "whoever asked for it may not have it any more"
        TRIED = "tried", "counting the reports failed several times"

    release = models.ForeignKey(Release, on_delete=models.CASCADE)
    first = models.CharField(
        max_length=80, help_text="A question's key, with a dot and the place of an item or option."
    )
    second = models.CharField(max_length=80, help_text="The same; it stands behind the first in the definition.")
    reason = models.CharField(max_length=10, choices=Reason.choices, blank=True, help_text="Why it failed.")
    counted = models.PositiveBigIntegerField(default=0, help_text="Reports counted so far.")
    document = models.JSONField(null=True, help_text="Counts and estimates (ldp/crossing.py); null until it is ready.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "first", "second"], name="crossing_once")]

    def __str__(self) -> str:
        return f"{self.first} by {self.second} of {self.release}"
