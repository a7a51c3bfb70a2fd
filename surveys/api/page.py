"""The page /api/: how to use the API."""

import functools
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from surveys.accounts.tokens import DAYS_MAX
from surveys.api import reference
from surveys.api.listing import SIZE_MAX
from surveys.api.research_view import FRESH
from surveys.api.views import site_description
from surveys.researcher.results import response_cache

EXAMPLES = Path(__file__).parent / "examples"
PROGRAMS = Path(__file__).parent / "programs"
CLIENTS = ("deniable.py", "deniable.R", "respondent.py")
LANGUAGES = (("curl", "curl.txt"), ("Python", "python.txt"), ("R", "r.txt"))
NEEDS = {
    "curl": _("Needs a shell and curl."),
    "Python": _("Needs only Python."),
    "R": _("Needs only R, version 4 or later."),
}
GROUPS = {
    "Surveys": _("Surveys"),
    "Studio": _("The studio"),
    "Privacy": _("Privacy"),
    "People": _("People"),
    "Alerts": _("Alerts"),
    "Evidence": _("Evidence"),
    "Releases": _("Releases"),
    "Cross-tables": _("Cross-tables"),
    "Models": _("Models"),
    "Invitations": _("Invitations"),
    "Weights": _("Weighted questions"),
    "Subgroups": _("Subgroups"),
    "Microdata": _("Microdata"),
    "Respondents": _("What respondents’ browsers use"),
}
# The site's URL in the repository's programs.
ELSEWHERE = "http://127.0.0.1:8000"


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    response = response_cache.respond(
        request, _page(request.user.is_authenticated, get_language()), "text/html; charset=utf-8"
    )
    patch_cache_control(response, private=True, no_cache=True)
    return response


@functools.cache
def _page(signed_in: bool, language: str) -> response_cache.Content:
    operations = reference.operations(site_description(), settings.STAFF_URL)
    context = {
        "user": {"is_authenticated": signed_in},
        "examples": [(language, NEEDS[language], example(file)) for language, file in LANGUAGES],
        "groups": [(tag, title, operations[tag]) for tag, title in GROUPS.items()],
        "limit": settings.API_REQUESTS_PER_MINUTE,
        "size_max": SIZE_MAX,
        "hours": FRESH // 3600,
        "days": DAYS_MAX,
    }
    return response_cache.content(render_to_string("api/page.html", context).encode())


@require_safe
def program(request: HttpRequest, name: str) -> HttpResponse:
    """Return a client of the API, as one file."""
    if name not in CLIENTS:
        raise Http404
    response = response_cache.respond(request, _program(name), "text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    patch_cache_control(response, public=True, no_cache=True)
    return response


@functools.cache
def _program(name: str) -> response_cache.Content:
    return response_cache.content((PROGRAMS / name).read_bytes())


def example(file: str) -> str:
    """Return a program of examples/ with this site's URL."""
    return (EXAMPLES / file).read_text(encoding="utf-8").replace(ELSEWHERE, settings.STAFF_URL)
