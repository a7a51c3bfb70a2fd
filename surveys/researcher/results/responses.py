"""Helpers for pages and files about a release: the release, responses that no cache may share, files."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from surveys.access import has_role, visible_release
from surveys.models import Release, Role
from surveys.researcher.results import response_cache
from surveys.rules.context import Context

Made = Mapping[str, tuple[str, Callable[[Any], str | bytes]]]


def release_of(request: HttpRequest, slug: str, number: int) -> Release:
    """Return the release. Raise Http404 if it does not exist or the visitor may not see it."""
    _, release = visible_release(request.user, slug, number)
    if release is None:
        raise Http404
    return release


def asker(request: HttpRequest, release: Release) -> User:
    """Return the user who requests an analysis or files. Raise Http404 if they may not."""
    if not isinstance(request.user, User) or not has_role(request.user, release.survey, Role.RESEARCHER):
        raise Http404
    return request.user


def context(request: HttpRequest, release: Release) -> Context:
    """Return the context that all pages about a release need."""
    newest = Release.objects.readable(release.survey).values_list("number", flat=True).last()
    return {
        "survey": release.survey,
        "release": release,
        "may_ask": has_role(request.user, release.survey, Role.RESEARCHER),
        "newest": release.is_newest(),
        "newest_number": newest or release.number,
    }


def private(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, private=True, no_cache=True)
    return response


def refused(text: str) -> HttpResponse:
    """Return a response that says why there is no file, one reason per line."""
    return private(HttpResponse(f"{text.rstrip()}\n", status=400, content_type="text/plain; charset=utf-8"))


def file(request: HttpRequest, document: Any, made: Made, format: str, name: str) -> HttpResponse:
    """Return the document in this format. Raise Http404 if the format does not exist."""
    if format not in made:
        raise Http404
    content_type, make = made[format]
    response = response_cache.respond(request, response_cache.content(make(document)), content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return private(response)
