"""Recounts of a release's totals from its blocks."""

from django.db import models

from surveys.models.release import Release
from surveys.models.tally import Block


class Recount(models.Model):
    """A recount of a release from its blocks, one part for each block."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE)
    dispatched_at = models.DateTimeField()


class RecountPart(models.Model):
    """A block's part of a recount; `totals` is null until a worker has counted it. Its block is not deleted."""

    recount = models.ForeignKey(Recount, on_delete=models.CASCADE, related_name="parts")
    block = models.ForeignKey(Block, on_delete=models.PROTECT)
    totals = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["recount", "block"], name="recount_block_once")]
