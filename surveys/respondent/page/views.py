"""The respondents' page: one document for all surveys, and the page's requests.

The slug is in the part of the link that browsers do not send. The page names it in a header of its requests, never in a
URL (docs/developers/protection.md). No view sees an answer.
"""

import base64

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import etag, require_safe

from surveys.models import Survey
from surveys.respondent.intake import links, refusals
from surveys.respondent.intake.problems import CONTENT_TYPE, problem_document
from surveys.respondent.invitations import book
from surveys.respondent.page.assets import FILES, PREVIEW, STYLE, asset
from surveys.respondent.page.document import document
from surveys.survey.definition.invitations import FIELD
from surveys.web.compression import compressed
from surveys.web.policies import RESPONDENTS_PAGE

SERVED = (*FILES, PREVIEW)


@require_safe
def page(request: HttpRequest, changed: str = "") -> HttpResponse:
    """Return the document. If the part after # came into the path (`changed`), the page corrects that."""
    response = HttpResponse(document())
    for name, value in RESPONDENTS_PAGE.items():
        response[name] = value
    # X-Frame-Options cannot list sites. Browsers that read frame-ancestors ignore it.
    response.xframe_options_exempt = bool(settings.FRAME_HOSTS)
    return compressed(request, response)


@require_safe
def definition(request: HttpRequest) -> HttpResponse:
    """Return the canonical bytes of the definition that the header names. Changing facts are in headers: the survey's
    state, the newer version to which its link leads, and the earlier ones whose links lead here. A header also has the
    slug: the page needs it after a short code was typed."""
    try:
        survey = Survey.objects.linked(links.slug_of(request.headers.get(links.HEADER)))
    except Survey.DoesNotExist:
        return _unknown()
    response = HttpResponse(survey.canonical.encode(), content_type="application/json")
    response[links.HEADER] = str(survey.slug)
    response["Survey-State"] = _state(survey)
    if survey.begins_later and survey.opens_at is not None:
        response["Survey-Begins"] = survey.opens_at.isoformat()
    if survey.results_public:
        response["Survey-Results"] = "public"
    if newer := survey.led_to():
        response["Survey-Newer"] = str(newer.slug)
    if earlier := survey.leading_here():
        response["Survey-Earlier"] = " ".join(str(each.slug) for each in earlier)
    # Otherwise a copy on a respondent's device might later reveal the questions.
    response["Cache-Control"] = "no-store"
    return compressed(request, response)


@require_safe
def invitations(request: HttpRequest) -> HttpResponse:
    """Return the public facts on invitations to the survey that the header names: marks of the revoked ones, and the
    seconds until the survey ends, null without an end. The request reveals nothing about the person."""
    try:
        survey = Survey.objects.published(links.slug_of(request.headers.get(links.HEADER)))
    except Survey.DoesNotExist:
        return _unknown()
    if FIELD not in survey.definition:
        return _unknown()
    marks = [base64.urlsafe_b64encode(mark).decode().rstrip("=") for mark in book.revoked(survey.digest)]
    seconds = None if survey.closes_at is None else int((survey.closes_at - timezone.now()).total_seconds())
    response = JsonResponse({"revoked": marks, "seconds": seconds})
    response["Cache-Control"] = "no-store"
    return response


def _state(survey: Survey) -> str:
    """Return the survey's state for the page, which asks only in the state "open"."""
    if survey.begins_later:
        return "early"
    return "open" if survey.accepts_reports else "closed"


def _unknown() -> HttpResponse:
    refusal = refusals.UNKNOWN_SURVEY
    problem = problem_document(refusal.status, refusal.name, refusal.title, refusal.detail)
    response = JsonResponse(problem, status=refusal.status, content_type=CONTENT_TYPE)
    response["Cache-Control"] = "no-store"
    return response


def _etag(request: HttpRequest, name: str) -> str | None:
    return f'W/"{asset(name).integrity}"' if name in SERVED else None


@require_safe
@etag(_etag)
def file(request: HttpRequest, name: str) -> HttpResponse:
    """Return a file that the page loads. Browsers check for changes each time, so that no page gets a file of another
    version, which would not match its pin."""
    if name not in SERVED:
        raise Http404("The page loads no such file.")
    kind = "text/css" if name == STYLE else "text/javascript"
    response = HttpResponse(asset(name).content, content_type=f"{kind}; charset=utf-8")
    response["Cache-Control"] = "max-age=0, public"
    return compressed(request, response)
