"""The files of a release's reports. A request is a row; a worker claims it, makes the files and stores them.

The released blocks are always the newest release, because one transaction changes both. One statement reads them. A
file can be downloaded only if they add up to the release, to the last integer (P11).
"""

from collections.abc import Iterator
from contextlib import ExitStack, nullcontext

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from surveys.access import may_still_have
from surveys.life import summing
from surveys.models import Block, Export, Release, Survey
from surveys.models.tally import nothing
from surveys.researcher.downloads import bundle, codebook
from surveys.survey.definition.layout import layouts
from worker import blocks, microdata
from worker.files import created
from worker.job_expiry import TRIES_MAX, Abandoned
from worker.shuffle import Buckets

# Largest number of numbers, and of reports, in a bucket.
BUCKET_NUMBERS, BUCKET_REPORTS = 4_000_000, 1 << 16
# A release with more numbers has no files, because a worker has five minutes.
NUMBERS_MAX = 500_000_000
# How many of a survey's newest releases keep their files, besides the kept ones.
NEWEST = 2

Reason = Export.Reason


def make(pk: int) -> None:
    """Make the files of an export, unless another worker does."""
    export = Export.claim(pk)
    if export is None:
        return
    try:
        if export.attempts > TRIES_MAX:
            raise Abandoned(Reason.TRIED)
        if not may_still_have(export, export.release.survey):
            raise Abandoned(Reason.REVOKED)
        export.files.all().delete()
        _make(export)
    except Abandoned as abandoned:
        if abandoned.reason:
            export.files.all().delete()
            export.mine().update(state=Export.State.FAILED, reason=abandoned.reason)
        return
    if export.mine().update(state=Export.State.READY):
        remove_old(export.release.survey)


def _make(export: Export) -> None:
    release = export.release
    tables = microdata.MicrodataTables(release.survey, codebook.of_release(release))
    numbers = release.n * len(tables.columns)
    if numbers > NUMBERS_MAX:
        raise Abandoned(Reason.TOO_LARGE)
    with ExitStack() as stack:
        buckets = [stack.enter_context(_buckets(each, len(tables.columns))) for each in _sized(release)]
        _collect(release, buckets)
        shuffled = ((form, rows) for form, own in enumerate(buckets) for rows in own.shuffled())
        table = microdata.write(export, tables, shuffled, lambda n: _progress(export, n))
    if table is not None:
        microdata.write_statistical(export, tables, table, settings.DATA_DIR)
    export.files.filter(sha256="").delete()  # of formats that failed
    with created(export, bundle.name(release)) as file:
        bundle.write(file, release, export)


def _progress(export: Export, n: int) -> None:
    if not export.mine().update(written=F("written") + n, worked_at=timezone.now()):
        raise Abandoned


def _sized(release: Release) -> Iterator[tuple[int, int]]:
    """Yield, for each form, the number of its reports and the bytes of one report."""
    for tally, layout in zip(release.tallies, layouts(release.survey.definition), strict=True):
        yield tally["n"], layout.bytes


def _buckets(sized: tuple[int, int], columns: int) -> Buckets:
    n, width = sized
    count = 1 + max(n * columns // BUCKET_NUMBERS, n // BUCKET_REPORTS)
    return Buckets(count, width, settings.DATA_DIR)


def _collect(release: Release, buckets: list[Buckets]) -> None:
    """Put all reports of the release into the buckets of their forms. Raise Abandoned if they are not the release's."""
    tallies = nothing(len(buckets))
    for form, block in released(release.survey):
        rows = blocks.decode(block)
        buckets[form].throw(rows)
        summing.add(tallies[form], summing.counted(release.survey, form, rows))
    if tallies != release.tallies:
        raise Abandoned(Reason.DIFFERS if release.is_newest() else Reason.SUPERSEDED)


def released(survey: Survey) -> Iterator[tuple[int, bytes]]:
    """Yield form and encoded rows of each block of the newest release. One statement reads them all at one moment.

    On PostgreSQL a server-side cursor needs a transaction. On SQLite a transaction would delay the intake.
    """
    every = Block.objects.filter(survey=survey, stage=Block.Stage.RELEASED).order_by()
    with transaction.atomic() if connection.vendor == "postgresql" else nullcontext():
        for form, columns in every.values_list("form", "columns").iterator(chunk_size=1):
            yield form, bytes(columns)


def remove_old(survey: Survey) -> None:
    """Delete a survey's files, except the newest and the kept ones."""
    every = Export.objects.filter(release__survey=survey)
    newest = every.order_by("-release__number").values_list("pk", flat=True)[:NEWEST]
    every.filter(kept=False).exclude(pk__in=list(newest)).delete()
