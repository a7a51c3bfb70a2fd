"""How many people have answered, as far as it is shown while a survey runs (protection.md argues it beside P11)."""

from django.conf import settings
from django.db import models

from surveys.models.survey import Survey

STEP = 10
FIRST = 20
DAY = 24  # hours


def first_step() -> int:
    """The least number that is shown: 20, and never fewer than a release must have."""
    return -(-max(FIRST, settings.RELEASE_LEAST) // STEP) * STEP


class Turnout(models.Model):
    """The published turnout of an open survey: counted by the worker on the hour, stored, and the same for every
    look."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE)
    hour = models.DateTimeField(help_text="The full hour of the last count.")
    counts = models.JSONField(help_text="What was shown in the last day, the newest last.")
    turning = models.PositiveBigIntegerField(
        help_text="With so many people the next step is shown. It was drawn by lot and is never shown."
    )

    @property
    def people(self) -> int:
        """At least so many have answered; 0 before the first step."""
        return int(self.counts[-1])

    def __str__(self) -> str:
        return f"{self.people} at {self.hour:%Y-%m-%d %H:%M}"


def turnout_of(survey: Survey) -> Turnout | None:
    """The published turnout of an open survey; None before its first count."""
    return Turnout.objects.filter(survey=survey, survey__state=Survey.State.OPEN).first()
