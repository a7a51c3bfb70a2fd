"""The workbook of a release, in the language that its address asks for."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from surveys.access import visible_release
from surveys.operation.gate import Busy, Gate
from surveys.results import response_cache
from surveys.results.picture_cache import FORGOTTEN_AFTER, Failed, Shelf
from surveys.workbook import tables

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
BUSY = 5  # seconds

# Each is made once, and one at a time: a long one takes seconds.
WORKBOOKS: Shelf[response_cache.Content] = Shelf(8, Gate())


@require_safe
def workbook(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """All tables, for whoever sees the results."""
    survey, release = visible_release(request.user, slug, number)
    if release is None:
        raise Http404
    what = release.pk, tables.tag(release), get_language()
    try:
        made = WORKBOOKS.get(what, lambda: tables.content(release))
    except (Busy, Failed) as refused:
        response = render(request, "workbook/busy.html", status=503)
        response["Retry-After"] = str(BUSY if isinstance(refused, Busy) else FORGOTTEN_AFTER)
        patch_cache_control(response, no_store=True)
        return response
    response = response_cache.respond(request, made, XLSX)
    response["Content-Disposition"] = f'attachment; filename="deniable-{survey.slug}-{number}.xlsx"'
    patch_cache_control(response, private=True, no_cache=True)
    return response
