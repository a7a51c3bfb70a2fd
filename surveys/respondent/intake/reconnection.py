"""Reconnection: a broken connection to the database is replaced, and its work is repeated."""

from collections.abc import Callable
from typing import TypeVar

import psycopg
from django.db import DatabaseError, InterfaceError, connection

Argument = TypeVar("Argument")
Result = TypeVar("Result")


def forget_connection() -> None:
    """Close the connection after a failure. The thread's next statement opens a new one."""
    connection.close()


def persistently(act: Callable[[Argument], Result]) -> Callable[[Argument], Result]:
    """Return the function, repeated once after a broken connection. Ids make the repetition safe."""

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
    """Return whether to repeat. That is so if PostgreSQL closed the connection, ended a deadlock with this statement,
    or found at commit that the survey was just deleted. A statement that timed out (57014) would time out again."""
    if isinstance(error, psycopg.errors.ForeignKeyViolation):
        return True
    if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    return error.sqlstate is None or error.sqlstate.startswith(("08", "57P", "40"))
