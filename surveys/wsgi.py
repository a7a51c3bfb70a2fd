"""The pages as a WSGI application. The intake in front of it takes the reports (surveys/rsgi.py)."""

import os
from collections.abc import Callable
from typing import Any
from wsgiref.util import setup_testing_defaults

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")

application = get_wsgi_application()

from django.conf import settings  # noqa: E402
from django.db import DatabaseError  # noqa: E402

from surveys.models import Release  # noqa: E402
from surveys.operation import counts, statements  # noqa: E402


def warm() -> None:
    """Load modules, URLs and templates, so that the first visitor does not wait for them."""
    for origin, path in _pages():
        scheme, _, host = origin.partition("://")
        environ = {"PATH_INFO": path, "HTTP_HOST": host, "HTTP_X_FORWARDED_PROTO": scheme}
        setup_testing_defaults(environ)
        b"".join(application(environ, _ignore))


def _pages() -> list[tuple[str, str]]:
    """Return a page of each kind, with a survey's results if any are public. Without a database, return only the first
    three."""
    plain = [(settings.SITE_URL, "/s/"), (settings.SITE_URL, "/api/"), (settings.STAFF_URL, "/account/login/")]
    public = Release.objects.filter(document__isnull=False, survey__results_public=True).order_by("-pk")
    try:
        slugs = public.values_list("survey__slug", flat=True)[:1]
        return [*plain, *((settings.SITE_URL, path) for path in ("/", "/check/", *(f"/r/{slug}/" for slug in slugs)))]
    except DatabaseError:
        return plain


def _ignore(status: str, headers: Any, error: Any = None) -> Callable[[bytes], object]:
    return len


statements.limit()
warm()
counts.count_start("pages")
