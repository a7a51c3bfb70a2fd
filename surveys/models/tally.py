"""Taken reports: blocks, which hold them without their order of arrival, and their totals."""

from typing import Any, TypedDict

from django.db import models

from surveys.models.survey import Survey
from surveys.models.words import WordField


class FormCount(TypedDict):
    """The number of a form's reports, and the totals of their scores, by the key of a report's part."""

    n: int
    totals: dict[str, Any]


class Block(models.Model):
    """Reports of one form of a survey in random order (worker/blocks.py). Small blocks are joined into large ones."""

    class Stage(models.TextChoices):
        HELD = "held", "held back for a later release"
        READY = "ready", "for the next release"
        RELEASED = "released"

    survey = models.ForeignKey(Survey, on_delete=models.PROTECT)
    stage = WordField(max_length=8, choices=Stage.choices)
    n = models.PositiveIntegerField()
    columns = models.BinaryField()
    form = models.PositiveSmallIntegerField(db_default=0)  # From 0.


class Tally(models.Model):
    """Score totals of a survey's taken reports (S and n of M12), by form and separately for held reports.

    `tallies` is about ready and released blocks, `held` about held blocks. Both are lists with one FormCount {"n": ...,
    "totals": {part: {method: [a total per category]}}} for each form, in the definition's order. A part is the question
    or questions of a draw (definition/layout.py).
    """

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE)
    tallies = models.JSONField(default=list)
    held = models.JSONField(default=list)
    # The survey ended with fewer reports than this. They were deleted, and nothing is published.
    fewer_than = models.PositiveIntegerField(null=True)
    attempts = models.PositiveIntegerField(default=0)  # Attempts to take since the last success.
    # The database's files may still show the order of the last batches.
    traces = models.BooleanField(default=False)

    @property
    def n(self) -> int:
        return sum(each["n"] for each in self.tallies)

    @property
    def held_n(self) -> int:
        return sum(each["n"] for each in self.held)


def nothing(forms: int) -> list[FormCount]:
    """Return the empty counts of this number of forms."""
    return [{"n": 0, "totals": {}} for _ in range(forms)]
