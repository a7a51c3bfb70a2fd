"""`manage.py renew_factors`: run it after a change of SECRET_KEY, so that the old key is not needed any more."""

from typing import Any

from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.core.management.base import BaseCommand
from django.db import transaction

from surveys.accounts.adapters import cipher

ENCRYPTED = ("secret", "seed")  # of an authenticator app; of recovery codes


class Command(BaseCommand):
    help = "Encrypts second factors anew under SECRET_KEY, from one of SECRET_KEY_FALLBACKS."

    def handle(self, *args: Any, **options: Any) -> None:
        done = [_renew(pk) for pk in Authenticator.objects.values_list("pk", flat=True)]
        self.stdout.write(f"{sum(done)} second factors are encrypted under the newest key.")
        if lost := len(done) - sum(done):
            self.stderr.write(f"{lost} cannot be read with any key: manage.py forget_factor NAME")


@transaction.atomic
def _renew(pk: int) -> bool:
    """Encrypt again under the new key; return whether some key could decrypt the secret."""
    one = Authenticator.objects.select_for_update().get(pk=pk)
    try:
        new = {name: cipher().rotate(one.data[name].encode()).decode() for name in ENCRYPTED if name in one.data}
    except InvalidToken:
        return False
    one.data |= new
    one.save(update_fields=["data"])
    return True
