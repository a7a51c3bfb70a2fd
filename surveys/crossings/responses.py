"""What pages that follow from a cross-table share: the release, and answers that no other reader may be given."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from surveys.access import visible_release
from surveys.models import Release
from surveys.results import response_cache

Made = Mapping[str, tuple[str, Callable[[Any], str]]]


def release_of(request: HttpRequest, slug: str, number: int) -> Release:
    """Http404 where there is none, or not for who asks."""
    _, release = visible_release(request.user, slug, number)
    if release is None:
        raise Http404
    return release


def private(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, private=True, no_cache=True)
    return response


def refused(text: str) -> HttpResponse:
    """Why there is no file, in a line each."""
    return private(HttpResponse(f"{text.rstrip()}\n", status=400, content_type="text/plain; charset=utf-8"))


def file(request: HttpRequest, document: Any, made: Made, form: str, name: str) -> HttpResponse:
    """A document as one of the files that can be made of it."""
    content_type, make = made[form]
    response = response_cache.respond(request, response_cache.content(make(document).encode()), content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return private(response)
