"""`manage.py serve`: the whole system on this machine, until Ctrl-C."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from surveys.operation.embedded.parent import Embedded, end_requested
from surveys.operation.embedded.parts import EmbeddedError


class Command(BaseCommand):
    help = "Runs the whole system on this machine: web server, worker and, unless REDIS_URL is set, Redis."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="IP address to listen on (default: %(default)s)")

    def handle(self, *args: object, host: str, **options: object) -> None:
        ended, local = end_requested(), settings.LOCAL_SITE
        self.stdout.write(f"Starting the site on port {local.port}: database, pages and workers …")
        self.stdout.flush()
        try:
            with Embedded(host, local.port) as system:
                self.stdout.write(f"The site is at {system.url}, its data in {settings.DATA_DIR}.")
                self.stdout.write(f"Commands beside it: {local.command} …")
                self.stdout.write("Ctrl-C ends it.")
                self.stdout.flush()
                ended.wait()
        except EmbeddedError as error:
            raise CommandError(str(error)) from error
