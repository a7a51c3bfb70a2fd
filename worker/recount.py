"""A recount: the tally once more from the blocks, one by one, on any number of workers.

A block does not change, and none that a recount needs is joined, so its part can be counted at any time and by anybody;
sums add. All blocks together are the tally with what is held back; the released ones are the newest release.
"""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from surveys.models import Block, Recount, RecountPart, Release, Survey, Tally
from worker import blocks
from worker.batches import add, packed_totals

Sums = tuple[int, dict[str, Any]]


def request(survey: Survey) -> Recount:
    """Write down what the recount must equal and which parts it has, under the tally's lock."""
    with transaction.atomic():
        tally = Tally.objects.select_for_update().get(survey=survey)
        release = Release.objects.filter(survey=survey).order_by("number").last()
        add(tally.totals, tally.held_totals)
        recount = Recount.objects.create(
            survey=survey,
            n=tally.n + tally.held_n,
            totals=tally.totals,
            released_n=release.n if release else 0,
            released_totals=release.totals if release else {},
            dispatched_at=timezone.now(),
        )
        parts = Block.objects.filter(survey=survey).values_list("pk", "stage")
        RecountPart.objects.bulk_create(
            RecountPart(recount=recount, block_id=pk, released=stage == Block.Stage.RELEASED) for pk, stage in parts
        )
    return recount


def missing(recount: Recount) -> QuerySet[RecountPart]:
    return recount.parts.filter(totals__isnull=True)


def count_part(pk: int) -> None:
    """Count one block. Doing it twice writes the same."""
    part = RecountPart.objects.select_related("block__survey").get(pk=pk)
    rows = blocks.decode(bytes(part.block.columns))
    assert len(rows) == part.block.n, "a block holds another number of reports than it says"
    RecountPart.objects.filter(pk=pk).update(totals=packed_totals(part.block.survey, rows))


def result(recount: Recount) -> tuple[Sums, Sums]:
    """n and totals over all parts and over the released ones, once none is missing."""
    sums: dict[bool, Sums] = {True: (0, {}), False: (0, {})}
    for part in recount.parts.select_related("block").iterator(chunk_size=50):
        assert part.totals is not None, "a part has not been counted"
        n, totals = sums[part.released]
        add(totals, part.totals)
        sums[part.released] = n + part.block.n, totals
    everything: dict[str, Any] = {}
    for _, totals in sums.values():
        add(everything, totals)
    return (sums[True][0] + sums[False][0], everything), sums[True]


def equal(recount: Recount) -> bool:
    """Whether the recount is the tally and the newest release, to the last integer."""
    expected = (recount.n, recount.totals), (recount.released_n, recount.released_totals)
    return result(recount) == expected
