"""Results of a survey: a page for people and the plots on it."""

import functools
import json

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.http import require_safe

from surveys.access import may_see_results
from surveys.models import Estimate, Survey
from surveys.results import presentation
from surveys.results.plot_layout import WIDTHS
from surveys.results.plot_style import THEMES

KEPT = 256  # plots in memory, about 20 kB each
FRESH = 600  # seconds; the page's links name a plot's content, so an old one never stands beside new numbers


def visible_survey(user, slug: str) -> Survey:
    """The opened survey behind `slug`; Http404 if there is none or `user` may not know of its results."""
    try:
        survey = Survey.objects.published(slug)
    except Survey.DoesNotExist:
        raise Http404 from None
    if not may_see_results(user, survey):
        raise Http404
    return survey


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    survey = visible_survey(request.user, slug)
    estimate = Estimate.objects.filter(survey=survey).first()
    context = {"survey": survey}
    if estimate is not None:
        context |= presentation.page(estimate.document, survey.questions)
    response = render(request, "results.html", context)
    patch_cache_control(response, private=True, no_cache=True)
    return response


@require_safe
def plot(request: HttpRequest, slug: str, key: str, theme: str, width: str) -> HttpResponse:
    survey = visible_survey(request.user, slug)
    question, document = _question(survey, key)
    if theme not in THEMES or width not in WIDTHS:
        raise Http404
    etag = f'"{presentation.plot_tag(question, document)}-{theme}-{width}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        svg = _drawn(json.dumps(question), document["confidence"], theme, width)
        response = HttpResponse(svg, content_type="image/svg+xml")
        response["ETag"] = etag
    if survey.results_public:
        patch_cache_control(response, public=True, max_age=FRESH)
    else:
        patch_cache_control(response, private=True, no_cache=True)
    return response


def _question(survey: Survey, key: str) -> tuple[dict, dict]:
    """The question with that key as estimated, and the document it stands in."""
    estimate = Estimate.objects.filter(survey=survey).first()
    if estimate is not None:
        for question in estimate.document["questions"]:
            if question["key"] == key:
                return question, estimate.document
    raise Http404


@functools.lru_cache(maxsize=KEPT)
def _drawn(question: str, confidence: float, theme: str, width: str) -> bytes:
    from surveys.results import plots  # matplotlib takes half a second and 50 MB: only processes that draw pay for it

    return plots.draw(json.loads(question), confidence, theme, width)
