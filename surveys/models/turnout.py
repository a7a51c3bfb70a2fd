"""The number of people who have answered, as it is shown while a survey runs (argued in protection.md, with P11)."""

from django.conf import settings
from django.db import models

from surveys.models.survey import Survey

STEP = 10
FIRST = 20
DAY = 24  # hours


def first_step() -> int:
    """Return the least number that is shown: 20, or the tens that a release must have if that is more."""
    return -(-max(FIRST, settings.RELEASE_LEAST) // STEP) * STEP


class Turnout(models.Model):
    """The published turnout of an open survey: counted by the worker on the hour and stored, so that looking at it
    again shows nothing new."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE)
    hour = models.DateTimeField()  # The full hour of the last count.
    counts = models.JSONField()  # What was shown in the last day, the newest last.
    # With so many people the next step is shown. It was drawn by lot and is never shown.
    turning = models.PositiveBigIntegerField()

    @property
    def people(self) -> int:
        """The number of people shown, which is at most the true number; 0 before the first step."""
        return int(self.counts[-1])

    def __str__(self) -> str:
        return f"{self.people} at {self.hour:%Y-%m-%d %H:%M}"


def turnout_of(survey: Survey) -> Turnout | None:
    """Return the published turnout of an open survey; None before its first count."""
    return Turnout.objects.filter(survey=survey, survey__state=Survey.State.OPEN).first()
