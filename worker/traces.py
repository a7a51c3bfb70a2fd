"""Removal of the traces of taken batches from a database's files (P11).

PostgreSQL leaves deleted rows in place, in the order in which reports came, and reuses their room without clearing it.
So the table of waiting reports is written anew, sorted by random id, and its old files are dropped. The tallies are
written anew too, because old versions would show the totals before and after a batch: after a survey's end this would
expose its last reports, perhaps a few. The last reports also had a separate block until it was joined, so the blocks
are then written anew too. SQLite clears deleted rows itself (secure_delete); its write-ahead log is truncated.
PostgreSQL's write-ahead log keeps deleted rows, with the times of commits, until it is recycled:
docs/operators/inside.md.
"""

import logging
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.db.models import OuterRef, QuerySet, Subquery

from surveys.models import Block, Report, Survey, Tally

_REPORTS, _TALLIES, _BLOCKS = (model._meta.db_table for model in (Report, Tally, Block))
# No report can be stored while the table is written anew, or while that waits for a lock. So it waits at most a tenth
# of a second, and is tried again at the next sweep.
PATIENCE_MILLISECONDS = 100
# Rewriting the tallies, a page or two, delays all intake. Rewriting all blocks delays only batches, about a second for
# ten million reports. If it takes longer than this, an operator must do it at a quiet time.
LONGEST_SECONDS = 30


def remove() -> bool:
    """Remove the traces of all batches that were taken. Return False if the database was too busy."""
    return _rewrite() if connection.vendor == "postgresql" else _truncate()


def lock_reports(cursor: Any, mode: str) -> bool:
    """Lock the table of waiting reports for this transaction, on PostgreSQL. Return False if it is not free soon."""
    cursor.execute(f"SET LOCAL lock_timeout = {PATIENCE_MILLISECONDS}")
    try:
        with transaction.atomic():
            cursor.execute(f"LOCK TABLE {_REPORTS} IN {mode} MODE")
    except DatabaseError:  # LockNotAvailable, or a deadlock that this resolves
        return False
    return True


def _rewrite() -> bool:
    seen = set(_marked())
    ended = _marked().filter(survey__state=Survey.State.CLOSED).exists()
    if not all(_vacuum(table) for table in ([_TALLIES, _BLOCKS] if ended else [_TALLIES])):
        return False
    with transaction.atomic(), connection.cursor() as cursor:
        # As when a batch is taken, first the tallies and then the table. One order prevents deadlocks.
        free = _marked().select_for_update(skip_locked=True, of=("self",))
        unchanged = seen & set(free)
        if not lock_reports(cursor, "ACCESS EXCLUSIVE") or _older_reader(cursor):
            return False
        cursor.execute(f"CREATE TEMPORARY TABLE kept ON COMMIT DROP AS SELECT * FROM {_REPORTS} ORDER BY survey_id, id")
        cursor.execute(f"TRUNCATE {_REPORTS}")
        cursor.execute(f"INSERT INTO {_REPORTS} SELECT * FROM kept ORDER BY survey_id, id")
        _unmark(unchanged)
    return True


# A reader of an older snapshot, such as a backup that has just begun, would find the table empty, because TRUNCATE
# ignores snapshots. A database role sees only the snapshots of its own sessions.
_OLDER = """
    SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND backend_type = 'client backend' AND backend_xmin IS NOT NULL AND xact_start < transaction_timestamp())
"""


def _older_reader(cursor: Any) -> bool:
    cursor.execute(_OLDER)
    return bool(cursor.fetchone()[0])


def _marked() -> QuerySet[Tally, tuple[int, int | None]]:
    """Return the keys of the marked tallies, each with the key of its newest block, which changes with each batch taken
    and each join."""
    blocks = Block.objects.filter(survey=OuterRef("survey")).order_by("-pk")
    marked = Tally.objects.filter(traces=True).annotate(newest=Subquery(blocks.values("pk")[:1])).order_by("pk")
    return marked.values_list("pk", "newest")


def _unmark(tallies: set[tuple[int, int | None]]) -> None:
    Tally.objects.filter(pk__in=[pk for pk, _ in tallies]).update(traces=False)


def _vacuum(table: str) -> bool:
    """Write a table anew without the old versions of its rows. Return False if its lock is not free soon."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = {PATIENCE_MILLISECONDS}")
        cursor.execute(f"SET statement_timeout = '{LONGEST_SECONDS}s'")
        try:
            cursor.execute(f"VACUUM FULL {table}")
        except DatabaseError as error:
            if getattr(error.__cause__, "sqlstate", "") != _TOO_LONG:
                return False
            logging.getLogger(__name__).error("VACUUM FULL %s took too long: run it at a quiet time", table)
        finally:
            cursor.execute("RESET lock_timeout")
            cursor.execute("RESET statement_timeout")
    return True


_TOO_LONG = "57014"


def _truncate() -> bool:
    """Truncate the log, then unmark the tallies. Return False if the database was too busy."""
    seen = set(_marked())
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        busy, _, _ = cursor.fetchone()
    if busy:
        return False
    with transaction.atomic():  # a writer alone: no batch is taken between the two
        _unmark(seen & set(_marked()))
    return True
