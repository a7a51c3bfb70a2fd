"""Set-up that needs loaded models: checks, signals, garbage collection and the log's entry for this version."""

import atexit
import gc
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate

from surveys.operation.durability import refuse_volatile

BETWEEN_SEARCHES = 10_000  # allocations less deallocations before a garbage collection of the youngest objects


class SurveysConfig(AppConfig):
    name = "surveys"

    def ready(self) -> None:
        from surveys.accounts import admin, ownership, withdrawal  # noqa: F401
        from surveys.operation import checks  # noqa: F401
        from surveys.respondent.invitations import checks as invitation_checks  # noqa: F401 (all register themselves)

        connection_created.connect(_check_connection, dispatch_uid="surveys.durability")
        post_migrate.connect(enter_software, sender=self, dispatch_uid="surveys.transparency.log")
        _keep_what_is_loaded()


def _keep_what_is_loaded() -> None:
    """Exempt loaded modules from garbage collection, and collect less often than Python's default. Collections took two
    fifths of a command's time."""
    gc.freeze()
    gc.set_threshold(BETWEEN_SEARCHES)
    gc.enable()
    atexit.register(gc.freeze)


def _check_connection(sender: Any, connection: Any, **options: Any) -> None:
    refuse_volatile(connection)


def enter_software(sender: Any, using: str, **options: Any) -> None:
    """Enter this version in the log. Every deployment runs `migrate` before it starts, even without new migrations."""
    from surveys import __version__
    from surveys.models import LogEntry
    from surveys.transparency.check import manifest
    from surveys.transparency.log import entries, keys

    if LogEntry._meta.db_table in connections[using].introspection.table_names():  # false while migrating backwards
        keys.announce()
        entries.enter_software(__version__, manifest.commit(), manifest.digest())
