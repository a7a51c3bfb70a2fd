"""`manage.py transfer export | import`: move an ended survey to another site."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from surveys.models import Survey
from surveys.transfer import archive


class Command(BaseCommand):
    help = "Writes an ended survey into a file, or stores one from the file of another site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        out = actions.add_parser("export", help="write a survey with all its releases and reports into a new file")
        out.add_argument("slug")
        out.add_argument("file", type=Path)
        into = actions.add_parser("import", help="store the survey of a file")
        into.add_argument("file", type=Path)
        into.add_argument("--owner", required=True, help="the account whose survey it is here")

    def handle(self, action: str, file: Path, **options: Any) -> None:
        try:
            (self._export if action == "export" else self._import)(file, **options)
        except archive.TransferRefused as refusal:
            raise CommandError(str(refusal)) from None
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from None

    def _export(self, file: Path, slug: str, **options: Any) -> None:
        survey = Survey.objects.filter(slug=slug).first()
        if survey is None:
            raise CommandError("No survey has this slug.")
        archive.write(survey, file)
        self.stdout.write(
            f"{survey} is in {file}. At the other site: manage.py transfer import {file.name} --owner NAME"
        )

    def _import(self, file: Path, owner: str, **options: Any) -> None:
        user = User.objects.filter(username=owner, is_active=True).first()
        if user is None:
            raise CommandError(f"--owner: there is no active account of the name {owner}. Nothing was stored.")
        survey = archive.read(file, user)
        self.stdout.write(f"{survey} is here: {settings.STAFF_URL}{reverse('survey', args=[survey.pk])}")
        self.stdout.write(f"Count it again: manage.py recount {survey.slug}")
