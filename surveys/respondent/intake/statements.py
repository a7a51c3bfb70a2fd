"""The intake's statements, run on the driver itself: Django's cursors and psycopg's cost as much as the insert.

On PostgreSQL each is prepared once on a connection. Its values are texts, which the statement casts.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus
from psycopg.pq.abc import PGresult


class Prepared(NamedTuple):
    """A statement of PostgreSQL that returns rows; `$1` is the first value."""

    name: str
    text: str


_known: WeakKeyDictionary[psycopg.Connection, set[str]] = WeakKeyDictionary()  # names of the statements prepared there


def on_sqlite(statement: str, values: Sequence[str | int | bytes]) -> list[tuple[Any, ...]]:
    """Run the statement; return its rows."""
    return sqlite3.Connection.execute(_driver(), statement, values).fetchall()


def on_postgresql(statement: Prepared, values: Sequence[str]) -> PGresult:
    """Run the statement; return its rows. Raise the psycopg.Error of a failure."""
    driver: psycopg.Connection = _driver()
    if not driver.autocommit:  # a cursor begins the transaction, if none has begun
        with psycopg.RawCursor(driver) as cursor:
            returned = cursor.execute(statement.text, values, prepare=True).pgresult
        assert returned is not None
        return returned
    result = _run(driver, statement, [value.encode() for value in values])
    if result.status != ExecStatus.TUPLES_OK:
        raise _error(driver, result)
    return result


def rows(result: PGresult) -> list[tuple[str, ...]]:
    """Return the rows of a result as texts; none of the intake's is NULL."""
    columns = range(result.nfields)
    return [tuple((result.get_value(k, n) or b"").decode() for n in columns) for k in range(result.ntuples)]


def _run(driver: psycopg.Connection, statement: Prepared, values: list[bytes]) -> PGresult:
    name, known = statement.name.encode(), _known.setdefault(driver, set())
    if statement.name in known:
        result = driver.pgconn.exec_prepared(name, values)
        if result.error_field(DiagnosticField.SQLSTATE) != b"26000":  # psycopg forgets all statements at a rollback
            return result
    prepared = driver.pgconn.prepare(name, statement.text.encode())
    # A pooler that does not reset its sessions may hand over one with this name, perhaps with an older text.
    if prepared.error_field(DiagnosticField.SQLSTATE) == b"42P05":
        driver.pgconn.exec_(b"DEALLOCATE " + name)
        prepared = driver.pgconn.prepare(name, statement.text.encode())
    if prepared.status != ExecStatus.COMMAND_OK:
        return prepared
    known.add(statement.name)
    return driver.pgconn.exec_prepared(name, values)


def _error(driver: psycopg.Connection, result: PGresult) -> psycopg.Error:
    if driver.pgconn.status == ConnStatus.BAD:
        reason = (result.error_message or b"").decode(errors="replace").strip()
        return psycopg.OperationalError(reason or "the connection is lost")
    return psycopg.errors.error_from_result(result)


def _driver() -> Any:  # of Django's database
    database = connections[DEFAULT_DB_ALIAS]
    database.ensure_connection()
    return database.connection
