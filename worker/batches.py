"""A batch: waiting reports are summed, put into a block and forgotten but for their ids, in one transaction (P11).

A report enters the tally if and only if its id enters the table of taken ids, whose key admits it once. So each is
counted exactly once whatever crashes, even where a retry came back in the moment in which its report was taken.
"""

import json
from typing import Any

import numpy as np
from django.db import connection, transaction
from django.db.models import Count

from surveys.life.summing import add, counted
from surveys.models import Block, Report, ReportId, Survey, Tally
from surveys.models.release import least_of_form
from surveys.models.tally import FormCount, nothing
from surveys.survey.definition.layout import Layout
from worker import blocks

# The most that one transaction takes, unless a batch is more: while it lasts, SQLite stores no report.
MOST = 20_000

_REPORTS, _TAKEN = Report._meta.db_table, ReportId._meta.db_table
_GONE = f"""
    DELETE FROM {_REPORTS} WHERE survey_id = %(survey)s
    AND id IN (
        SELECT id FROM {_REPORTS} WHERE survey_id = %(survey)s AND form = %(form)s ORDER BY id LIMIT %(most)s
    )
    RETURNING id, packed
"""
# In the order of the random ids, the rows of the taken tell nothing of the order in which their reports came. Both
# statements stay apart: of a table without statistics, one of 20,000 rows would be planned as if it had one row, and
# joining what was deleted with what was inserted would compare each with each.
_NEW = f"""
    INSERT INTO {_TAKEN} (survey_id, id) SELECT %(survey)s, {{ids}} ORDER BY 2 ON CONFLICT DO NOTHING RETURNING id
"""
# Where another worker was there first the list is empty, and only the cast says of what.
_POSTGRESQL = _NEW.format(ids="unnest(%(ids)s::uuid[])")
# Without "WHERE TRUE" SQLite would take ON CONFLICT for a part of a join.
_SQLITE = _NEW.format(ids="value FROM json_each(%(ids)s) WHERE TRUE")


def take(survey: Survey) -> int:
    """Take a batch of a form's waiting reports, or, once the survey has ended, whatever waits; how many were taken.

    0 where fewer wait of each form, and where another worker is at it.
    """
    return next((count for form in _due(survey) if (count := _take(survey, form))), 0)


def _due(survey: Survey) -> list[int]:
    """The forms of which enough reports wait."""
    least = survey.batch_size if survey.state == Survey.State.OPEN else 1
    waiting = Report.objects.filter(survey=survey).order_by().values("form").annotate(n=Count("id"))
    return sorted(waiting.filter(n__gte=least).values_list("form", flat=True))


def _take(survey: Survey, form: int) -> int:
    with transaction.atomic():
        tally = lock(survey.pk)
        packed = _claim(survey, form) if tally else []
        if tally is None or (survey.state == Survey.State.OPEN and len(packed) < survey.batch_size):
            transaction.set_rollback(True)
        elif packed:
            _keep(survey, tally, form, blocks.shuffled(as_rows(survey, form, packed)))
            return len(packed)
    return 0  # of an ended survey the copies of taken reports, if any, are gone now


def lock(survey: int) -> Tally | None:
    """The survey's tally, locked for this transaction; None where another worker holds it.

    Whoever takes, joins or releases holds this lock first. SQLite has one writer at a time.
    """
    free = connection.features.has_select_for_update_skip_locked
    return Tally.objects.select_for_update(skip_locked=free).filter(survey=survey).first()


def _claim(survey: Survey, form: int) -> list[bytes]:
    """The packed reports of a batch, whose rows become ids."""
    names: dict[str, Any] = {"survey": survey.pk, "form": form, "most": max(MOST, survey.batch_size)}
    with connection.cursor() as cursor:
        cursor.execute(_GONE, names)
        gone = cursor.fetchall()
        ids = [key for key, _ in gone]
        if connection.vendor == "postgresql":
            cursor.execute(_POSTGRESQL, names | {"ids": ids})
        else:
            cursor.execute(_SQLITE, names | {"ids": json.dumps(ids)})
        new = {key for (key,) in cursor.fetchall()}
        return [bytes(packed) for key, packed in gone if key in new]


def _keep(survey: Survey, tally: Tally, form: int, rows: blocks.Rows) -> None:
    """Add a form's shuffled reports to the tally and to the blocks. A full batch is held back, so that whatever release
    comes next, and be it the last one, differs from the one before by at least a batch of the form: all are, where
    what is left would be the first of the form that is shown and less than a batch or than a release's least."""
    held = survey.batch_size if survey.state == Survey.State.OPEN else 0
    if tally.tallies[form]["n"] == 0 and tally.held[form]["n"] + len(rows) < held + least_of_form(survey.batch_size):
        held = len(rows)
    else:
        let_go(survey, tally, form)
    add(tally.held[form], _put(survey, form, rows[:held], Block.Stage.HELD))
    add(tally.tallies[form], _put(survey, form, rows[held:], Block.Stage.READY))
    tally.traces = True
    tally.save()


def let_go(survey: Survey, tally: Tally, form: int) -> None:
    """What was held back of a form may be released."""
    Block.objects.filter(survey=survey, form=form, stage=Block.Stage.HELD).update(stage=Block.Stage.READY)
    add(tally.tallies[form], tally.held[form])
    [tally.held[form]] = nothing(1)


def _put(survey: Survey, form: int, rows: blocks.Rows, stage: Block.Stage) -> FormCount:
    """A new block of the rows, counted."""
    if len(rows):
        Block.objects.create(survey=survey, form=form, stage=stage, n=len(rows), columns=blocks.encode(rows))
    return counted(survey, form, rows)


def as_rows(survey: Survey, form: int, packed: list[bytes]) -> blocks.Rows:
    """A form's packed reports as an array of shape (n, bytes)."""
    width = Layout(survey.definition, form).bytes
    return np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(len(packed), width)
