"""Tallied reports move into blocks, where neither their ids nor the order of their arrival are left."""

import secrets

import numpy as np
from django.db import connection, transaction

from surveys.models import Block, KeyMark, Report, Survey, Tally, fingerprint
from worker import blocks
from worker.tally import as_rows


def move(survey: Survey) -> int:
    """Move a full block of tallied reports, or all that are left once the survey has ended; how many moved.

    The block's insertion and the rows' change are one transaction, so a report is in a block or in its row, never in
    both or neither. The tally's lock keeps a recount from looking in between.
    """
    with transaction.atomic():
        tally = Tally.objects.select_for_update().get(survey=survey)
        loose = tally.n - tally.moved
        if loose < blocks.SIZE and (survey.state == Survey.State.OPEN or loose == 0):
            return 0
        KeyMark.leave()
        taken = list(
            Report.objects.filter(survey=survey, counted=True, packed__isnull=False)
            .order_by()
            .values_list("pk", "packed")[: blocks.SIZE]
        )
        rows = as_rows(survey, [bytes(packed) for _, packed in taken])
        block = blocks.encode(rows, np.random.default_rng(secrets.randbits(128)))
        Block.objects.create(survey=survey, n=len(taken), columns=block)
        _empty([(pk, fingerprint(pk, bytes(packed))) for pk, packed in taken])
        Tally.objects.filter(pk=tally.pk).update(moved=tally.moved + len(taken))
    return len(taken)


def _empty(rows: list[tuple[object, bytes]]) -> None:
    """Take the packed bytes out of the rows and leave the fingerprints."""
    key = Report._meta.get_field("id")
    values = [(mark, key.get_db_prep_value(pk, connection)) for pk, mark in rows]
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE {Report._meta.db_table} SET packed = NULL, fingerprint = %s WHERE id = %s", values)
