"""Whether this web process, and the system behind it, can do their work."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError

from django.db import connection
from django.http import HttpRequest, JsonResponse

from surveys.operation import heartbeat

PATIENCE = 1.0  # seconds for the database


def alive(request: HttpRequest) -> JsonResponse:
    """200 while the process serves at all: one that does not is to be started again."""
    return JsonResponse({"status": "ok"})


def ready(request: HttpRequest) -> JsonResponse:
    """200 where its database answers as well, else 503: no visitor is to be sent here, and starting it again helps
    nobody."""
    return _answer("ok" if DATABASE.answers() else "no database")


def status(request: HttpRequest) -> JsonResponse:
    """200 if all works, else 503. No numbers: anybody may ask, as often as they like."""
    return _answer(heartbeat.status() if DATABASE.answers() else "no database")


def _answer(word: str) -> JsonResponse:
    return JsonResponse({"status": word}, status=200 if word == "ok" else 503)


class Probe:
    """A look at the database on a new connection, one for all who ask at the same time. That of a visitor's thread
    would be waited for as long as a statement may take."""

    def __init__(self) -> None:
        self._thread, self._lock = ThreadPoolExecutor(1, "probe"), threading.Lock()
        self._look: Future[bool] | None = None

    def answers(self) -> bool:
        """Whether it does, in time."""
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
    except Exception:  # whatever it is, the database does not do what it is there for
        return False
    finally:
        connection.close()


DATABASE = Probe()
