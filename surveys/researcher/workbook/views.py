"""The workbook of a release, in the language of the URL: its progress, then the file."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from surveys.access import visible_release
from surveys.figures import numerals
from surveys.models import Release, Workbook
from surveys.researcher.analyses.waves.changes import visible
from surveys.researcher.results import response_cache
from surveys.researcher.sheets.book import XLSX
from surveys.researcher.workbook import requests, tables
from surveys.rules.context import Context
from surveys.web.fragments import HEADER, fragments, wants_fragments

AGAIN_AFTER = 2  # seconds


@require_safe
def workbook(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return all tables to anyone who may see the results. The first request starts the work."""
    _, release = visible_release(request.user, slug, number)
    if release is None:
        raise Http404
    try:
        row = requests.ask(release, visible(lambda _slug: request.user, release)[0], request.user)
    except requests.Older:
        return _page(request, 404, {"release": release, "waits": False, "older": True})
    except requests.WorkbookBusy:
        return _page(request, 503, {"release": release, "waits": False})
    if wants_fragments(request):
        return fragments(request, "researcher/workbook/state.html", _context(request, row))
    if row.state == row.State.READY:
        response = file(request, row)
        patch_vary_headers(response, [HEADER])
        patch_cache_control(response, private=True, no_cache=True)
        return response
    return _page(request, 503 if row.state == row.State.FAILED else 202, _context(request, row))


def _context(request: HttpRequest, row: Workbook) -> Context:
    part = done(row)
    numbers = {"done": part, "percent": numerals.percent(part)}
    waits = row.state in row.UNDER_WAY
    named = {"name": name_of(row.release), "address": request.get_full_path()}
    return {"release": row.release, "row": row, "waits": waits} | numbers | named


def done(row: Workbook) -> float:
    """Return the finished fraction of an unfinished workbook, rounded to hundredths."""
    return round(min(row.written / tables.steps(row.release), 0.99), 2)


def _page(request: HttpRequest, status: int, context: Context) -> HttpResponse:
    response = render(request, "researcher/workbook/page.html", context, status=status)
    response["Retry-After"] = str(AGAIN_AFTER)
    patch_cache_control(response, no_store=True)
    patch_vary_headers(response, [HEADER])
    return response


def file(request: HttpRequest, row: Workbook) -> HttpResponse:
    """Return the file, uncompressed: a workbook is a compressed archive already."""
    assert row.content is not None
    kept = response_cache.Content(f'W/"{row.digest[:32]}"', bytes(row.content), b"")
    response = response_cache.respond(request, kept, XLSX)
    response["Content-Disposition"] = f'attachment; filename="{name_of(row.release)}"'
    return response


def name_of(release: Release) -> str:
    return f"deniable-{release.survey.slug}-{release.number}.xlsx"
