"""`manage.py copy_database`: move a site from SQLite to PostgreSQL."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.operation import environment
from surveys.operation.database_copy import CopyRefused, copy_to

TARGET = "COPY_URL"  # not an argument, which all users of a machine can see; it may have a password


class Command(BaseCommand):
    help = f"Copies the site's database into the empty PostgreSQL database that the variable {TARGET} names."

    def handle(self, *args: Any, **options: Any) -> None:
        if not environment.text(TARGET):
            raise CommandError(f"Say where to: {TARGET}=postgresql://user:password@host/name manage.py copy_database")
        try:
            rows = copy_to(TARGET)
        except CopyRefused as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(
            f"{rows} rows copied. Now start the site with DATABASE_URL set to the value of {TARGET}, and this DATA_DIR."
        )
