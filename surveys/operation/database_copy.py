"""A copy of a site's database into an empty PostgreSQL database, row by row, unchanged.

The copy takes SQLite's only write lock. Reports that come meanwhile are refused, and browsers send them again.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import connections, models, transaction
from django.db.migrations.executor import MigrationExecutor

from surveys.operation import environment

COPY = "copy"  # the alias of the target database
TOGETHER = 50  # rows at once; rows of files have a megabyte


class CopyRefused(ValueError):
    """The copy cannot begin; the message is one sentence."""


def copy_to(variable: str) -> int:
    """Copy the site's database to the URL in an environment variable; return the number of rows."""
    connections.databases[COPY] = connections.databases["default"] | environment.database(variable, settings.DATA_DIR)
    target = connections[COPY]
    if target.vendor != "postgresql":
        raise CopyRefused("The other database must be PostgreSQL.")
    if target.introspection.table_names():
        raise CopyRefused("The other database has tables already: create an empty one.")
    if _behind():
        raise CopyRefused("This database has an older version: run manage.py migrate first.")
    _migrate(environment.text(variable))
    with transaction.atomic("default"), transaction.atomic(COPY):
        _empty()
        n = sum(_copy(model) for model in _models())
        for statement in target.ops.sequence_reset_sql(no_style(), _models()):
            _execute(statement)
    return n


def _migrate(url: str) -> None:
    """Migrate in a process that has only this database, because migrations change rows of the default one."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "migrate", "--no-input", "--verbosity", "0"]
    subprocess.run(command, env=os.environ | {"DATABASE_URL": url}, check=True)


def _behind() -> bool:
    executor = MigrationExecutor(connections["default"])
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _models() -> list[type[models.Model]]:
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]


def _empty() -> None:
    """Delete the rows that migrations made."""
    tables = [model._meta.db_table for model in _models()]
    for statement in connections[COPY].ops.sql_flush(no_style(), tables, reset_sequences=True, allow_cascade=True):
        _execute(statement)


def _copy(model: type[models.Model]) -> int:
    """Copy a model's rows; return their number. PostgreSQL checks references at the transaction's end."""
    rows = model._base_manager.using("default").order_by("pk").iterator(chunk_size=TOGETHER)
    fields, n = model._meta.concrete_fields, 0
    for some in _together(rows):
        # `bulk_create` would set new creation times.
        model._base_manager.using(COPY)._insert(some, fields=fields, using=COPY, raw=True)  # type: ignore[attr-defined]
        n += len(some)
    return n


def _together(rows: Iterator[models.Model]) -> Iterator[list[models.Model]]:
    while some := list(islice(rows, TOGETHER)):
        yield some


def _execute(statement: str) -> None:
    with connections[COPY].cursor() as cursor:
        cursor.execute(statement)
