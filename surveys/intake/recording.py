"""Where a report becomes durable: one statement and one commit for all the reports that come at the same moment."""

import sqlite3
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar

import psycopg
from django.db import DatabaseError, InterfaceError, connection, transaction

from surveys.intake.grouping import Grouped
from surveys.models import Report, Survey, Taken

Argument = TypeVar("Argument")
Result = TypeVar("Result")


class Row(NamedTuple):
    report_id: uuid.UUID
    survey_id: int
    packed: bytes

    @property
    def key(self) -> "Key":
        return self.survey_id, self.report_id


Key = tuple[int, uuid.UUID]


# The survey's state is read in the statement that inserts: no report enters a survey already seen closed. An id that
# waits, committed or about to be, inserts nothing: the database waits for the other transaction and tells. One whose
# report is being taken at this moment may be inserted once more on PostgreSQL; taking it again counts nothing
# (worker/batches.py). All insert in the order of the ids, so of two statements that share some, one waits for the other
# and never each for each.
_INSERT = f"""
    WITH sent (id, survey_id, packed) AS ({{sent}})
    INSERT INTO {Report._meta.db_table} (id, survey_id, packed)
    SELECT sent.id, survey.id, sent.packed
    FROM sent JOIN {Survey._meta.db_table} AS survey ON survey.id = sent.survey_id
    WHERE survey.state = 'open' AND (survey.closes_at IS NULL OR survey.closes_at > {{now}})
    AND NOT EXISTS (
        SELECT 1 FROM {Taken._meta.db_table} AS taken WHERE taken.survey_id = sent.survey_id AND taken.id = sent.id
    )
    ORDER BY sent.survey_id, sent.id
    ON CONFLICT DO NOTHING RETURNING survey_id, id
"""
_POSTGRESQL = _INSERT.format(sent="SELECT * FROM unnest(%b::uuid[], %b::bigint[], %b::bytea[])", now="%b")

# A survey that closes at a number of reports counts them in its own row, in the transaction of the insert: one such
# survey takes reports one after the other, and never one too many. The last one closes it.
_TAKE = f"""
    UPDATE {Survey._meta.db_table}
    SET stored = stored + 1,
        state = CASE WHEN stored + 1 < closes_after THEN state ELSE 'closed' END,
        closed_at = CASE WHEN stored + 1 < closes_after THEN closed_at ELSE %s END
    WHERE id = %s AND state = 'open' AND stored < closes_after
"""


def insert(rows: Sequence[Row]) -> list[bool]:
    """Which of the rows were stored, when all that were are durable: as if they had come one after the other. One is
    not where its id is known or its survey is closed. Safe to repeat: what was stored is then known."""
    first: dict[Key, int] = {}
    for k, row in enumerate(rows):
        first.setdefault(row.key, k)
    stored = _stored([rows[k] for k in first.values()], datetime.now(UTC))
    outcomes = [row.key in stored and first[row.key] == k for k, row in enumerate(rows)]
    again = [k for k, row in enumerate(rows) if first[row.key] != k]
    if again:
        for k, outcome in zip(again, insert([rows[k] for k in again]), strict=True):
            outcomes[k] = outcome
    return outcomes


def forget_connection() -> None:
    """After a failure: the next statement of this thread opens a new connection."""
    connection.close()


def _persistently(act: Callable[[Argument], Result]) -> Callable[[Argument], Result]:
    """Where a connection broke, it is replaced and all is repeated, which the ids make safe."""

    def repeated(argument: Argument) -> Result:
        try:
            return act(argument)
        except (psycopg.Error, DatabaseError, InterfaceError) as error:
            if not _repeatable(error if isinstance(error, psycopg.Error) else error.__cause__):
                raise
            forget_connection()
            return act(argument)

    return repeated


def _repeatable(error: BaseException | None) -> bool:
    """Whether PostgreSQL closed the connection, or chose this statement to end a deadlock. One that waited too long
    (57014), say, would only wait as long again."""
    if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    return error.sqlstate is None or error.sqlstate.startswith(("08", "57P", "40"))


@_persistently
def record_and_take(row: Row) -> bool:
    """The insert first: a retry must not take a second place."""
    with transaction.atomic():
        taken = insert([row]) == [True] and _take(row.survey_id)
        transaction.set_rollback(not taken)
    return taken


@_persistently
def recorded(row: Row) -> bool | None:
    """Whether this report is stored or taken, False if another one waits under its id, None if the id is unknown.

    Of a taken report nothing is left to compare. What waits is asked for first: a report may be taken in between.
    """
    keys = {"survey": row.survey_id, "id": row.report_id}
    waiting = Report.objects.filter(**keys).values_list("packed", flat=True).first()
    if waiting is not None:
        return bytes(waiting) == row.packed
    return Taken.objects.filter(**keys).exists() or None


def _stored(rows: list[Row], now: datetime) -> set[Key]:
    """The driver's own connection and a prepared statement: Django's cursor would cost as much as the insert."""
    connection.ensure_connection()
    driver = connection.connection
    if isinstance(driver, sqlite3.Connection):
        sent = f"VALUES {', '.join(['(?, ?, ?)'] * len(rows))}"
        values = [value for row in rows for value in (row.report_id.hex, row.survey_id, row.packed)]
        # As Django writes times on SQLite, so that texts compare like times.
        values.append(now.replace(tzinfo=None).isoformat(sep=" "))
        found = sqlite3.Connection.execute(driver, _INSERT.format(sent=sent, now="?"), values)
        return {(survey_id, uuid.UUID(hex=report_id)) for survey_id, report_id in found.fetchall()}
    cursor = psycopg.Cursor(driver)
    columns = [list(column) for column in zip(*rows, strict=True)]
    cursor.execute(_POSTGRESQL, [*columns, now], prepare=True)
    return set(cursor.fetchall())


def _take(survey_id: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [datetime.now(UTC), survey_id])
        return bool(cursor.rowcount == 1)


record = Grouped(_persistently(insert))
