"""A batch: waiting reports are summed, put into a block and forgotten but for their ids, in one transaction (P11).

A report enters the tally if and only if its id enters the table of taken ids, whose key admits it once. So each is
counted exactly once whatever crashes, even where a retry came back in the moment in which its report was taken.
"""

import json
from typing import Any

import numpy as np
from django.db import connection, transaction

import ldp.mechanisms
import ldp.tally
from ldp.scores import Totals
from surveys.definition.layout import Layout
from surveys.models import Block, Report, Survey, Taken, Tally
from worker import blocks

# The most that one transaction takes, unless a batch is more: while it lasts, SQLite stores no report.
MOST = 20_000

_REPORTS, _TAKEN = Report._meta.db_table, Taken._meta.db_table
_GONE = f"""
    DELETE FROM {_REPORTS} WHERE survey_id = %(survey)s
    AND id IN (SELECT id FROM {_REPORTS} WHERE survey_id = %(survey)s ORDER BY id LIMIT %(most)s)
    RETURNING id, packed
"""
# In the order of the random ids, the rows of the taken tell nothing of the order in which their reports came.
_NEW = f"""
    INSERT INTO {_TAKEN} (survey_id, id) SELECT %(survey)s, {{ids}} ORDER BY 2 ON CONFLICT DO NOTHING RETURNING id
"""
_POSTGRESQL = f"""
    WITH gone AS ({_GONE}), new AS ({_NEW.format(ids="id FROM gone")}) SELECT packed FROM gone JOIN new USING (id)
"""
# Without "WHERE TRUE" SQLite would take ON CONFLICT for a part of a join.
_SQLITE = _NEW.format(ids="value FROM json_each(%(ids)s) WHERE TRUE")


def take(survey: Survey) -> int:
    """Take a batch of a survey's waiting reports, or, once it has ended, whatever waits; how many were taken.

    0 where fewer wait, and where another worker is at it.
    """
    with transaction.atomic():
        tally = lock(survey.pk)
        packed = _claim(survey) if tally else []
        if tally is None or (survey.state == Survey.State.OPEN and len(packed) < survey.batch_size):
            transaction.set_rollback(True)
        elif packed:
            _keep(survey, tally, blocks.shuffled(as_rows(survey, packed)))
            return len(packed)
    return 0  # of an ended survey the copies of taken reports, if any, are gone now


def lock(survey: int) -> Tally | None:
    """The survey's tally, locked for this transaction; None where another worker holds it.

    Whoever takes, joins or releases holds this lock first. SQLite has one writer at a time.
    """
    free = connection.features.has_select_for_update_skip_locked
    return Tally.objects.select_for_update(skip_locked=free).filter(survey=survey).first()


def _claim(survey: Survey) -> list[bytes]:
    """The packed reports of a batch, whose rows become ids."""
    names: dict[str, Any] = {"survey": survey.pk, "most": max(MOST, survey.batch_size)}
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_POSTGRESQL, names)
            return [bytes(packed) for (packed,) in cursor.fetchall()]
        cursor.execute(_GONE, names)
        gone = dict(cursor.fetchall())
        cursor.execute(_SQLITE, names | {"ids": json.dumps(sorted(gone))})
        return [bytes(gone[key]) for (key,) in cursor.fetchall()]


def _keep(survey: Survey, tally: Tally, rows: blocks.Rows) -> None:
    """Add shuffled reports to the tally and to the blocks. A full batch is held back, so that whatever release comes
    next, and be it the last one, differs from the one before by at least a batch."""
    held = survey.batch_size if survey.state == Survey.State.OPEN else 0
    let_go(survey, tally)
    tally.held_n, tally.held_totals = _put(survey, rows[:held], Block.Stage.HELD)
    n, totals = _put(survey, rows[held:], Block.Stage.READY)
    tally.n += n
    add(tally.totals, totals)
    tally.traces = True
    tally.save()


def let_go(survey: Survey, tally: Tally) -> None:
    """What was held back may be released."""
    Block.objects.filter(survey=survey, stage=Block.Stage.HELD).update(stage=Block.Stage.READY)
    tally.n += tally.held_n
    add(tally.totals, tally.held_totals)
    tally.held_n, tally.held_totals = 0, {}


def _put(survey: Survey, rows: blocks.Rows, stage: Block.Stage) -> tuple[int, dict[str, Any]]:
    """A new block of the rows; n and totals."""
    if not len(rows):
        return 0, {}
    Block.objects.create(survey=survey, stage=stage, n=len(rows), columns=blocks.encode(rows))
    return len(rows), packed_totals(survey, rows)


def as_rows(survey: Survey, packed: list[bytes]) -> blocks.Rows:
    """Packed reports as an array of shape (n, bytes)."""
    return np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(len(packed), Layout(survey.definition).bytes)


def packed_totals(survey: Survey, rows: blocks.Rows) -> dict[str, Totals]:
    """The score totals of packed reports, by question and method."""
    layout = Layout(survey.definition)
    batch, totals = ldp.tally.Batch(rows), {}
    for question, field in zip(survey.questions, layout.fields, strict=True):
        totals[field.key] = ldp.mechanisms.of(question).tally(batch.field(field.start, field.width))
    return totals


def add(totals: dict[str, Any], more: dict[str, Totals]) -> None:
    """Add a batch in place; the first batch finds nothing to add to."""
    for key, methods in more.items():
        for method, scores in methods.items():
            known = totals.setdefault(key, {}).setdefault(method, [0] * len(scores))
            totals[key][method] = [a + b for a, b in zip(known, scores, strict=True)]
