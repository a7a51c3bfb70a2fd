"""What becomes of the reports that were taken: blocks, which hold them without their order, and their totals."""

from typing import Any, TypedDict

from django.db import models

from surveys.models.survey import Survey


class FormCount(TypedDict):
    """What was counted of a form: its reports, and by the key of each part of a report the totals of its scores."""

    n: int
    totals: dict[str, Any]


class Block(models.Model):
    """Reports of one form of a survey in random order; see worker/blocks.py. Small ones are joined into large ones."""

    class Stage(models.TextChoices):
        HELD = "held", "held back for a later release"
        READY = "ready", "for the next release"
        RELEASED = "released"

    survey = models.ForeignKey(Survey, on_delete=models.PROTECT)
    stage = models.CharField(max_length=8, choices=Stage.choices)
    n = models.PositiveIntegerField()
    columns = models.BinaryField()
    form = models.PositiveSmallIntegerField(db_default=0, help_text="From 0 on.")


class Tally(models.Model):
    """Score totals of a survey's taken reports (S, n of M12), form by form and apart for those that are held back.

    `tallies` are those of the blocks that are ready or released, `held` those of the blocks that are held. Both have
    for each form, in the order of the definition, {"n": ..., "totals": by part and method, a total per category}; a
    part is what one draw is about, a question or several (definition/layout.py).
    """

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE)
    tallies = models.JSONField(default=list)
    held = models.JSONField(default=list)
    fewer_than = models.PositiveIntegerField(
        null=True,
        help_text="The survey ended with fewer reports than this. They were erased, and nothing is published.",
    )
    attempts = models.PositiveIntegerField(default=0, help_text="Tries to take since the last that succeeded.")
    traces = models.BooleanField(
        default=False, help_text="The database's files may still tell in which order the last batches came."
    )

    @property
    def n(self) -> int:
        return sum(each["n"] for each in self.tallies)

    @property
    def held_n(self) -> int:
        return sum(each["n"] for each in self.held)


def nothing(forms: int) -> list[FormCount]:
    """The tallies of so many forms before any report."""
    return [{"n": 0, "totals": {}} for _ in range(forms)]
