"""What is set up once the models are loaded."""

from typing import Any

from django.apps import AppConfig
from django.db.backends.signals import connection_created

from surveys.operation.durability import refuse_volatile


class SurveysConfig(AppConfig):
    name = "surveys"

    def ready(self) -> None:
        from surveys.design import admin  # noqa: F401 (all register themselves)
        from surveys.operation import checks  # noqa: F401
        from surveys.people import admin as accounts  # noqa: F401

        connection_created.connect(_check_connection, dispatch_uid="surveys.durability")


def _check_connection(sender: Any, connection: Any, **options: Any) -> None:
    refuse_volatile(connection)
