from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.respondent.invitations.copies import copy


class Command(BaseCommand):
    help = "Copy the book of invitations for a backup, with uses up to the last count only."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the copy; an existing file is overwritten")

    def handle(self, *_: Any, file: Path, **__: Any) -> None:
        try:
            copy(file)
        except FileNotFoundError as missing:
            raise CommandError(f"There is no such file: {missing}") from None
