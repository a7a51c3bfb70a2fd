"""How many people have answered, as far as it is shown while a survey runs (docs/privacy.md argues it beside P11)."""

from django.db import models

from surveys.models.survey import Survey

STEP = 10
FIRST = 20  # the least that is shown: with fewer reports nothing is ever published
DAY = 24  # hours


class Turnout(models.Model):
    """The published turnout of an open survey: counted by the worker on the hour, stored, and the same for every
    look."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE)
    hour = models.DateTimeField(help_text="The full hour of the last count.")
    counts = models.JSONField(help_text="What was shown in the last day, the newest last; 0 is fewer than 20.")
    turning = models.PositiveBigIntegerField(
        default=FIRST, help_text="With so many people the next step is shown. It was drawn by lot and is never shown."
    )

    @property
    def people(self) -> int:
        """At least so many have answered; 0 while fewer than 20 may be all."""
        return int(self.counts[-1])

    def __str__(self) -> str:
        return f"{self.people} at {self.hour:%Y-%m-%d %H:%M}"


def turnout_of(survey: Survey) -> Turnout | None:
    """The published turnout of an open survey; None before its first count."""
    return Turnout.objects.filter(survey=survey, survey__state=Survey.State.OPEN).first()
