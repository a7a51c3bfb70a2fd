"""All that a site stores goes from its database into an empty one of PostgreSQL, row by row, as it is.

SQLite knows one writer, and the copy is it: what comes meanwhile is refused, not lost, and browsers send it again.
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

COPY = "copy"  # the alias of the database that is written
TOGETHER = 50  # rows: those of files have a megabyte


class CopyRefused(ValueError):
    """One sentence, before anything is written."""


def copy_to(variable: str) -> int:
    """Copy the site's database into that of the URL in a variable of the environment; the number of rows."""
    connections.databases[COPY] = connections.databases["default"] | environment.database(variable, settings.DATA_DIR)
    target = connections[COPY]
    if target.vendor != "postgresql":
        raise CopyRefused("The other database has to be one of PostgreSQL.")
    if target.introspection.table_names():
        raise CopyRefused("The other database has tables already: make an empty one.")
    if _behind():
        raise CopyRefused("This database is not of this version yet: run manage.py migrate first.")
    _migrate(environment.text(variable))
    with transaction.atomic("default"), transaction.atomic(COPY):
        _empty()
        n = sum(_copy(model) for model in _models())
        for statement in target.ops.sequence_reset_sql(no_style(), _models()):
            _execute(statement)
    return n


def _migrate(url: str) -> None:
    """In a process that knows no other database: migrations change rows of the site's own one."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "migrate", "--no-input", "--verbosity", "0"]
    subprocess.run(command, env=os.environ | {"DATABASE_URL": url}, check=True)


def _behind() -> bool:
    executor = MigrationExecutor(connections["default"])
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _models() -> list[type[models.Model]]:
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]


def _empty() -> None:
    """Delete what the migrations have put there."""
    tables = [model._meta.db_table for model in _models()]
    for statement in connections[COPY].ops.sql_flush(no_style(), tables, reset_sequences=True, allow_cascade=True):
        _execute(statement)


def _copy(model: type[models.Model]) -> int:
    """In any order of models: PostgreSQL looks at what refers to what at the end of the transaction."""
    rows = model._base_manager.using("default").order_by("pk").iterator(chunk_size=TOGETHER)
    fields, n = model._meta.concrete_fields, 0
    for some in _together(rows):
        # As they are: `bulk_create` would set the times at which rows are made.
        model._base_manager.using(COPY)._insert(some, fields=fields, using=COPY, raw=True)  # type: ignore[attr-defined]
        n += len(some)
    return n


def _together(rows: Iterator[models.Model]) -> Iterator[list[models.Model]]:
    while some := list(islice(rows, TOGETHER)):
        yield some


def _execute(statement: str) -> None:
    with connections[COPY].cursor() as cursor:
        cursor.execute(statement)
