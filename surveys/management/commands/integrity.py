"""`manage.py integrity DIRECTORY`: write the files for WAICT and WEBCAT."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from surveys.respondent.page import integrity


class Command(BaseCommand):
    help = "Writes files with which browsers with WAICT or WEBCAT accept only this version's respondents' page."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory", type=Path)

    def handle(self, directory: Path, **options: Any) -> None:
        manifest, content = integrity.waict()
        files = {manifest: content} | {f"webcat/{path}": each for path, each in integrity.webcat().items()}
        for path, each in files.items():
            file = directory / path.lstrip("/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(each)
        self.stdout.write(f"Integrity-Policy-WAICT-v1: {integrity.waict_header(manifest)}")
