"""What is served, for everybody to check: the manifest, the log, and how to check without trusting this site."""

from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys.check import log, manifest, verify
from surveys.models import Served

SHOWN = 20  # of the newest entries


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    newest = list(Served.objects.order_by("-number")[:SHOWN])
    context = {"head": newest[0] if newest else None, "newest": newest, "manifest": manifest.digest()}
    return render(request, "check/page.html", context)


@require_safe
def manifest_json(request: HttpRequest) -> HttpResponse:
    return HttpResponse(manifest.text(), content_type="application/json")


@require_safe
def log_json(request: HttpRequest) -> HttpResponse:
    """The whole log: an entry has about 400 bytes."""
    return JsonResponse({"entries": log.entries()})


@require_safe
def head_json(request: HttpRequest) -> HttpResponse:
    """The newest entry's number, day and hash; 404 while there is none."""
    newest = Served.objects.last()
    if newest is None:
        raise Http404("The log is empty.")
    return JsonResponse({"number": newest.number, "day": newest.day, "hash": newest.hash})


@require_safe
def verify_py(request: HttpRequest) -> HttpResponse:
    return HttpResponse(Path(verify.__file__).read_bytes(), content_type="text/x-python; charset=utf-8")
