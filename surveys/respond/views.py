"""The respondent page: a shell with the title, the introduction and the pinned files; the browser does the rest.

The view never sees an answer. It names the definition's digest and the SHA-384 of every file the page loads, so that
the browser refuses a file that differs by one byte and the page refuses a definition that differs by one byte.
"""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import etag, require_safe

from surveys.access import published_survey
from surveys.context import Context
from surveys.models import Survey
from surveys.operation.compression import compressed
from surveys.operation.policies import RESPONDENTS_PAGE
from surveys.respond.assets import FILES, LATER, MORE, PAGE, STYLE, TABLES, asset
from surveys.respond.notices import language_context, notices

STATES = ("early", "open", "closed")


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of an open survey, an explanation for one that is closed or has not begun, 404 for an unknown slug."""
    survey = published_survey(slug)
    context = shell(survey, _state(survey))
    response = render(request, "respond/page.html", context)
    for name, value in RESPONDENTS_PAGE.items():
        response[name] = value
    return compressed(request, response)


def _state(survey: Survey) -> str:
    """What the page does: it asks only while it is "open"."""
    if survey.begins_later:
        return "early"
    return "open" if survey.accepts_reports else "closed"


def shell(survey: Survey, state: str) -> Context:
    """What the template needs; texts come from the frozen definition, never from the draft."""
    context: Context = {
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
    context |= files() | language_context(survey.definition)
    return context | {"notices": notices(context["said"], context)}


def files() -> Context:
    """What the page loads, each file with its pin."""
    return {
        "script": asset(PAGE),
        "later": [asset(name) for name in LATER],
        "words": [(language, asset(table[language])) for table in (TABLES, MORE) for language in table],
        "style": asset(STYLE),
        "icon_url": address("icon.svg"),
        "touch_icon_url": address("icon.png"),
    }


def address(name: str) -> str:
    return f"{settings.STATIC_URL}respond/{name}"


def _etag(request: HttpRequest, name: str) -> str | None:
    return f'W/"{asset(name).integrity}"' if name in FILES else None


@require_safe
@etag(_etag)
def file(request: HttpRequest, name: str) -> HttpResponse:
    """A file that the page loads. Browsers ask again each time: after an update no page may meet a file that its pin
    does not name."""
    if name not in FILES:
        raise Http404("The page loads no such file.")
    kind = "text/css" if name == STYLE else "text/javascript"
    response = HttpResponse(asset(name).content, content_type=f"{kind}; charset=utf-8")
    response["Cache-Control"] = "max-age=0, public"
    return compressed(request, response)
