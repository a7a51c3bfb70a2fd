"""Durability: a report is acknowledged only after it is on the disk. Connections without this are refused.

Every new connection of every process is checked, because an administrator can alter a database or role at any time
(ALTER DATABASE ... SET synchronous_commit), or add a pooler. Until that is corrected, the intake replies 500 and
browsers keep their reports.
"""

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from surveys.operation import pooling

FULL = 2  # PRAGMA synchronous


def refuse_volatile(connection: Any) -> None:
    """Raise ImproperlyConfigured if a commit may be acknowledged before it is durable."""
    complaint = complaint_about(connection)
    if complaint:
        connection.close()
        raise ImproperlyConfigured(complaint)


def complaint_about(connection: Any) -> str | None:
    """Return the reason why the connection's commits are volatile, and the remedy; None if they are durable."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            synchronous = _value(cursor, "PRAGMA synchronous")
            if synchronous < FULL:
                return f"SQLite's synchronous is {synchronous}. Set PRAGMA synchronous = FULL."
            return None
        if _value(cursor, "SHOW track_commit_timestamp") == "on":
            return "PostgreSQL's track_commit_timestamp is on: it records when each report came. Set it to off."
        commit, fsync = _value(cursor, "SHOW synchronous_commit"), _value(cursor, "SHOW fsync")
        if commit == "off":
            return "PostgreSQL's synchronous_commit is off. Set it to on, for the server, database and role."
        if fsync == "off":
            return "PostgreSQL's fsync is off. Set it to on in postgresql.conf."
    return pooling.complaint_about(connection)


def _value(cursor: Any, statement: str) -> Any:
    cursor.execute(statement)
    return cursor.fetchone()[0]
