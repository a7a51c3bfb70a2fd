"""System checks that refuse unsafe deployments. `manage.py check --deploy --database default` runs before every start.

E001 to E006 apply everywhere, E101 and higher to a public site (`--deploy`).
"""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connections
from django.db.migrations.loader import MigrationLoader

from surveys import CONTACT, __version__
from surveys.operation.durability import complaint_about
from surveys.operation.pooling import is_pooled

# These keep a killed worker's task from being lost, from coming back for ever, and from running twice at once.
CELERY = {
    "CELERY_TASK_ACKS_LATE": True,
    "CELERY_TASK_REJECT_ON_WORKER_LOST": True,
    "CELERY_TASK_IGNORE_RESULT": True,
    "CELERY_WORKER_PREFETCH_MULTIPLIER": 1,
}

BATCH_LEAST, RELEASE_LEAST = 100, 10

# The most database connections of an intake process, of a pages process without its threads, and of a worker process
# (tests/deployment/test_machines.py counts them). Two units have WORKER_PROCESSES, the unit of estimates has one.
OF_INTAKE, OF_PAGES, OF_WORKER = 4, 1, 2


@register(Tags.database)
def durable_database(databases: Sequence[str] | None, **options: Any) -> list[CheckMessage]:
    """Return E005 for no database; E001 for commits that are acknowledged before they are on the disk, which loses
    reports in a power cut, and for a pooler without sessions, which may lose commits."""
    errors: list[CheckMessage] = []
    for alias in databases or ():
        try:
            complaint = complaint_about(connections[alias])
        except ImproperlyConfigured as refused:  # from a new connection
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
    """Return E006 if a later version has changed the database. Only that version can use it."""
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
    """Return E002 for settings by which the worker loses or repeats tasks, E003 for time limits in wrong order."""
    errors: list[CheckMessage] = [
        Error(f"{name} is {getattr(settings, name, None)!r}.", hint=f"Set it to {needed!r}.", id="deniable.E002")
        for name, needed in CELERY.items()
        if getattr(settings, name, None) != needed
    ]
    soft, hard = settings.CELERY_TASK_SOFT_TIME_LIMIT, settings.CELERY_TASK_TIME_LIMIT
    visibility = settings.CELERY_BROKER_TRANSPORT_OPTIONS.get("visibility_timeout", 3600)
    if not 0 < soft < hard < visibility <= 600:
        message = f"Time limits are soft {soft}, hard {hard}, visibility {visibility} seconds."
        hint = "They must increase in this order. Visibility is at most 600: a killed worker's task waits that long."
        errors.append(Error(message, hint=hint, id="deniable.E003"))
    return errors


@register()
def no_tiny_releases(**options: Any) -> list[CheckMessage]:
    """Return E004 for small releases. A release of a few reports reveals much about each."""
    if settings.RELEASE_LEAST >= RELEASE_LEAST:
        return []
    hint = f"Set it to {RELEASE_LEAST} or more."
    return [Error(f"RELEASE_LEAST is {settings.RELEASE_LEAST}.", hint=hint, id="deniable.E004")]


@register(deploy=True)
def public_site(**options: Any) -> list[CheckMessage]:
    """Return E101 for DEBUG, E102 for no https, E103 for SQLite with several intake processes, E104 for small batches,
    E105 for studio and respondents at the same host."""
    errors: list[CheckMessage] = []
    if settings.DEBUG:
        errors.append(Error("DEBUG is true.", hint="Unset DEBUG: error pages would show reports.", id="deniable.E101"))
    if not settings.SITE_URL.startswith("https://"):
        hint = "Set SITE_URL to the https:// URL of the site. Browsers refuse to randomize over plain http."
        errors.append(Error(f"SITE_URL is {settings.SITE_URL}.", hint=hint, id="deniable.E102"))
    if connections["default"].vendor == "sqlite" and settings.INTAKE_PROCESSES > 1:
        hint = "Use PostgreSQL (DATABASE_URL), or one process."
        errors.append(Error("SQLite takes one writer; INTAKE_PROCESSES is more.", hint=hint, id="deniable.E103"))
    if settings.BATCH < BATCH_LEAST:
        hint = f"Set BATCH to {BATCH_LEAST} or more: two releases that differ by few reports reveal much about each."
        errors.append(Error(f"BATCH is {settings.BATCH}.", hint=hint, id="deniable.E104"))
    if settings.STAFF_HOST is None:
        hint = "Set STAFF_URL to another host. Then a hole in the studio is no hole in the respondents' page."
        errors.append(Error("STAFF_URL is not set.", hint=hint, id="deniable.E105"))
    return errors


@register(deploy=True)
def named_operator(**options: Any) -> list[CheckMessage]:
    """Return W106 for missing facts on who runs the site and whom visitors can ask."""
    hint = "The first page says who runs the site. See docs/operators/settings.md."
    return [
        Warning(f"{name} is not set.", hint=hint, id="deniable.W106")
        for name in ("SITE_OPERATOR", "SITE_CONTACT", "SITE_NOTICE")
        if not getattr(settings, name)
    ]


@register(deploy=True)
def named_contact(**options: Any) -> list[CheckMessage]:
    """Return W108 if the project names no place for questions and reports of holes."""
    hint = "The project's owner fills in CONTACT in surveys/__init__.py, README.md and SECURITY.md."
    return [] if CONTACT else [Warning("The project names no place to ask.", hint=hint, id="deniable.W108")]


@register(Tags.database, deploy=True)
def enough_connections(databases: Sequence[str] | None, **options: Any) -> list[CheckMessage]:
    """Return W107 for too few connections. PostgreSQL refuses requests beyond its limit; a pooler delays them."""
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
    needed = intake + pages + OF_WORKER * (2 * settings.WORKER_PROCESSES + 1)
    if needed <= most - reserved:
        return []
    message = f"A machine with all parts may keep {needed} connections, and PostgreSQL takes"
    hint = "Raise its max_connections, or lower WEB_PROCESSES or WEB_THREADS. See Several machines in docs/operators."
    return [Warning(f"{message} {most - reserved}.", hint=hint, id="deniable.W107")]
