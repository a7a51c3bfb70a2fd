"""Backpressure: no more reports are taken than the worker can be expected to count.

Reports that wait cost room and time at every sweep. Where more wait than BACKLOG_MAX, browsers are told to try again
later; they keep their report and do.
"""

import time

from django.conf import settings
from django.db import connection

from surveys.models import Report

# Counting the waiting reports costs up to BACKLOG_MAX index entries, so each process looks only so often. Between two
# looks reports still come in: the limit is one of order, not of number.
LOOK_SECONDS = 2.0

_WAITING = f"SELECT count(*) FROM (SELECT 1 FROM {Report._meta.db_table} LIMIT %s) AS waiting"

_looked_at = float("-inf")
_full = False


def full() -> bool:
    """Whether too many reports wait. Threads that look at the same moment look twice, which does no harm."""
    global _looked_at, _full
    now = time.monotonic()
    if now - _looked_at >= LOOK_SECONDS:
        _looked_at = now
        _full = waiting(settings.BACKLOG_MAX) >= settings.BACKLOG_MAX
    return _full


def waiting(limit: int) -> int:
    """How many reports wait to be counted, at most the limit."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING, [limit])
        return int(cursor.fetchone()[0])
