"""Analyses of a release, requested by researchers and computed by a worker. Each has a row, whose document stays."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.jobs import Job
from surveys.models.release import Release
from surveys.models.words import WordField


class AnalysisRun(Job):
    """An analysis of a release (surveys/researcher/analyses)."""

    progress = "counted"

    class Reason(models.TextChoices):
        SUPERSEDED = "superseded", _("a newer release came before the reports were counted")
        DIFFERS = "differs", _("the stored reports do not add up to the release")
        NOBODY = "nobody", _("no report is about all of these questions")
        FEW_ASKED = "few_asked", _("too few people were asked both of these questions")
        REVOKED = "revoked", _("the person who asked for it may no longer have it")
        TRIED = "tried", _("counting the reports failed several times")

    release = models.ForeignKey(Release, on_delete=models.CASCADE)
    kind = models.CharField(max_length=20)  # The name of the analysis (surveys/researcher/analyses/registry.py).
    specification = models.JSONField()  # The computed analysis, with the keys of its variables.
    digest = models.CharField(max_length=64)  # SHA-256 of the specification's canonical JSON.
    reason = WordField(max_length=10, choices=Reason.choices, blank=True)  # Why it failed.
    counted = models.PositiveBigIntegerField(default=0)  # Reports counted so far.
    document = models.JSONField(null=True)  # Counts and estimates; null until it is ready.

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "kind", "digest"], name="analysis_once")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.release}"
