#!/usr/bin/env python3
"""Django's command line for this site: `python manage.py help` lists the commands."""

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
    if sys.argv[1:2] == ["demo"] and not os.environ.get("SITE", "").strip():
        os.environ["SITE"] = "demo"
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError
    from django.db.backends.signals import connection_created

    if not os.environ.get("DATABASE_URL"):  # one machine may have several such sites
        connection_created.connect(name_site)
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as refusal:
        sys.exit(str(refusal))
    except DatabaseError:
        if not lacks_tables():
            raise
        sys.exit(
            "This database has no tables yet: start its site first. SITE=demo before a command speaks to the demo."
        )


def name_site(connection: "BaseDatabaseWrapper", **_: object) -> None:
    """Write to standard error which site of this machine a command speaks to, when it first opens the database."""
    from django.conf import settings
    from django.db.backends.signals import connection_created

    connection_created.disconnect(name_site)
    print(f"Site {settings.SITE_URL}, database {connection.settings_dict['NAME']}", file=sys.stderr)


def lacks_tables() -> bool:
    """Return whether the database is there and has no table."""
    from django.db import DatabaseError, connection

    with suppress(DatabaseError):
        connection.close()
        return not connection.introspection.table_names()
    return False


if __name__ == "__main__":
    main()
