"""A recount: the tally once more from the stored reports, block by block, on any number of workers.

Blocks never change, so their parts can be counted at any time and by anybody; sums add. What is not in a block at the
moment of the request is counted in the request's own transaction, under the tally's lock.
"""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from surveys.models import Block, Recount, RecountPart, Report, Survey, Tally
from worker import blocks
from worker.tally import add, as_rows, packed_totals


def request(survey: Survey) -> Recount:
    """Write down what the recount must equal and which parts it has."""
    with transaction.atomic():
        tally = Tally.objects.select_for_update().get(survey=survey)
        loose = Report.objects.filter(survey=survey, counted=True, packed__isnull=False)
        packed = [bytes(value) for value in loose.values_list("packed", flat=True)]
        recount = Recount.objects.create(
            survey=survey,
            n=tally.n,
            totals=tally.totals,
            loose={"n": len(packed), "totals": packed_totals(survey, as_rows(survey, packed)) if packed else {}},
            dispatched_at=timezone.now(),
        )
        parts = Block.objects.filter(survey=survey).values_list("pk", flat=True)
        RecountPart.objects.bulk_create(RecountPart(recount=recount, block_id=pk) for pk in parts)
    return recount


def missing(recount: Recount) -> QuerySet[RecountPart]:
    return recount.parts.filter(totals__isnull=True)


def count_part(pk: int) -> None:
    """Count one block. Doing it twice writes the same."""
    part = RecountPart.objects.select_related("block__survey").get(pk=pk)
    rows = blocks.decode(bytes(part.block.columns))
    assert len(rows) == part.block.n, "a block holds another number of reports than it says"
    RecountPart.objects.filter(pk=pk).update(totals=packed_totals(part.block.survey, rows))


def result(recount: Recount) -> tuple[int, dict[str, Any]]:
    """n and totals over all parts, once none is missing."""
    n: int = recount.loose["n"]
    totals: dict[str, Any] = {}
    add(totals, recount.loose["totals"])
    for part in recount.parts.select_related("block").iterator(chunk_size=50):
        assert part.totals is not None, "a part has not been counted"
        n += part.block.n
        add(totals, part.totals)
    return n, totals


def equal(recount: Recount) -> bool:
    """Whether the recount is the tally, to the last integer."""
    return result(recount) == (recount.n, recount.totals)
