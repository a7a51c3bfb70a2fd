"""The workbook of a release, in the language that its address asks for."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from surveys.access import visible_release
from surveys.models import Release
from surveys.operation.gate import Busy, Gate
from surveys.results import response_cache
from surveys.results.picture_cache import FORGOTTEN_AFTER, Failed, Shelf
from surveys.sheets.book import XLSX
from surveys.waves.changes import Names, visible
from surveys.workbook import tables

BUSY = 5  # seconds

# Each is made once, and one at a time: a long one takes seconds.
WORKBOOKS: Shelf[response_cache.Content] = Shelf(8, Gate())


@require_safe
def workbook(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """All tables, for whoever sees the results."""
    _, release = visible_release(request.user, slug, number)
    if release is None:
        raise Http404
    try:
        made = content_of(release, visible(lambda _slug: request.user, release)[0])
    except (Busy, Failed) as refused:
        response = render(request, "workbook/busy.html", status=503)
        response["Retry-After"] = str(again_after(refused))
        patch_cache_control(response, no_store=True)
        return response
    response = response_cache.respond(request, made, XLSX)
    response["Content-Disposition"] = f'attachment; filename="{name_of(release)}"'
    patch_cache_control(response, private=True, no_cache=True)
    return response


def content_of(release: Release, waves: Names) -> response_cache.Content:
    """In the language that is active, with the waves that may be seen. Busy or Failed where it cannot be had now."""
    what = release.pk, waves, tables.ready(release), get_language()
    return WORKBOOKS.get(what, lambda: tables.content(release, waves))


def again_after(refused: Busy | Failed) -> int:
    """The seconds after which it may be had."""
    return BUSY if isinstance(refused, Busy) else FORGOTTEN_AFTER


def name_of(release: Release) -> str:
    return f"deniable-{release.survey.slug}-{release.number}.xlsx"
