"""`manage.py witness URL`: read another site's log once. Sign it if it continues the log seen before."""

import sys
from argparse import ArgumentParser
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand

from surveys.transparency.check import verify


class Command(BaseCommand):
    help = "Witnesses another site's log: run it each hour. The first run makes the key in DATA_DIR."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", help="another site: https://example.org/")
        parser.add_argument("--name", default=f"{urlsplit(settings.SITE_URL).netloc}/witness", help="%(default)s")
        parser.add_argument("--log-key", help="the key that must sign its log")

    def handle(self, *args: Any, url: str, name: str, log_key: str | None, **options: Any) -> None:
        files = ["--key", f"{settings.DATA_DIR}/witness_key", "--remember", f"{settings.DATA_DIR}/witnessed.json"]
        sys.exit(verify.main([url, "--witness", name, *files, *(["--log-key", log_key] if log_key else [])]))
