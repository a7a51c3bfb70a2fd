"""The respondent page: a shell with the title, the introduction and the pinned files; the browser does the rest.

The view never sees an answer. It names the definition's digest and the SHA-384 of every file the page runs, so that
the browser refuses a file that differs by one byte and the page refuses a definition that differs by one byte.
"""

import base64
import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from surveys.access import published_survey
from surveys.models import Survey
from surveys.operation.policies import RESPONDENTS_PAGE
from surveys.respond.notices import notices, spoken

# In order of trust: those before dom.js decide what is sent; the rest ask, deliver and explain. Each module stands
# after those that it imports, and start.js lets none run before all of them have passed their check.
MODULES = (
    *("uniform.js", "generator.js", "rules.js", "exact.js", "mechanisms.js", "kinds.js", "privatize.js"),
    *("languages.js", "shape.js", "certificate.js"),
    *(
        "dom.js",
        "words.js",
        "language.js",
        "choice.js",
        "number.js",
        "fields.js",
        "promise.js",
        "sections.js",
        "form.js",
    ),
    *("store.js", "delivery.js", "outcome.js", "audit.js", "respond.js"),
)
# The languages that the page itself speaks, each with a table of its words. Their files are pinned, too, and a browser
# loads the one that it needs.
LANGUAGES = ("en", "de", "ar")
TABLES = {language: f"words/{language}.js" for language in LANGUAGES}
STATES = ("early", "open", "closed")
ENTRY = "start.js"
STYLE = "respond.css"


class Asset(NamedTuple):
    """A file the page loads: its address and the integrity value the browser holds it to."""

    url: str
    integrity: str


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of an open survey, an explanation for one that is closed or has not begun, 404 for an unknown slug."""
    survey = published_survey(slug)
    context = shell(survey, _state(survey))
    response = render(request, "respond/page.html", context)
    for name, value in RESPONDENTS_PAGE.items():
        response[name] = value
    return response


def _state(survey: Survey) -> str:
    """What the page does: it asks only while it is "open"."""
    if survey.begins_later:
        return "early"
    return "open" if survey.accepts_reports else "closed"


def shell(survey: Survey, state: str) -> dict[str, Any]:
    """What the template needs; texts come from the frozen definition, never from the draft."""
    context = {
        "state": state,
        "opens_at": survey.opens_at,
        "title": survey.definition["title"],
        "introduction": survey.definition["introduction"],
        "slug": survey.slug,
        "digest": survey.digest,
        "definition_url": reverse("definition", args=[survey.slug]),
        "reports_url": reverse("reports", args=[survey.slug]),
        "results_url": reverse("results", args=[survey.slug]) if survey.results_public else "",
    }
    context |= files() | spoken(survey.definition)
    return context | {"notices": notices(context["said"], context)}


def files() -> dict[str, Any]:
    """What the page loads, each file with its pin."""
    return {
        "modules": [asset(name) for name in MODULES],
        "words": {language: asset(name) for language, name in TABLES.items()},
        "entry": asset(ENTRY),
        "style": asset(STYLE),
        "icon_url": address("icon.svg"),
        "touch_icon_url": address("icon.png"),
    }


def asset(name: str) -> Asset:
    """A file of static/respond with its pin. Raises FileNotFoundError when it is missing."""
    file = finders.find(f"respond/{name}")
    if file is None:
        raise FileNotFoundError(f"static file respond/{name} is missing")
    path = Path(file)
    # Files change under a running process only while developing; elsewhere one reading per process is enough.
    return Asset(address(name), integrity(path, path.stat().st_mtime_ns if settings.DEBUG else 0))


def address(name: str) -> str:
    """The plain address: modules import each other by it, so a storage that renames files must not change it."""
    return f"{settings.STATIC_URL}respond/{name}"


@lru_cache(maxsize=256)
def integrity(path: Path, _modified: int) -> str:
    """SHA-384 of the file's bytes in the notation of Subresource Integrity."""
    return "sha384-" + base64.b64encode(hashlib.sha384(path.read_bytes()).digest()).decode()
