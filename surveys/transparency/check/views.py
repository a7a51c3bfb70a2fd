"""The page and files for checking the site: manifest, log, and verifier."""

from datetime import date
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys import __version__
from surveys.models import LogEntry
from surveys.operation.hosts import is_site_host
from surveys.transparency.check import manifest, verify
from surveys.transparency.log import cosignatures, entries

SHOWN = 20  # the most entries shown, the newest


class LogHead(NamedTuple):
    """The number of entries of the log, the day of the newest, and the root of the tree."""

    size: int
    day: date
    root: str


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    rows = list(LogEntry.objects.order_by("-number")[:SHOWN])
    context = {
        "site": settings.SITE_URL,
        "asked_here": is_site_host(request),
        "version": __version__,
        "commit": manifest.commit(),
        "source": settings.SOURCE_URL,
        "manifest": manifest.digest(),
        "head": _head(rows),
        "newest": entries.numbered(rows),
        "witnesses": cosignatures.witnessed(),
        "quorum": settings.LOG_QUORUM,
        "seen": cosignatures.quorum(),
    }
    return render(request, "transparency/check/page.html", context)


def _head(rows: list[LogEntry]) -> LogHead | None:
    """Return the head of the log. The newest row must come first."""
    if not rows:
        return None
    [newest] = entries.numbered(rows[:1])
    return LogHead(newest["number"] + 1, date.fromisoformat(newest["entry"]["day"]), rows[0].root)


@require_safe
def manifest_json(request: HttpRequest) -> HttpResponse:
    return HttpResponse(manifest.text(), content_type="application/json")


@require_safe
def release_json(request: HttpRequest) -> HttpResponse:
    return HttpResponse(manifest.release_text(), content_type="application/json")


@require_safe
def head_json(request: HttpRequest) -> HttpResponse:
    """Return the number of entries, the newest day, the tree's root in hexadecimal, and the source's URL if set. Raise
    404 for an empty log."""
    head = _head(list(LogEntry.objects.order_by("-number")[:1]))
    if head is None:
        raise Http404("The log is empty.")
    return JsonResponse({"number": head.size, "day": head.day, "hash": head.root, "source": settings.SOURCE_URL})


@require_safe
def verify_py(request: HttpRequest) -> HttpResponse:
    return HttpResponse(Path(verify.__file__).read_bytes(), content_type="text/x-python; charset=utf-8")
