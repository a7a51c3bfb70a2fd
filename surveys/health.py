"""Whether this web process, and the system behind it, can do their work."""

from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone

from surveys.models import Heartbeat


def live(request: HttpRequest) -> JsonResponse:
    """200 once the process serves and its database answers; an unreachable database is the 500 it should be."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})


# A sweep comes every second; after so many without one, the schedule, the broker or every worker is down.
LATE_SECONDS = 30.0
# A backlog that has not been worked off for so long grows faster than it is counted, or nobody counts.
BEHIND_SECONDS = 300.0


def status(request: HttpRequest) -> JsonResponse:
    """200 if all works, else 503. An answer proves web and database; the last sweep schedule, broker and worker."""
    beat, now = Heartbeat.objects.first(), timezone.now()
    swept = (now - beat.swept_at).total_seconds() if beat else None
    since = (now - beat.backlog_since).total_seconds() if beat and beat.backlog_since else 0.0
    late = swept is None or swept > LATE_SECONDS
    document = {
        "status": "late" if late else "behind" if since > BEHIND_SECONDS else "ok",
        "seconds_since_sweep": swept,
        "backlog": beat.backlog if beat else None,
        "seconds_with_backlog": since,
    }
    return JsonResponse(document, status=200 if document["status"] == "ok" else 503)
