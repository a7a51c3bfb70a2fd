"""Whether this web process, and the system behind it, can do their work."""

from django.db import connection
from django.http import HttpRequest, JsonResponse

from surveys.operation import heartbeat


def live(request: HttpRequest) -> JsonResponse:
    """200 once the process serves and its database answers; an unreachable database is the 500 it should be."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})


def status(request: HttpRequest) -> JsonResponse:
    """200 if all works, else 503. No numbers: anybody may ask, as often as they like."""
    worker = heartbeat.status()
    return JsonResponse({"status": worker}, status=200 if worker == "ok" else 503)
