"""The headers of every response, whether of a view, a static file or an error."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from surveys.operation.hosts import STAFF
from surveys.web.policies import DEFAULTS, OF_DOCUMENTS


class SecurityHeaders:
    """Add the strict default headers. A header that a view has set stays."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        for name, value in DEFAULTS.items():
            if name not in OF_DOCUMENTS or is_document(response):
                response.headers.setdefault(name, value)
        response.headers.setdefault("Referrer-Policy", referrer_policy(request))
        if STAFF.match(request.path_info):  # a cached page could be read on the disk of a shared machine
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def is_document(response: HttpResponseBase) -> bool:
    """Return whether a browser may open the response as a page with scripts."""
    return response.headers.get("Content-Type", "").startswith(("text/html", "image/svg+xml", "application/xhtml"))


def referrer_policy(request: HttpRequest) -> str:
    """Return no-referrer, or same-origin for a page with a CSRF token.

    With no-referrer browsers send `Origin: null` with a form, which the CSRF check refuses, so no one could sign in.
    With same-origin other sites still learn nothing."""
    return "same-origin" if "CSRF_COOKIE_NEEDS_UPDATE" in request.META else "no-referrer"
