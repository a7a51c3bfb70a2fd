"""What a database's files still tell of a batch after it was taken, and how that is removed (P11).

PostgreSQL leaves deleted rows where they were, in the order in which the reports came, and reuses their room without
clearing it. So the table of waiting reports is written anew, those that still wait in the order of their random ids,
and its old files are dropped. SQLite clears deleted rows itself (secure_delete); its write-ahead log is cut to nothing.

The database's own log of PostgreSQL keeps them, with the times of commits, until it is recycled: docs/operations.md.
"""

from typing import Any

from django.db import DatabaseError, connection, transaction

from surveys.models import Report, Tally

_REPORTS = Report._meta.db_table
# No report can be stored while the table is written anew, or while others wait for it to be free: a tenth of a second
# at most for the waiting, and if that was not enough, again at the next sweep.
PATIENCE_MILLISECONDS = 100


def remove() -> bool:
    """Remove the traces of all batches that were taken; False where the database was too busy."""
    return _rewrite() if connection.vendor == "postgresql" else _truncate()


def lock_reports(cursor: Any, mode: str) -> bool:
    """Lock the table of waiting reports for this transaction, on PostgreSQL; False if it is not to be had soon."""
    cursor.execute(f"SET LOCAL lock_timeout = {PATIENCE_MILLISECONDS}")
    try:
        with transaction.atomic():
            cursor.execute(f"LOCK TABLE {_REPORTS} IN {mode} MODE")
    except DatabaseError:  # LockNotAvailable, or a deadlock that this resolves
        return False
    return True


def _rewrite() -> bool:
    with transaction.atomic(), connection.cursor() as cursor:
        # As when a batch is taken, the tallies first and then the table: in one order nobody waits in a circle.
        found = Tally.objects.select_for_update(skip_locked=True).filter(traces=True)
        tallies = list(found.order_by("pk").values_list("pk", flat=True))
        if not lock_reports(cursor, "ACCESS EXCLUSIVE"):
            return False
        cursor.execute(f"CREATE TEMPORARY TABLE kept ON COMMIT DROP AS SELECT * FROM {_REPORTS} ORDER BY survey_id, id")
        cursor.execute(f"TRUNCATE {_REPORTS}")
        cursor.execute(f"INSERT INTO {_REPORTS} SELECT * FROM kept ORDER BY survey_id, id")
        Tally.objects.filter(pk__in=tallies).update(traces=False)
    return True


def _truncate() -> bool:
    """The mark goes first: clearing it writes to the log as well. If the log cannot be cut it comes back."""
    marked = list(Tally.objects.filter(traces=True).values_list("pk", flat=True))
    Tally.objects.filter(pk__in=marked).update(traces=False)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        busy, _, _ = cursor.fetchone()
    if busy:
        Tally.objects.filter(pk__in=marked).update(traces=True)
    return not busy
