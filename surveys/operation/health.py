"""Health checks of this web process and the system behind it."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError

from django.db import connection
from django.http import HttpRequest, JsonResponse

from surveys.operation import heartbeat

PATIENCE = 1.0  # seconds for the database


def alive(request: HttpRequest) -> JsonResponse:
    """Return 200 while the process serves. A supervisor restarts a process that does not."""
    return JsonResponse({"status": "ok"})


def ready(request: HttpRequest) -> JsonResponse:
    """Return 200 if the database answers, else 503: send no visitors here, but a restart does not help."""
    return _answer("ok" if DATABASE.answers() else "no database")


def status(request: HttpRequest) -> JsonResponse:
    """Return 200 if all works, else 503. The reply has no numbers, because anyone may ask, at any rate."""
    return _answer(heartbeat.status() if DATABASE.answers() else "no database")


def _answer(word: str) -> JsonResponse:
    return JsonResponse({"status": word}, status=200 if word == "ok" else 503)


class Probe:
    """A check of the database on a new connection, shared by simultaneous requests. A visitor's connection could wait
    as long as a statement may take."""

    def __init__(self) -> None:
        self._thread, self._lock = ThreadPoolExecutor(1, "probe"), threading.Lock()
        self._look: Future[bool] | None = None

    def answers(self) -> bool:
        """Return whether the database answers in time."""
        with self._lock:
            if self._look is None or self._look.done():
                self._look = self._thread.submit(_answers)
            look = self._look
        try:
            return look.result(PATIENCE)
        except TimeoutError:
            return False


def _answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")
        return True
    except Exception:  # the database does not work, whatever the error
        return False
    finally:
        connection.close()


DATABASE = Probe()
