"""The pages as a WSGI application. Reports have a program of their own before it: surveys/rsgi.py."""

import os
from collections.abc import Callable
from typing import Any
from wsgiref.util import setup_testing_defaults

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")

application = get_wsgi_application()

from surveys.operation import counts, statements  # noqa: E402

WARM = ("/", "/s/")


def warm() -> None:
    """Read modules, addresses and templates before the first visitor comes, who would wait for them."""
    for path in WARM:
        environ = {"PATH_INFO": path, "HTTP_HOST": "localhost", "HTTP_X_FORWARDED_PROTO": "https"}
        setup_testing_defaults(environ)
        b"".join(application(environ, _ignore))


def _ignore(status: str, headers: Any, error: Any = None) -> Callable[[bytes], object]:
    return len


statements.limit()
warm()
counts.count_start("pages")
