"""A sign-in that waits for its second factor. It ends if the password changes or the account is closed.

allauth keeps the account's number in the session for 15 minutes, and nothing about the password.
"""

from allauth.account.internal import stagekit
from allauth.mfa.base import views
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.crypto import constant_time_compare

_KEY = "password_of_sign_in"


def begin(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Remember in the session that the password of `user` was right."""
    request.session[_KEY] = user.get_session_auth_hash()


def holds(request: HttpRequest, user: AbstractBaseUser) -> bool:
    """Return whether `user` still has that password and may sign in."""
    given = request.session.get(_KEY, "")
    return user.is_active and constant_time_compare(given, user.get_session_auth_hash())


def second_factor(request: HttpRequest) -> HttpResponseBase:
    """Show the page that asks for a code, or return to the password if the sign-in no longer holds."""
    stage = stagekit.get_pending_stage(request)
    if stage is not None and stage.login.user is not None and not holds(request, stage.login.user):
        return end(request)
    answer: HttpResponseBase = views.authenticate(request)
    return answer


def end(request: HttpRequest) -> HttpResponseBase:
    stagekit.clear_login(request)
    request.session.pop(_KEY, None)
    return redirect("account_login")
