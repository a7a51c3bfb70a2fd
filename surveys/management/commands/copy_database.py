"""`manage.py copy_database`: a site that began on SQLite goes on with PostgreSQL."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.operation import environment
from surveys.operation.database_copy import CopyRefused, copy_to

TARGET = "COPY_URL"  # no argument: everybody on a machine sees those of a command, and this one may have a password


class Command(BaseCommand):
    help = f"Copies the site's database into the empty one of PostgreSQL that the variable {TARGET} names."

    def handle(self, *args: Any, **options: Any) -> None:
        if not environment.text(TARGET):
            raise CommandError(f"Say where to: {TARGET}=postgresql://user:password@host/name manage.py copy_database")
        try:
            rows = copy_to(TARGET)
        except CopyRefused as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(
            f"{rows} rows are copied. Start the site with DATABASE_URL={TARGET}'s value and this DATA_DIR."
        )
