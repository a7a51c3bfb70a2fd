"""Poolers between the site and PostgreSQL: one that gives a connection for a transaction only is refused.

The site's connections have a state: statements that are prepared once, limits of time (surveys/operation/statements.py,
worker/traces.py), rows that are fetched part by part. A pooler that hands the server's connections around between
transactions, PgBouncer's pool_mode = transaction, loses it: statements meet a connection that never prepared them, and
others run into a limit that somebody else set. One that keeps a connection for a session keeps all of it.
"""

from typing import Any

import psycopg

ROUNDS = 5
_COMPLAINT = (
    "A pooler hands PostgreSQL's connections out by {unit}, and what the site sets on one is lost or met by others. "
    "Set its pool_mode to session, or connect to PostgreSQL itself."
)
_keeps_sessions = False  # what this process found out about its pooler


def complaint_about(connection: Any) -> str | None:
    """What is wrong with the pooler, if there is one, and what to do about it."""
    global _keeps_sessions
    if _keeps_sessions or not is_pooled(connection.connection):
        return None
    with psycopg.connect(**connection.get_connection_params() | {"autocommit": True}) as other:
        unit = _unit(connection.connection, other)
    _keeps_sessions = unit is None
    return _COMPLAINT.format(unit=unit) if unit else None


def is_pooled(driver: "psycopg.Connection[Any]") -> bool:
    """Whether the process that answers is another one than that which PostgreSQL named when the connection began."""
    return driver.info.backend_pid != _process(driver)


def _unit(driver: "psycopg.Connection[Any]", other: "psycopg.Connection[Any]") -> str | None:
    """What a connection is given for, where that is less than a session.

    The other one holds a transaction open. Where that got the connection that answered this one a moment ago, or keeps
    it from coming back, connections do not stay. In a session neither can happen.
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
