"""The forms of accounts: allauth's with our labels. Every attempt at a password counts."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import ChangePasswordForm, LoginForm, ReauthenticateForm, SignupForm
from allauth.core import context
from django import forms
from django.contrib.auth import authenticate
from django.utils.translation import gettext_lazy as _

RULES = _("At least 8 characters, not only digits, not similar to your name, and not a common password.")


def _word(form: forms.Form, **labels: Any) -> None:
    """Set labels and focus the first empty field. Labels replace placeholders, which vanish while the user types."""
    for name, label in labels.items():
        field = form.fields[name]
        field.label = label
        field.help_text = RULES if name == "password1" else ""
        field.widget.attrs.pop("placeholder", None)
    form.fields[_empty(form)].widget.attrs["autofocus"] = True


def _empty(form: forms.Form) -> str:
    """Return the first field. After a refusal return the first empty field; password fields are always empty."""
    names = [name for name in form.fields if isinstance(form.fields[name].widget, forms.PasswordInput)]
    return next((name for name in form.fields if name in names or not form.data.get(name)), next(iter(form.fields)))


class SignInInput(LoginForm):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        _word(self, login=_("Name"), password=_("Password"))
        self.fields["login"].widget.attrs |= {"autocapitalize": "none", "spellcheck": "false"}


class SignUpInput(SignupForm):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        _word(self, username=_("Name"), password1=_("Password"), password2=_("The same password again"))
        self.fields["username"].help_text = _(
            "You sign in with it, and others who work on a survey with you see it. Letters, digits and @.+-_"
        )


class NewPasswordInput(ChangePasswordForm):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        _word(
            self, oldpassword=_("Current password"), password1=_("New password"), password2=_("The new password again")
        )

    def clean_oldpassword(self) -> str:
        """Count attempts as at sign-in. Otherwise a stranger at a signed-in browser could try passwords without
        limit."""
        password: str = self.cleaned_data["oldpassword"]
        if authenticate(context.request, username=self.user.get_username(), password=password) is None:
            raise get_adapter().validation_error("enter_current_password")
        return password


class PasswordAgainInput(ReauthenticateForm):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        _word(self, password=_("Password"))
