"""Results of a survey: a page for people and the plots on it."""

import functools
import json

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.http import require_safe

from surveys.access import may_see_results
from surveys.models import GROWTH, Release, Survey
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


def visible_release(user, slug: str, number: int | None) -> tuple[Survey, Release | None]:
    """The survey of `slug` and its release of this number, or the newest one, None where it has none yet.

    Http404 where `user` may not see them, and where no release has the number.
    """
    survey = visible_survey(user, slug)
    if number is None:
        return survey, Release.objects.latest_of(survey)
    release = Release.objects.filter(survey=survey, number=number, document__isnull=False).first()
    if release is None:
        raise Http404
    return survey, release


@require_safe
def page(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """The newest release, or for ever the one of a number."""
    survey, release = visible_release(request.user, slug, number)
    context = {"survey": survey, "first_from": 2 * survey.batch, "first_to": 3 * survey.batch}
    if release is not None:
        context |= presentation.page(release.document, survey.questions)
        context |= {"release": release, "releases": _others(survey, release), "grows": _growth(survey, release)}
    response = render(request, "results.html", context)
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _others(survey: Survey, release: Release) -> list[Release]:
    """All releases but this one, the newest first."""
    known = Release.objects.filter(survey=survey, document__isnull=False).exclude(pk=release.pk)
    return list(known.order_by("-number").only("number", "day", "n"))


def _growth(survey: Survey, release: Release) -> int:
    """How many more reports the next release must hold."""
    return max(survey.batch, -(-release.n // GROWTH))


@require_safe
def plot(request: HttpRequest, slug: str, key: str, theme: str, width: str, number: int | None = None) -> HttpResponse:
    survey, release = visible_release(request.user, slug, number)
    if release is None or theme not in THEMES or width not in WIDTHS:
        raise Http404
    question = _question(release.document, key)
    etag = f'"{presentation.plot_tag(question, release.document)}-{theme}-{width}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        svg = _drawn(json.dumps(question), release.document["confidence"], theme, width)
        response = HttpResponse(svg, content_type="image/svg+xml")
        response["ETag"] = etag
    if survey.results_public:
        patch_cache_control(response, public=True, max_age=FRESH)
    else:
        patch_cache_control(response, private=True, no_cache=True)
    return response


def _question(document: dict, key: str) -> dict:
    """The question with that key as estimated."""
    for question in document["questions"]:
        if question["key"] == key:
            return question
    raise Http404


@functools.lru_cache(maxsize=KEPT)
def _drawn(question: str, confidence: float, theme: str, width: str) -> bytes:
    from surveys.results import plots  # matplotlib takes half a second and 50 MB: only processes that draw pay for it

    return plots.draw(json.loads(question), confidence, theme, width)
