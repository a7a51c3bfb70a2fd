"""The time limit for statements of the web server. Workers and migrations may take longer."""

from typing import Any

from django.conf import settings
from django.db.backends.signals import connection_created


def limit() -> None:
    """Set the limit on all connections that this process opens from now on."""
    connection_created.connect(_limit, dispatch_uid="surveys.operation.statements")


def _limit(sender: Any, connection: Any, **options: Any) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET statement_timeout = '{settings.STATEMENT_SECONDS}s'")
            # Otherwise a machine that vanishes within a transaction holds its rows until TCP notices.
            cursor.execute(f"SET idle_in_transaction_session_timeout = '{settings.STATEMENT_SECONDS}s'")
