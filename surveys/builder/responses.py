"""How the builder answers: whole pages to a browser that runs no script; to the builder's own script the parts of the
page that changed, which it puts in their places by their ids (static/design/requests.js)."""

import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from surveys.design.pages import page
from surveys.models import Survey
from surveys.operation.policies import BUILDER

ASKED, ANSWERED, GO = "X-Fragments", "X-Fragments", "X-Go"


def wants_fragments(request: HttpRequest) -> bool:
    return ASKED in request.headers


def whole(request: HttpRequest, survey: Survey, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """A page of the builder. It is never shown again from a cache: what stands in its forms may have changed."""
    shown = context | {"current": "survey-questions", "visit": secrets.token_hex(8)}
    response = page(request, survey, "design/builder/page.html", shown)
    response.status_code = status
    response["Content-Security-Policy"] = BUILDER
    response["Cache-Control"] = "no-store"
    return response


def fragments(request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    response = render(request, template, context, status=status)
    response[ANSWERED] = "1"
    response["Cache-Control"] = "no-store"
    return response


def go(request: HttpRequest, address: str) -> HttpResponse:
    """Sends the browser to another page, also out of a script's request."""
    if not wants_fragments(request):
        return redirect(address)
    response = HttpResponse(status=200)
    response[ANSWERED], response[GO] = "1", address
    return response
