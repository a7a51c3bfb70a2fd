"""Backpressure: of no survey more reports are taken than the worker can be expected to count.

Reports that wait cost room and time at every sweep. Where more of a survey wait than BACKLOG_MAX, browsers are told to
try again later; they keep their report and do. The others' reports are taken all the while.
"""

from django.conf import settings
from django.db import connection

from surveys.models import Report

_WAITING = f"SELECT count(*) FROM (SELECT 1 FROM {Report._meta.db_table} WHERE survey_id = %s LIMIT %s) AS waiting"


def full(survey_id: int) -> bool:
    """Whether too many reports of the survey wait. It reads up to BACKLOG_MAX entries of an index."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING, [survey_id, settings.BACKLOG_MAX])
        return int(cursor.fetchone()[0]) >= settings.BACKLOG_MAX
