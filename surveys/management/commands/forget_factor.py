"""`manage.py forget_factor NAME`: for a user who has lost both the authenticator app and the recovery codes."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    help = "Removes the second factor and its recovery codes from an account: the password is enough again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"No account is called {name}.")
        if not Authenticator.objects.filter(user=user).delete()[0]:
            raise CommandError(f"{name} has no second factor.")
        self.stdout.write(f"{name} signs in with the password alone.")
