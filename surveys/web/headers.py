"""The headers that every response carries, whoever answered: a view, the static files, an error."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from surveys.operation.hosts import STAFF
from surveys.web.policies import DEFAULTS, OF_DOCUMENTS


class SecurityHeaders:
    """Adds the strict defaults; a view that set a header itself keeps its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        for name, value in DEFAULTS.items():
            if name not in OF_DOCUMENTS or is_document(response):
                response.headers.setdefault(name, value)
        response.headers.setdefault("Referrer-Policy", referrer_policy(request))
        if STAFF.match(request.path_info):  # what stays on the disk of a shared machine, others find there
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def is_document(response: HttpResponseBase) -> bool:
    """Whether a browser may open it as a page of its own that runs something."""
    return response.headers.get("Content-Type", "").startswith(("text/html", "image/svg+xml", "application/xhtml"))


def referrer_policy(request: HttpRequest) -> str:
    """Strictly no-referrer, except on a page that holds a CSRF token.

    Under no-referrer browsers send `Origin: null` with a form, which the CSRF check rightly refuses: nobody
    could sign in. Such pages tell this site alone where a form came from, and other sites still nothing.
    """
    return "same-origin" if "CSRF_COOKIE_NEEDS_UPDATE" in request.META else "no-referrer"
