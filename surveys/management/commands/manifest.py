"""`manage.py manifest`: the fingerprints of what a respondent's browser runs, as this program serves it."""

from typing import Any

from django.core.management.base import BaseCommand

from surveys.check import manifest


class Command(BaseCommand):
    help = "Writes the manifest of what respondents' browsers run: the same bytes from the same commit on any machine."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(manifest.text(), ending="")
