"""Parts of a page, which a script replaces by their ids (static/designer/requests.js). A browser without scripts gets
whole pages from the same URLs."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from surveys.rules.context import Context

# A request with this header asks for parts of a page. A response with it has parts as its body.
HEADER, GO = "X-Fragments", "X-Go"


def wants_fragments(request: HttpRequest) -> bool:
    return HEADER in request.headers


def fragments(request: HttpRequest, template: str, context: Context, status: int = 200) -> HttpResponse:
    response = render(request, template, context, status=status)
    response[HEADER] = "1"
    response["Cache-Control"] = "no-store"
    return response


def go(request: HttpRequest, address: str) -> HttpResponse:
    """Return a response that sends the browser to another page, also after a script's request."""
    if not wants_fragments(request):
        return redirect(address)
    response = HttpResponse(status=200)
    response[HEADER], response[GO] = "1", address
    return response
