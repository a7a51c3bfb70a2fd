"""What a worker counts of a release's reports on request, and what is kept of it for ever: a document."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.jobs import Job
from surveys.models.release import Release


class Counting(Job):
    """A cross-table, a regression, subgroups or a raking."""

    progress = "counted"

    class Reason(models.TextChoices):
        SUPERSEDED = "superseded", _("a newer release came before the reports were counted")
        DIFFERS = "differs", _("the stored reports do not add up to the release")
        NOBODY = "nobody", _("no report is about all of these questions")
        REVOKED = "revoked", _("whoever asked for it may no longer have it")
        TRIED = "tried", _("counting the reports failed several times")

    release = models.ForeignKey(Release, on_delete=models.CASCADE)
    reason = models.CharField(max_length=10, choices=Reason.choices, blank=True, help_text="Why it failed.")
    counted = models.PositiveBigIntegerField(default=0, help_text="Reports counted so far.")
    document = models.JSONField(null=True, help_text="Counts and estimates; null until it is ready.")

    class Meta:
        abstract = True


class Crossing(Counting):
    """Two questions in one table (ldp/crossing.py)."""

    first = models.CharField(
        max_length=80, help_text="A question's key, with a dot and the place of an item or option."
    )
    second = models.CharField(max_length=80, help_text="The same; it stands behind the first in the definition.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "first", "second"], name="crossing_once")]

    def __str__(self) -> str:
        return f"{self.first} by {self.second} of {self.release}"


class Regression(Counting):
    """An outcome explained by other questions (ldp/regression)."""

    model = models.JSONField(help_text="What explains what (ldp/regression/specification.py).")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the model's canonical JSON.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "digest"], name="regression_once")]

    def __str__(self) -> str:
        return f"{self.model['outcome']} explained, of {self.release}"


class Subgroups(Counting):
    """Every question by one stratum (ldp/subgroups.py)."""

    stratum = models.CharField(max_length=80, help_text="A question's key, or that of its item or option.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "stratum"], name="subgroups_once")]

    def __str__(self) -> str:
        return f"by {self.stratum}, of {self.release}"


class Raking(Counting):
    """A question weighted by the known shares of several others' answers (ldp/weighting/raking_document.py)."""

    margins = models.JSONField(help_text="What is weighted by which shares (ldp/weighting/margins.py).")
    digest = models.CharField(max_length=64, help_text="SHA-256 of their canonical JSON.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "digest"], name="raking_once")]

    def __str__(self) -> str:
        return f"{self.margins['question']} weighted, of {self.release}"


COUNTED: tuple[type[Counting], ...] = (Crossing, Regression, Subgroups, Raking)
