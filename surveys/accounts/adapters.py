"""allauth's adapters: who may sign up, error messages, and the encryption of second factors."""

import base64
import hashlib
import secrets
from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from surveys.accounts import invitations, pending


class Accounts(DefaultAccountAdapter):
    error_messages: ClassVar[dict[str, Any]] = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": _("The name and the password do not match."),
        "username_taken": _("This name is already taken."),
        "enter_current_password": _("This is not your current password."),
        "incorrect_password": _("This is not your password."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return invitations.followed(request) is not None

    def pre_login(self, request: HttpRequest, user: AbstractBaseUser, **more: Any) -> Any:
        pending.begin(request, user)
        return super().pre_login(request, user, **more)

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Sign in. Every way to sign in ends here."""
        if not pending.holds(request, user):
            raise ImmediateHttpResponse(pending.end(request))
        super().login(request, user)

    def is_ajax(self, request: HttpRequest) -> bool:
        return False

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")


class Factors(DefaultMFAAdapter):
    error_messages: ClassVar[dict[str, Any]] = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("This code is wrong. A code lasts for half a minute and can be used once.")
    }

    def get_totp_issuer(self) -> str:
        """Return the site's name for authenticator apps."""
        return f"Deniable {self._get_site_name()}"

    def encrypt(self, text: str) -> str:
        """Encrypt a secret, so that a stolen database does not reveal it."""
        return cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            # SECRET_KEY has changed. No code may fit any more, so a random secret takes the place of the lost one.
            return base64.b32encode(secrets.token_bytes(20)).decode()


def cipher() -> MultiFernet:
    """Return a cipher that encrypts under the secret key and also decrypts under the older ones."""
    return MultiFernet([_under(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _under(secret_key: str) -> Fernet:
    key = hashlib.blake2b(secret_key.encode(), person=b"second factors", digest_size=32).digest()
    return Fernet(base64.urlsafe_b64encode(key))
