"""A connection to the database that broke is replaced, and what it was asked is asked again."""

from collections.abc import Callable
from typing import TypeVar

import psycopg
from django.db import DatabaseError, InterfaceError, connection

Argument = TypeVar("Argument")
Result = TypeVar("Result")


def forget_connection() -> None:
    """After a failure: the next statement of this thread opens a new connection."""
    connection.close()


def persistently(act: Callable[[Argument], Result]) -> Callable[[Argument], Result]:
    """Repeats the act. A connection that broke is replaced and all is repeated, which the ids make safe."""

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
    """Whether PostgreSQL closed the connection, chose this statement to end a deadlock, or found when it was to commit
    that the survey had just been deleted. One that waited too long (57014), say, would only wait as long again."""
    if isinstance(error, psycopg.errors.ForeignKeyViolation):
        return True
    if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    return error.sqlstate is None or error.sqlstate.startswith(("08", "57P", "40"))
