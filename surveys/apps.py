"""What is set up once the models are loaded."""

import atexit
import gc
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate

from surveys.operation.durability import refuse_volatile

BETWEEN_SEARCHES = 10_000  # objects that are made and not given back until the youngest are searched for garbage


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
    """It stays to the end: no search for garbage goes through it, neither while more is loaded nor when the process
    ends, and such searches are rarer than Python's own choice. They took two fifths of a command's start and end."""
    gc.freeze()
    gc.set_threshold(BETWEEN_SEARCHES)
    gc.enable()
    atexit.register(gc.freeze)


def _check_connection(sender: Any, connection: Any, **options: Any) -> None:
    refuse_volatile(connection)


def enter_software(sender: Any, using: str, **options: Any) -> None:
    """Every deployment migrates before it starts, whether or not there is something to migrate."""
    from surveys import __version__
    from surveys.models import LogEntry
    from surveys.transparency.check import manifest
    from surveys.transparency.log import entries, keys

    if LogEntry._meta.db_table in connections[using].introspection.table_names():  # not so while migrating backwards
        keys.announce()
        entries.enter_software(__version__, manifest.commit(), manifest.digest())
