"""The number of people who have answered, shown while a survey is open (argument in protection.md, with P11)."""

from django.conf import settings
from django.db import models

from surveys.models.survey import Survey

STEP = 10
FIRST = 20
DAY = 24  # hours


def first_step() -> int:
    """Return the smallest number that is shown: 20, or RELEASE_LEAST rounded up to STEP if that is more."""
    return -(-max(FIRST, settings.RELEASE_LEAST) // STEP) * STEP


class Turnout(models.Model):
    """The published turnout of an open survey. The worker counts and stores it on the hour, so looking again shows
    nothing new."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE)
    hour = models.DateTimeField()  # The full hour of the last count.
    counts = models.JSONField()  # The shown counts of the last day, newest last.
    # The number of people at which the next step is shown. It is random and never shown.
    turning = models.PositiveBigIntegerField()

    @property
    def people(self) -> int:
        """Return the shown number of people, at most the true number; 0 before the first step."""
        return int(self.counts[-1])

    def __str__(self) -> str:
        return f"{self.people} at {self.hour:%Y-%m-%d %H:%M}"


def turnout_of(survey: Survey) -> Turnout | None:
    """Return the published turnout of an open survey; None before its first count."""
    return Turnout.objects.filter(survey=survey, survey__state=Survey.State.OPEN).first()
