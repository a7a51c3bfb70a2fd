"""Where a report becomes durable: one statement and one commit for all the reports that come at the same moment."""

import sqlite3
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import psycopg
from django.db import connection, transaction

from surveys.intake.grouping import Grouped
from surveys.models import Report, Survey


class Row(NamedTuple):
    report_id: uuid.UUID
    survey_id: int
    packed: bytes


# The survey's state is read in the statement that inserts: no report enters a survey already seen closed. An id that
# exists, committed or about to be, inserts nothing: the database waits for the other transaction and tells. All insert
# in the order of the ids, so of two statements that share some, one waits for the other and never each for each.
_INSERT = f"""
    WITH sent (id, survey_id, packed) AS ({{sent}})
    INSERT INTO {Report._meta.db_table} (id, survey_id, packed, day, counted)
    SELECT sent.id, survey.id, sent.packed, {{day}}, FALSE
    FROM sent JOIN {Survey._meta.db_table} AS survey ON survey.id = sent.survey_id
    WHERE survey.state = 'open' AND (survey.closes_at IS NULL OR survey.closes_at > {{now}})
    ORDER BY sent.id
    ON CONFLICT (id) DO NOTHING RETURNING id
"""
_POSTGRESQL = _INSERT.format(sent="SELECT * FROM unnest(%b::uuid[], %b::bigint[], %b::bytea[])", day="%b", now="%b")

# A survey that closes at a number of reports counts them in its own row, in the transaction of the insert: one such
# survey takes reports one after the other, and never one too many. The last one closes it.
_TAKE = f"""
    UPDATE {Survey._meta.db_table}
    SET taken = taken + 1,
        state = CASE WHEN taken + 1 < closes_after THEN state ELSE 'closed' END,
        closed_at = CASE WHEN taken + 1 < closes_after THEN closed_at ELSE %s END
    WHERE id = %s AND state = 'open' AND taken < closes_after
"""


def insert(rows: Sequence[Row]) -> list[bool]:
    """Which of the rows were stored, when all that were are durable. One is not where its id is known, an earlier row
    has it or its survey is closed. Safe to repeat: what was stored is then known."""
    first = {row.report_id: row for row in reversed(rows)}
    stored = _stored(list(first.values()), datetime.now(UTC))
    return [_leaves(stored, row.report_id) for row in rows]


def insert_and_take(row: Row) -> bool:
    """The insert first: a retry must not take a second place."""
    with transaction.atomic():
        taken = insert([row]) == [True] and _take(row.survey_id)
        transaction.set_rollback(not taken)
    return taken


def forget_connection() -> None:
    """After a failure: the next statement of this thread opens a new connection."""
    connection.close()


def _persistently(act: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A connection that broke since its last use is replaced and all is repeated, which the ids make safe."""

    def repeated(argument: Any) -> Any:
        try:
            return act(argument)
        except (psycopg.OperationalError, psycopg.InterfaceError):
            forget_connection()
            return act(argument)

    return repeated


def _stored(rows: list[Row], now: datetime) -> set[uuid.UUID]:
    """The driver's own connection and a prepared statement: Django's cursor would cost as much as the insert."""
    connection.ensure_connection()
    driver = connection.connection
    if isinstance(driver, sqlite3.Connection):
        sent = f"VALUES {', '.join(['(?, ?, ?)'] * len(rows))}"
        values = [value for row in rows for value in (row.report_id.hex, row.survey_id, row.packed)]
        # As Django writes times on SQLite, so that texts compare like times.
        values += [now.date().isoformat(), now.replace(tzinfo=None).isoformat(sep=" ")]
        found = sqlite3.Connection.execute(driver, _INSERT.format(sent=sent, day="?", now="?"), values)
        return {uuid.UUID(hex=report_id) for (report_id,) in found.fetchall()}
    cursor = psycopg.Cursor(driver)
    columns = [list(column) for column in zip(*rows, strict=True)]
    cursor.execute(_POSTGRESQL, [*columns, now.date(), now], prepare=True)
    return {report_id for (report_id,) in cursor.fetchall()}


def _leaves(ids: set[uuid.UUID], report_id: uuid.UUID) -> bool:
    """Whether an id was in the set; it no longer is, so a second row of the same id was not stored."""
    found = report_id in ids
    ids.discard(report_id)
    return found


def _take(survey_id: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [datetime.now(UTC), survey_id])
        return bool(cursor.rowcount == 1)


record = Grouped(_persistently(insert))
record_and_take = _persistently(insert_and_take)
