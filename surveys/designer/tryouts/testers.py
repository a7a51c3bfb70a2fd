"""The respondents' page of a draft for testers without an account. Anyone with the link can answer as a test.

It uses no session. The link gives access to this page only and cannot change the draft.
"""

import functools
import hashlib
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from surveys.access import tested_draft
from surveys.accounts.backend import client_of
from surveys.designer.studio import preview
from surveys.designer.tryouts.views import received
from surveys.operation.window import WindowRate

RATE = WindowRate()  # kept in this process
PER_LINK = 600  # requests per minute to a link, from all clients

View = Callable[..., HttpResponse]


def limited(view: View) -> View:
    """Limit a view's requests per minute, for each client and each link. Further requests get 429."""

    @functools.wraps(view)
    def within_limits(request: HttpRequest, link: str) -> HttpResponse:
        wait = max(_wait("client", client_of(request), settings.API_REQUESTS_PER_MINUTE), _of_link(link))
        return HttpResponse(status=429, headers={"Retry-After": str(wait)}) if wait else view(request, link)

    return within_limits


def _wait(kind: str, who: bytes | None, limit: int) -> int:
    return RATE.add(kind, who, limit) if limit and who is not None else 0


def _of_link(link: str) -> int:
    return _wait("link", hashlib.sha256(link.encode()).digest(), PER_LINK)


@require_safe
@limited
def page(request: HttpRequest, link: str) -> HttpResponse:
    addresses = (reverse(f"try-{name}", args=[link]) for name in ("definition", "reports"))
    return preview.asking(request, tested_draft(link), "designer/tester_page.html", *addresses)


@require_safe
@limited
def definition(request: HttpRequest, link: str) -> HttpResponse:
    return preview.canonical(tested_draft(link).draft)


@csrf_exempt  # no cookie and no session is used, so a forged request gains nothing
@require_POST
@limited
def receive(request: HttpRequest, link: str) -> HttpResponse:
    """Receive a test answer from the page. Return 201, or a refusal in the intake's words."""
    return received(tested_draft(link), request.body)
