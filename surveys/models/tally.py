"""What becomes of the reports that were taken: blocks, which hold them without their order, and their totals."""

from django.db import models

from surveys.models.survey import Survey


class Block(models.Model):
    """Reports of one survey in random order; see worker/blocks.py. Small ones are joined into large ones."""

    class Stage(models.TextChoices):
        HELD = "held", "held back for a later release"
        READY = "ready", "for the next release"
        RELEASED = "released"

    survey = models.ForeignKey(Survey, on_delete=models.PROTECT)
    stage = models.CharField(max_length=8, choices=Stage.choices)
    n = models.PositiveIntegerField()
    columns = models.BinaryField()


class Tally(models.Model):
    """Score totals of a survey's taken reports (S, n of M12), apart for those that are held back.

    `totals` are those of the blocks that are ready or released; `held_totals` those of the blocks that are held.
    """

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE)
    n = models.PositiveBigIntegerField(default=0)
    totals = models.JSONField(default=dict, help_text="Question key to method to totals per category.")
    held_n = models.PositiveBigIntegerField(default=0)
    held_totals = models.JSONField(default=dict)
    fewer_than = models.PositiveIntegerField(
        null=True,
        help_text="The survey ended with fewer reports than this. They were erased, and nothing is published.",
    )
    attempts = models.PositiveIntegerField(default=0, help_text="Tries to take since the last that succeeded.")
    traces = models.BooleanField(
        default=False, help_text="The database's files may still tell in which order the last batches came."
    )
