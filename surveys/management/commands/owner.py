"""`manage.py owner NAME`: make the first account of a site. All later ones need an invitation."""

import getpass
import secrets
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Makes an account that may do everything on the site, and prints its password once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="what its owner signs in with")
        parser.add_argument("--ask", action="store_true", help="ask for the password instead of making one")

    def handle(self, *args: Any, name: str, ask: bool, **options: Any) -> None:
        user = User(username=name, is_staff=True, is_superuser=True)
        try:
            user.clean_fields(exclude=["password"])
            user.validate_unique()
            password = self._prompt(user) if ask else secrets.token_urlsafe(12)
        except ValidationError as error:
            raise CommandError("\n".join(error.messages)) from None
        user.set_password(password)
        user.save()
        self.stdout.write(f"{name} may do everything on this site." + ("" if ask else f" Password: {password}"))

    def _prompt(self, user: User) -> str:
        """Return a password that was typed twice and obeys the site's rules."""
        password = getpass.getpass()
        if getpass.getpass("Password (again): ") != password:
            raise CommandError("The two passwords differ.")
        validate_password(password, user)
        return password
