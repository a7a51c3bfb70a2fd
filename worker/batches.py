"""Batches: one transaction adds waiting reports to the tally, moves them into a block and keeps only their ids (P11).

Invariant: one transaction adds a report to the tally and its id to the table of taken ids, or neither. The table's key
admits an id only once. So each report is counted exactly once, after any crash, and even if a browser's retry arrives
meanwhile.
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
from worker import blocks

# Largest number of reports in a transaction, unless a batch is larger. SQLite stores no report during it.
MOST = 20_000

_REPORTS, _TAKEN = Report._meta.db_table, ReportId._meta.db_table
_GONE = f"""
    DELETE FROM {_REPORTS} WHERE survey_id = %(survey)s
    AND id IN (
        SELECT id FROM {_REPORTS} WHERE survey_id = %(survey)s AND form = %(form)s ORDER BY id LIMIT %(most)s
    )
    RETURNING id, packed
"""
# Rows sorted by random id hide the order in which reports came. Two statements are needed: without statistics
# PostgreSQL would plan for one row although a table has 20,000, and joining deleted with inserted rows would compare
# all pairs.
_NEW = f"""
    INSERT INTO {_TAKEN} (survey_id, id) SELECT %(survey)s, {{ids}} ORDER BY 2 ON CONFLICT DO NOTHING RETURNING id
"""
# If another worker was first, the list is empty and has no type without the cast.
_POSTGRESQL = _NEW.format(ids="unnest(%(ids)s::uuid[])")
# Without "WHERE TRUE" SQLite would take ON CONFLICT for a part of a join.
_SQLITE = _NEW.format(ids="value FROM json_each(%(ids)s) WHERE TRUE")


def take(survey: Survey) -> int:
    """Take a batch of one form's waiting reports, or any number after the survey's end. Return the number of new ones.

    It is 0 if no form has enough waiting reports, or another worker holds the tally.
    """
    return next((count for form in _due(survey) if (count := _take(survey, form))), 0)


def _due(survey: Survey) -> list[int]:
    """Return the forms with enough waiting reports."""
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
    return 0  # after a survey's end this also deletes waiting copies of reports that were taken before


def lock(survey: int, waits: bool = False) -> Tally | None:
    """Lock and return the survey's tally for this transaction; None if there is none, or if another transaction holds
    it and this one does not wait.

    Every task that takes, joins or releases holds this lock first. SQLite has one writer at a time.
    """
    skips = connection.features.has_select_for_update_skip_locked and not waits
    return Tally.objects.select_for_update(skip_locked=skips).filter(survey=survey).first()


def _claim(survey: Survey, form: int) -> list[bytes]:
    """Delete a batch's waiting rows, store their ids, and return the packed reports whose ids were new."""
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
    """Add a form's shuffled reports to the tally and to the blocks.

    While the survey is open, a full batch of the form is held back, so every later release adds at least a batch, also
    the last. All reports are held while the form's first release would show fewer than a batch, or fewer than a release
    may show.
    """
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
    """Make a form's held reports part of the next release."""
    Block.objects.filter(survey=survey, form=form, stage=Block.Stage.HELD).update(stage=Block.Stage.READY)
    add(tally.tallies[form], tally.held[form])
    [tally.held[form]] = nothing(1)


def _put(survey: Survey, form: int, rows: blocks.Rows, stage: Block.Stage) -> FormCount:
    """Store the rows as a new block and return their counts."""
    if len(rows):
        Block.objects.create(survey=survey, form=form, stage=stage, n=len(rows), columns=blocks.encode(rows))
    return counted(survey, form, rows)


def as_rows(survey: Survey, form: int, packed: list[bytes]) -> blocks.Rows:
    """Return a form's packed reports as an array, (n, bytes)."""
    return np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(len(packed), survey.layout(form).bytes)
