"""Asking for the password again before a second factor is changed."""

from collections.abc import Callable
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect


class AskAgain:
    """Send a user to confirm the password, and then back to the page.

    This middleware is nearer to the view than allauth's. That one would store the whole request in the session: the
    client's IP address, its browser, and every posted field.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        if not isinstance(exception, ReauthenticationRequired):
            return None
        method = next(iter(get_adapter().get_reauthentication_methods(request.user)), None)
        address = method["url"] if method else "account_login"
        response = redirect(address)
        response["Location"] += "?" + urlencode({"next": request.get_full_path()})
        return response
