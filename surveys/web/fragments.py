"""Parts of a page for a script that puts them in their places by their ids (static/designer/requests.js). A browser
that runs no script gets whole pages from the same addresses."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from surveys.rules.context import Context

# The header says in a request that parts are wanted, and in a response that these are parts.
HEADER, GO = "X-Fragments", "X-Go"


def wants_fragments(request: HttpRequest) -> bool:
    return HEADER in request.headers


def fragments(request: HttpRequest, template: str, context: Context, status: int = 200) -> HttpResponse:
    response = render(request, template, context, status=status)
    response[HEADER] = "1"
    response["Cache-Control"] = "no-store"
    return response


def go(request: HttpRequest, address: str) -> HttpResponse:
    """Sends the browser to another page, also out of a script's request."""
    if not wants_fragments(request):
        return redirect(address)
    response = HttpResponse(status=200)
    response[HEADER], response[GO] = "1", address
    return response
