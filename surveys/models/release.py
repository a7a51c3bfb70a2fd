"""What is published of a survey."""

from django.db import models

from surveys.models.survey import Survey

# A release costs work and its readers attention: it is made when the tally has grown by a batch and by 1 / GROWTH.
GROWTH = 20


class ReleaseQuerySet(models.QuerySet["Release"]):
    def latest_of(self, survey: Survey) -> "Release | None":
        """The newest release that has its estimates."""
        return self.filter(survey=survey, document__isnull=False).order_by("number").last()

    def readable(self, survey: Survey) -> "ReleaseQuerySet":
        """The releases that have their estimates, in order, without what is long (results/response_cache.py keeps
        it)."""
        estimated = self.filter(survey=survey, document__isnull=False)
        return estimated.select_related("survey").defer("document", "totals").order_by("number")


class Release(models.Model):
    """What is published of a survey at one time, for ever. A database trigger holds it."""

    survey = models.ForeignKey(Survey, on_delete=models.PROTECT)
    number = models.PositiveIntegerField(help_text="1, 2, ... of the survey.")
    day = models.DateField()
    final = models.BooleanField(help_text="The survey had ended and every report was taken.")
    n = models.PositiveBigIntegerField()
    totals = models.JSONField(help_text="As the tally's, of the n reports.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of n and totals in canonical JSON.")
    document = models.JSONField(null=True, help_text="The estimates; null until a worker has computed them.")
    attempts = models.PositiveIntegerField(default=0, help_text="Tries to compute the estimates.")

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["survey", "number"], name="release_number_once")]

    def is_newest(self) -> bool:
        """Whether the released blocks hold its reports, and no later ones."""
        return not Release.objects.filter(survey=self.survey_id, number__gt=self.number).exists()

    def __str__(self) -> str:
        return f"release {self.number} of {self.survey}"
