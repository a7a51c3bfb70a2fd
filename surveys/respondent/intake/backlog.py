"""Backpressure. The intake takes no more reports of a survey than the worker can count in time.

Waiting reports cost space, and time at every sweep. While more than BACKLOG_MAX reports of a survey wait, browsers keep
their reports and try again later. Other surveys' reports are still taken.
"""

from django.conf import settings
from django.db import connection

from surveys.models import Report

_WAITING = f"SELECT count(*) FROM (SELECT 1 FROM {Report._meta.db_table} WHERE survey_id = %s LIMIT %s) AS waiting"


def full(survey_id: int) -> bool:
    """Return whether too many reports of the survey wait. Read up to BACKLOG_MAX entries of an index."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING, [survey_id, settings.BACKLOG_MAX])
        return int(cursor.fetchone()[0]) >= settings.BACKLOG_MAX
