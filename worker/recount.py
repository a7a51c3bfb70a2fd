"""A recount: a release's totals, counted again from its blocks one by one, on any number of workers.

Blocks do not change, and blocks that a recount needs are not joined. So any worker can count its part at any time, and
the parts are added. The released blocks are the newest release. Unreleased reports are not counted again: a row with
their totals would reveal a few reports.
"""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from surveys.life.summing import add, counted
from surveys.models import Block, Recount, RecountPart, Release, Survey, Tally
from surveys.models.tally import FormCount, nothing
from worker.blocks import decode


def request(survey: Survey) -> Recount | None:
    """Store a recount of the survey's newest release with its parts, under the tally's lock; None without a release."""
    with transaction.atomic():
        Tally.objects.select_for_update().get(survey=survey)
        release = Release.objects.filter(survey=survey).order_by("number").last()
        if release is None:
            return None
        recount = Recount.objects.create(release=release, dispatched_at=timezone.now())
        blocks = Block.objects.filter(survey=survey, stage=Block.Stage.RELEASED).values_list("pk", flat=True)
        RecountPart.objects.bulk_create(RecountPart(recount=recount, block_id=pk) for pk in blocks)
    return recount


def missing(recount: Recount) -> QuerySet[RecountPart]:
    return recount.parts.filter(totals__isnull=True)


def count_part(pk: int) -> None:
    """Count one block and store its totals. Counting it twice stores the same."""
    part = RecountPart.objects.select_related("block__survey").get(pk=pk)
    rows = decode(bytes(part.block.columns))
    assert len(rows) == part.block.n, "a block holds another number of reports than it says"
    RecountPart.objects.filter(pk=pk).update(totals=counted(part.block.survey, part.block.form, rows)["totals"])


def result(recount: Recount) -> list[FormCount]:
    """Return the sum of all parts for each form. All parts must have been counted."""
    tallies = nothing(len(recount.release.tallies))
    for part in recount.parts.select_related("block").iterator(chunk_size=50):
        assert part.totals is not None, "a part has not been counted"
        add(tallies[part.block.form], {"n": part.block.n, "totals": part.totals})
    return tallies


def equal(recount: Recount) -> bool:
    """Return whether the recount equals the release, to the last integer."""
    return bool(result(recount) == recount.release.tallies)
