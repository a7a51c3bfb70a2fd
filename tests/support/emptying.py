"""A quick replacement of Django's `flush`: it empties the database after a test that has transactions. `flush`
truncates all fifty tables and recreates content types and permissions, which takes longer than most tests. This module
deletes rows, and only from tables that have some. It disables the triggers of append-only tables meanwhile. Then the
log gets the first entry that each deployment writes after its migrations."""

from typing import Any

from django.db import connections, transaction
from django.test import TransactionTestCase

from surveys.apps import enter_software

MADE_BY_MIGRATIONS = {"django_migrations", "django_content_type", "auth_permission"}


def empty(test: TransactionTestCase) -> None:
    """Empty the test's databases; replaces `TransactionTestCase._fixture_teardown`."""
    for name in test._databases_names(include_mirrors=False):
        connection = connections[name]
        tables = _filled(connection)
        (_delete_on_sqlite if connection.vendor == "sqlite" else _delete)(connection, tables)
        enter_software(sender=None, using=name)


def _filled(connection: Any) -> list[str]:
    """Return the tables that have rows, without the tables that migrations fill."""
    tables = set(connection.introspection.django_table_names(only_existing=True, include_views=False))
    looks = [f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in tables - MADE_BY_MIGRATIONS]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(looks))
        return [table for (table,) in cursor.fetchall()]


def _delete(connection: Any, tables: list[str]) -> None:
    """Delete the rows as a replica: then no trigger fires, not even the triggers of foreign keys."""
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
