"""The respondents' page: one document for all surveys, and what it asks this site for.

The survey stands in the part of the link that browsers send to nobody. The page names it in a header of what it asks
for, and in no address (docs/developers/protection.md). No view sees an answer.
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
    """The document, also where a part of the link that belongs behind # came into the address: the page mends that."""
    response = HttpResponse(document())
    for name, value in RESPONDENTS_PAGE.items():
        response[name] = value
    # It knows no list of those who may; browsers that read frame-ancestors would pass it over.
    response.xframe_options_exempt = bool(settings.FRAME_HOSTS)
    return compressed(request, response)


@require_safe
def definition(request: HttpRequest) -> HttpResponse:
    """The canonical bytes of the definition that the header names; in headers what may change about the survey, the
    newer version to which its link leads, the earlier ones whose links lead here, and its slug, with which the page
    goes on where a short code was typed."""
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
    # On a respondent's device no copy may tell later what was asked there.
    response["Cache-Control"] = "no-store"
    return compressed(request, response)


@require_safe
def invitations(request: HttpRequest) -> HttpResponse:
    """What everybody may know of the invitations to the survey that the header names: marks of those that were taken
    back, and in how many seconds it ends, null where nobody set a time. Whoever asks says nothing of their own."""
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
    """What the page does: it asks only while it is "open"."""
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
    """A file that the page loads. Browsers ask again each time: after an update no page may meet a file that its pin
    does not name."""
    if name not in SERVED:
        raise Http404("The page loads no such file.")
    kind = "text/css" if name == STYLE else "text/javascript"
    response = HttpResponse(asset(name).content, content_type=f"{kind}; charset=utf-8")
    response["Cache-Control"] = "max-age=0, public"
    return compressed(request, response)
