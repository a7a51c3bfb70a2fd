"""The site as a WSGI application, for granian and every other WSGI server.

A report goes straight to the intake: the request handling that Django wraps around a view costs more than storing the
report, and nothing of it (sessions, accounts, messages, CSRF) may know who answers.
"""

import logging
import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")

_django = get_wsgi_application()

# Only now are the models there to be imported.
from django.conf import settings  # noqa: E402
from django.db.backends.signals import connection_created  # noqa: E402

from surveys import intake, logs  # noqa: E402
from surveys.headers import DEFAULTS  # noqa: E402
from surveys.intake import recording  # noqa: E402


def _limit_statements(sender: Any, connection: Any, **options: Any) -> None:
    """Of the web server only: the worker's and the migrations' statements may take longer."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET statement_timeout = '{settings.STATEMENT_SECONDS}s'")
            # A machine that vanishes within a transaction would hold its rows until TCP notices.
            cursor.execute(f"SET idle_in_transaction_session_timeout = '{settings.STATEMENT_SECONDS}s'")


connection_created.connect(_limit_statements, dispatch_uid="surveys.wsgi")

_HEADERS = [*DEFAULTS.items(), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store")]
if settings.SECURE_HSTS_SECONDS:
    _HEADERS.append(("Strict-Transport-Security", f"max-age={settings.SECURE_HSTS_SECONDS}"))
_FAILED = intake.Reply(
    500, b'{"type":"/problems/failed","title":"Failed","status":500,"detail":"Try again."}', intake.PROBLEM
)


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    found = logs.INTAKE.fullmatch(environ["PATH_INFO"])
    if found is None:
        return _django(environ, start_response)
    try:
        reply = intake.receive(found[1], environ, environ["wsgi.input"].read)
    except Exception as error:  # whatever it is, the browser keeps its report and tries again
        logging.getLogger("surveys.intake").error(
            "Intake failed%s", logs.trail((type(error), error, error.__traceback__))
        )
        reply = _FAILED
        recording.forget_connection()
    size = ("Content-Length", str(len(reply.body)))
    start_response(reply.line, [("Content-Type", reply.content_type), size, *reply.headers, *_HEADERS])
    return [reply.body]
