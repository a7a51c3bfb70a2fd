"""What is served, for everybody to check: the manifest, the log, and how to check without trusting this site."""

from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys.check import manifest, verify
from surveys.log import entries
from surveys.models import LogEntry

SHOWN = 20  # of the newest entries


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    rows = list(LogEntry.objects.order_by("-number")[:SHOWN])
    context = {"head": rows[0] if rows else None, "newest": entries.numbered(rows), "manifest": manifest.digest()}
    return render(request, "check/page.html", context)


@require_safe
def manifest_json(request: HttpRequest) -> HttpResponse:
    return HttpResponse(manifest.text(), content_type="application/json")


@require_safe
def head_json(request: HttpRequest) -> HttpResponse:
    """How many entries the log has, the day of the newest and the root of the tree, in hexadecimal; 404 while there is
    none."""
    rows = list(LogEntry.objects.order_by("-number")[:1])
    if not rows:
        raise Http404("The log is empty.")
    [newest] = entries.numbered(rows)
    return JsonResponse({"number": newest["number"] + 1, "day": newest["entry"]["day"], "hash": rows[0].root})


@require_safe
def verify_py(request: HttpRequest) -> HttpResponse:
    return HttpResponse(Path(verify.__file__).read_bytes(), content_type="text/x-python; charset=utf-8")
