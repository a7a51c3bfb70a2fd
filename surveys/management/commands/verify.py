"""`manage.py verify URL`: compare the files that a site serves to respondents with this program's source."""

import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from surveys.transparency.check import manifest, verify


class Command(BaseCommand):
    help = "Checks what a site serves to respondents against this program's own manifest."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", help="a survey's link: https://example.org/s/#SLUG")
        parser.add_argument("--remember", help="a file that keeps the log's head for the next run")

    def handle(self, *args: Any, url: str, remember: str | None, **options: Any) -> None:
        with tempfile.TemporaryDirectory() as directory:
            own = Path(directory) / "manifest.json"
            own.write_text(manifest.text(), encoding="utf-8")
            sys.exit(verify.main([url, "--manifest", str(own), *(["--remember", remember] if remember else [])]))
