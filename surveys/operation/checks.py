"""Deployments that would break a promise are refused: `manage.py check --deploy --database default` before every start.

E001 to E006 hold everywhere, E101 and up for a public site (`--deploy`).
"""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connections
from django.db.migrations.loader import MigrationLoader

from surveys import __version__
from surveys.operation.durability import complaint_about
from surveys.operation.pooling import is_pooled

# What Celery needs so that a killed worker's task neither vanishes nor comes back for ever, nor runs beside itself.
CELERY = {
    "CELERY_TASK_ACKS_LATE": True,
    "CELERY_TASK_REJECT_ON_WORKER_LOST": True,
    "CELERY_TASK_IGNORE_RESULT": True,
    "CELERY_WORKER_PREFETCH_MULTIPLIER": 1,
}

BATCH_LEAST, RELEASE_LEAST = 100, 10

# What each process keeps open at most: one of the intake, one of the pages beside those of its threads, and all of the
# workers and the schedule (tests/deployment/test_machines.py counts them).
OF_INTAKE, OF_PAGES, OF_WORKERS = 4, 1, 6


@register(Tags.database)
def durable_database(databases: Sequence[str] | None, **options: Any) -> list[CheckMessage]:
    """E005: no database. E001: a commit that is acknowledged before it is on the disk would be a lost report after a
    power cut, and one through a pooler that keeps no sessions may not come at all."""
    errors: list[CheckMessage] = []
    for alias in databases or ():
        try:
            complaint = complaint_about(connections[alias])
        except ImproperlyConfigured as refused:  # a new connection
            complaint = str(refused)
        except OperationalError as error:
            hint = "Start it, or set DATABASE_URL to where it is."
            errors.append(Error(f"The database does not answer: {error}", hint=hint, id="deniable.E005"))
            continue
        if complaint:
            errors.append(Error(complaint, hint="See docs/operators/inside.md, Durability.", id="deniable.E001"))
        else:
            errors += later_version(alias)
    return errors


def later_version(alias: str) -> list[CheckMessage]:
    """E006: a database that a later version has changed is that version's alone."""
    loader = MigrationLoader(connections[alias])
    unknown = sorted(
        name for app, name in loader.applied_migrations.keys() - loader.disk_migrations if app == "surveys"
    )
    if not unknown:
        return []
    message = f"This database was made by a later version, which has {unknown[-1]}; this is {__version__}."
    hint = "Install that version or a newer one, or restore a backup from before it."
    return [Error(message, hint=hint, id="deniable.E006")]


@register()
def careful_worker(**options: Any) -> list[CheckMessage]:
    """E002: a setting that makes the worker lose or double tasks. E003: time limits in the wrong order."""
    errors: list[CheckMessage] = [
        Error(f"{name} is {getattr(settings, name, None)!r}.", hint=f"Set it to {needed!r}.", id="deniable.E002")
        for name, needed in CELERY.items()
        if getattr(settings, name, None) != needed
    ]
    soft, hard = settings.CELERY_TASK_SOFT_TIME_LIMIT, settings.CELERY_TASK_TIME_LIMIT
    visibility = settings.CELERY_BROKER_TRANSPORT_OPTIONS.get("visibility_timeout", 3600)
    if not 0 < soft < hard < visibility <= 600:
        message = f"Time limits are soft {soft}, hard {hard}, visibility {visibility} seconds."
        hint = "They must increase in this order, and visibility be at most 600: a killed worker's task waits so long."
        errors.append(Error(message, hint=hint, id="deniable.E003"))
    return errors


@register()
def no_tiny_releases(**options: Any) -> list[CheckMessage]:
    """E004: a release of a handful of reports tells much of each."""
    if settings.RELEASE_LEAST >= RELEASE_LEAST:
        return []
    hint = f"Set it to {RELEASE_LEAST} or more."
    return [Error(f"RELEASE_LEAST is {settings.RELEASE_LEAST}.", hint=hint, id="deniable.E004")]


@register(deploy=True)
def public_site(**options: Any) -> list[CheckMessage]:
    """E101 DEBUG, E102 no https, E103 SQLite with several intake processes, E104 small batches, E105 staff at the
    respondents' own host."""
    errors: list[CheckMessage] = []
    if settings.DEBUG:
        errors.append(Error("DEBUG is true.", hint="Unset DEBUG: error pages would show reports.", id="deniable.E101"))
    if not settings.SITE_URL.startswith("https://"):
        hint = "Set SITE_URL to the https:// address of the site. Browsers refuse to randomize over plain http."
        errors.append(Error(f"SITE_URL is {settings.SITE_URL}.", hint=hint, id="deniable.E102"))
    if connections["default"].vendor == "sqlite" and settings.INTAKE_PROCESSES > 1:
        hint = "Use PostgreSQL (DATABASE_URL), or one process."
        errors.append(Error("SQLite takes one writer, and INTAKE_PROCESSES is more.", hint=hint, id="deniable.E103"))
    if settings.BATCH < BATCH_LEAST:
        hint = f"Set BATCH to {BATCH_LEAST} or more: two releases that differ by few reports tell much of each."
        errors.append(Error(f"BATCH is {settings.BATCH}.", hint=hint, id="deniable.E104"))
    if settings.STAFF_HOST is None:
        hint = "Set STAFF_URL to another host: a hole in staff's pages is then none in the page that people answer."
        errors.append(Error("STAFF_URL is not set.", hint=hint, id="deniable.E105"))
    return errors


@register(deploy=True)
def named_operator(**options: Any) -> list[CheckMessage]:
    """W106: nobody would know who runs the site, and whom to ask."""
    hint = "The first page says who runs the site. See docs/operators/settings.md."
    return [
        Warning(f"{name} is not set.", hint=hint, id="deniable.W106")
        for name in ("SITE_OPERATOR", "SITE_CONTACT", "SITE_NOTICE")
        if not getattr(settings, name)
    ]


@register(Tags.database, deploy=True)
def enough_connections(databases: Sequence[str] | None, **options: Any) -> list[CheckMessage]:
    """W107: PostgreSQL refuses a connection more than it takes, and what needed it fails. A pooler lets it wait."""
    connection = connections["default"]
    if "default" not in (databases or ()) or connection.vendor != "postgresql" or durable_database(["default"]):
        return []
    with connection.cursor() as cursor:
        if is_pooled(connection.connection):
            return []
        cursor.execute("SELECT current_setting('max_connections'), current_setting('superuser_reserved_connections')")
        most, reserved = map(int, cursor.fetchone())
    intake = OF_INTAKE * settings.INTAKE_PROCESSES
    pages = (OF_PAGES + settings.WEB_THREADS) * settings.WEB_PROCESSES
    if intake + pages + OF_WORKERS <= most - reserved:
        return []
    message = f"A machine with all parts may keep {intake + pages + OF_WORKERS} connections, and PostgreSQL takes"
    hint = "Raise its max_connections, or lower WEB_PROCESSES or WEB_THREADS. See Several machines in docs/operators."
    return [Warning(f"{message} {most - reserved}.", hint=hint, id="deniable.W107")]
