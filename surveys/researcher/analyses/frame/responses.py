"""What pages of what was counted share: the release, how far a row is, answers that no other reader may be given."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_http_methods

from surveys.access import View, has_role, visible_release
from surveys.figures import numerals
from surveys.models import Counting, Release, Role
from surveys.researcher.results import response_cache
from surveys.rules.context import Context
from surveys.web.fragments import HEADER, fragments, wants_fragments

Made = Mapping[str, tuple[str, Callable[[Any], str | bytes]]]


def release_of(request: HttpRequest, slug: str, number: int) -> Release:
    """Http404 where there is none, or not for who asks."""
    _, release = visible_release(request.user, slug, number)
    if release is None:
        raise Http404
    return release


def asker(request: HttpRequest, release: Release) -> User:
    """Who asks for more of it; Http404 for whoever may not."""
    if not isinstance(request.user, User) or not has_role(request.user, release.survey, Role.RESEARCHER):
        raise Http404
    return request.user


def posted(listing: str) -> Callable[[View], View]:
    """For a view to which the form of the page `listing` is sent: `view(request, slug, number)` is called for people
    who are signed in. Whoever only opens the address, as from the history after a refusal, is led to that page."""

    def decorate(view: View) -> View:
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def guarded(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
            if request.method == "POST":
                return login_required(view)(request, slug, number)
            release_of(request, slug, number)
            return redirect(listing, slug, number)

        return guarded

    return decorate


def context(request: HttpRequest, release: Release) -> Context:
    """What every page of it needs."""
    may_ask = has_role(request.user, release.survey, Role.RESEARCHER)
    newest = Release.objects.readable(release.survey).values_list("number", flat=True).last()
    own = {"newest": release.is_newest(), "newest_number": newest or release.number}
    return {"survey": release.survey, "release": release, "may_ask": may_ask} | own


def progress(row: Counting | None, reports: int) -> Context:
    """How far a row is with the reports that it is counted from."""
    waits = row is not None and row.state in row.UNDER_WAY
    numbers = {"n": numerals.count(reports), "counted": numerals.count(row.counted if row else 0)}
    return numbers | {"row": row, "waits": waits, "reports": reports}


def page(request: HttpRequest, part: str, whole: str, context: Context) -> HttpResponse:
    """The template `whole`, or only the `part` of it that changes while a worker counts."""
    if wants_fragments(request):
        return fragments(request, part, context)
    response = private(render(request, whole, context))
    patch_vary_headers(response, [HEADER])
    return response


def document(rows: QuerySet[Any]) -> Any:
    """The document of the first of the rows that is ready; Http404 where none is."""
    made = rows.filter(document__isnull=False).values_list("document", flat=True).first()
    if made is None:
        raise Http404
    return made


def private(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, private=True, no_cache=True)
    return response


def refused(text: str) -> HttpResponse:
    """Why there is no file, in a line each."""
    return private(HttpResponse(f"{text.rstrip()}\n", status=400, content_type="text/plain; charset=utf-8"))


def file(request: HttpRequest, document: Any, made: Made, form: str, name: str) -> HttpResponse:
    """A document as one of the files that can be made of it; Http404 where there is no such form."""
    if form not in made:
        raise Http404
    content_type, make = made[form]
    response = response_cache.respond(request, response_cache.content(make(document)), content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return private(response)
