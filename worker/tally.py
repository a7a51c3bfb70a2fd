"""New reports are claimed, summed and marked in one transaction, so each is counted exactly once whatever crashes.

A report is claimed by its own row, not by a watermark: ids are random, and under concurrent writers the order of
ids and the order of commits are different things.
"""

from typing import Any

import numpy as np
from django.db import connection, transaction

import ldp.mechanisms
import ldp.tally
from surveys.models import Report, Survey, Tally
from surveys.reports import Layout
from worker import blocks

BATCH = 20_000

# The batch is materialised so that a planner cannot run the locking select twice.
_CLAIM = f"""
    WITH batch AS MATERIALIZED (
        SELECT id FROM {Report._meta.db_table} WHERE survey_id = %s AND NOT counted LIMIT %s {{skip}}
    )
    UPDATE {Report._meta.db_table} SET counted = TRUE WHERE id IN (SELECT id FROM batch) RETURNING packed
"""


def count_new(survey: Survey) -> int:
    """Add a batch of uncounted reports to the survey's tally and mark them; how many there were."""
    with transaction.atomic():
        packed = _claim(survey)
        if packed:
            tally = Tally.objects.select_for_update().get(survey=survey)
            add(tally.totals, packed_totals(survey, as_rows(survey, packed)))
            tally.n += len(packed)
            tally.save(update_fields=["n", "totals"])
    return len(packed)


def _claim(survey: Survey) -> list[bytes]:
    """Mark a batch as counted and return it; until this transaction ends nobody else sees or takes these rows.

    PostgreSQL skips rows that another worker has locked. SQLite has one writer, and a transaction begins immediate.
    """
    skip = "FOR UPDATE SKIP LOCKED" if connection.features.has_select_for_update_skip_locked else ""
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM.format(skip=skip), [survey.pk, BATCH])
        return [bytes(packed) for (packed,) in cursor.fetchall()]


def as_rows(survey: Survey, packed: list[bytes]) -> blocks.Rows:
    """Packed reports as an array of shape (n, bytes)."""
    return np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(len(packed), Layout(survey.frozen).bytes)


def packed_totals(survey: Survey, rows: blocks.Rows) -> dict[str, ldp.tally.Totals]:
    """The score totals of packed reports, by question and method."""
    layout = Layout(survey.frozen)
    batch, found = ldp.tally.Batch(rows), {}
    for question, field in zip(survey.questions, layout.fields, strict=True):
        channel = ldp.mechanisms.of(question)
        own = batch.field(field.start, field.width)
        found[field.key] = ldp.tally.totals(own, question["mechanism"], channel.d, channel.table)
    return found


def add(totals: dict[str, Any], more: dict[str, ldp.tally.Totals]) -> None:
    """Add a batch in place; the first batch finds nothing to add to."""
    for key, methods in more.items():
        for method, scores in methods.items():
            known = totals.setdefault(key, {}).setdefault(method, [0] * len(scores))
            totals[key][method] = [a + b for a, b in zip(known, scores, strict=True)]
