"""Poolers between the site and PostgreSQL. A pooler that lends a connection for a single transaction is refused.

The site's connections have a state: prepared statements, time limits (surveys/operation/statements.py,
worker/traces.py), cursors. A pooler that changes the server's connection between transactions (PgBouncer's pool_mode =
transaction) loses that state. Statements then reach a connection that has not prepared them, and limits apply to
others' statements. A pooler that keeps a connection for a session keeps the state.
"""

from typing import Any

import psycopg

ROUNDS = 5
_COMPLAINT = (
    "A pooler lends PostgreSQL's connections for one {unit}: settings of a connection get lost or affect others. "
    "Set its pool_mode to session, or connect to PostgreSQL itself."
)
_keeps_sessions = False  # what this process knows about its pooler


def complaint_about(connection: Any) -> str | None:
    """Return the fault of the pooler and the remedy; None if there is no fault or no pooler."""
    global _keeps_sessions
    if _keeps_sessions or not is_pooled(connection.connection):
        return None
    with psycopg.connect(**connection.get_connection_params() | {"autocommit": True}) as other:
        unit = _unit(connection.connection, other)
    _keeps_sessions = unit is None
    return _COMPLAINT.format(unit=unit) if unit else None


def is_pooled(driver: "psycopg.Connection[Any]") -> bool:
    """Return whether the answering server process is not the one that began the connection."""
    return driver.info.backend_pid != _process(driver)


def _unit(driver: "psycopg.Connection[Any]", other: "psycopg.Connection[Any]") -> str | None:
    """Return the unit for which a connection is lent, "transaction" or "statement"; None for a session.

    `other` holds a transaction open. If it gets the server process that just answered `driver`, or keeps `driver` from
    getting it again, connections are not kept. Neither can happen in a session.
    """
    for _ in range(ROUNDS):
        before = _process(driver)
        try:
            other.execute("BEGIN", prepare=False)
            if _process(other) == before or _process(driver) != before:
                return "transaction"
            other.execute("ROLLBACK", prepare=False)
        except psycopg.Error as error:
            if "statement pooling" in str(error):
                return "statement"
            raise
    return None


def _process(driver: "psycopg.Connection[Any]") -> int:
    row = driver.execute("SELECT pg_backend_pid()", prepare=False).fetchone()
    assert row is not None
    return int(next(iter(row)))
