"""`manage.py log`: the key that signs the public log."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from surveys.transparency.log import entries, keys, note


class Command(BaseCommand):
    help = "Shows which key signs the public log; `key` prints a new one for LOG_KEY; `rotate` changes it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", nargs="?", choices=["show", "key", "rotate"], default="show")

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        {"show": self._show, "key": self._key, "rotate": self._rotate}[action]()

    def _show(self) -> None:
        named, key = entries.newest("key"), keys.site_key()
        self.stdout.write(f"The log names {named['key'] if named else 'no key'}.")
        self.stdout.write(f"This machine has {key.public if key else 'no key'}.")

    def _key(self) -> None:
        """Print a new key, even without a database: containers get the key at their first start."""
        try:
            origin = keys.origin()
        except DatabaseError:
            origin = keys.first_origin()
        self.stdout.write(str(note.new_key(origin)))

    def _rotate(self) -> None:
        new = note.new_key(keys.origin())
        if settings.LOG_KEY:
            self.stdout.write(f"LOG_KEY={new}")
            self.stdout.write("Put this line into the settings of all machines and restart their pages.")
        try:
            keys.rotate(new)
        except ValueError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"From now on {new.public} signs the log.")
