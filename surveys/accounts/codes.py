"""Codes of a second factor. After a few wrong codes the account must wait. No code is accepted twice.

Attempts are counted by account, as for passwords (attempts.py). Anyone who tries codes already knows the password, and
three of the million codes fit at any moment. So the pauses grow longer than for passwords.
"""

from typing import Any

from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal import auth
from allauth.mfa.totp.views import ActivateTOTPView
from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _

from surveys.accounts.adapters import Factors
from surveys.accounts.attempts import Attempts
from surveys.accounts.backend import admit
from surveys.accounts.shared import SharedMemory

LONGEST = 900.0  # seconds of the longest pause

attempts = Attempts(longest=LONGEST, shared=SharedMemory(settings.REDIS_URL, "codes"))


class CodeInput(forms.Form):
    """A form with a second-factor code. Attempts are counted for `user`."""

    user: Any

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        widget = {"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True, "spellcheck": "false"}
        self.fields["code"].widget.attrs = widget
        self.fields["code"].label = _("Code")

    def clean_code(self) -> str:
        right = admit(attempts, context.request, self.user.get_username())
        code: str = super().clean_code()  # type: ignore[misc]
        right()
        return code


class _OnceInput(CodeInput):
    authenticator: Authenticator

    def clean_code(self) -> str:
        code = super().clean_code()
        if self.authenticator.type == Authenticator.Type.TOTP and not take(self.authenticator, code):
            raise Factors().validation_error("incorrect_code")
        return code


class SignInCodeInput(_OnceInput, AuthenticateForm):
    pass


class CodeAgainInput(_OnceInput, ReauthenticateForm):
    pass


class FirstCodeInput(CodeInput, ActivateTOTPForm):
    pass


class SwitchOn(ActivateTOTPView):
    """Switch the second factor on. The code is used up and cannot sign in."""

    def form_valid(self, form: FirstCodeInput) -> HttpResponse:
        with transaction.atomic():
            answer: HttpResponse = super().form_valid(form)
            switched_on = Authenticator.objects.get(user_id=form.user.pk, type=Authenticator.Type.TOTP)
            take(switched_on, form.cleaned_data["code"])
        return answer


def take(authenticator: Authenticator, code: str) -> bool:
    """Use up the code. Return False if this code or a later one was used before. allauth remembers used codes in one
    process only, and forgets them while they still fit."""
    secret = Factors().decrypt(authenticator.data["secret"])
    fitting = [step for step in auth.yield_hotp_counters_from_time() if _fits(secret, step, code)]
    with transaction.atomic():
        row = Authenticator.objects.select_for_update().get(pk=authenticator.pk)
        if not fitting or max(fitting) <= row.data.get("step", 0):
            return False
        row.data["step"] = max(fitting)
        row.save(update_fields=["data"])
    return True


def _fits(secret: str, step: int, code: str) -> bool:
    return bool(auth.compare_user_code(actual=code, expected=auth.format_hotp_value(auth.hotp_value(secret, step))))
