"""A database emptied after a test with transactions of its own, in place of Django's `flush`: row by row, and only the
tables that hold something. `flush` truncates all fifty and makes content types and permissions anew, which takes longer
than most of the tests. The triggers of what is only ever added to stand aside for this one moment, and the log begins
again with what each deployment enters after its migrations.
"""

from typing import Any

from django.db import connections, transaction
from django.test import TransactionTestCase

from surveys.apps import enter_software

MADE_BY_MIGRATIONS = {"django_migrations", "django_content_type", "auth_permission"}


def empty(test: TransactionTestCase) -> None:
    """In place of `TransactionTestCase._fixture_teardown`."""
    for name in test._databases_names(include_mirrors=False):
        connection = connections[name]
        tables = _filled(connection)
        (_delete_on_sqlite if connection.vendor == "sqlite" else _delete)(connection, tables)
        enter_software(sender=None, using=name)


def _filled(connection: Any) -> list[str]:
    """The tables that hold something, but for what the migrations have made."""
    tables = set(connection.introspection.django_table_names(only_existing=True, include_views=False))
    looks = [f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in tables - MADE_BY_MIGRATIONS]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(looks))
        return [table for (table,) in cursor.fetchall()]


def _delete(connection: Any, tables: list[str]) -> None:
    """As a replica no trigger fires, those of foreign keys included."""
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        cursor.execute(
            "; ".join(["SET LOCAL session_replication_role = replica", *map("DELETE FROM {}".format, tables)])
        )


def _delete_on_sqlite(connection: Any, tables: list[str]) -> None:
    with connection.constraint_checks_disabled(), transaction.atomic(connection.alias), connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        for table in tables:
            cursor.execute(f"DELETE FROM {table}")
        for _, trigger in triggers:
            cursor.execute(trigger)
