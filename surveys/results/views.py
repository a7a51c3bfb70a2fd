"""Results of a survey: a page for people and the plots on it."""

import functools
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from surveys.access import has_role, visible_release
from surveys.definition.languages import attributes
from surveys.figures.layout import WIDTHS
from surveys.figures.themes import THEMES
from surveys.life.versions import with_results
from surveys.models import GROWTH, Release, Role, Survey
from surveys.results import kept, presentation

PLOTS_KEPT = 256  # in memory, about 25 kB each
PAGES_KEPT = 32  # up to about a megabyte each
FRESH = 600  # seconds; the page's links name a plot's content, so an old one never stands beside new numbers


@require_safe
def page(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """The newest release, or for ever the one of a number."""
    survey, release = visible_release(request.user, slug, number)
    studio = has_role(request.user, survey, Role.VIEWER)
    if release is None:
        context = {"survey": survey, "studio": studio, "texts": attributes(survey.definition)}
        context |= {"first_from": 2 * survey.batch_size, "first_to": 3 * survey.batch_size}
        response = render(request, "results/page.html", context)
    else:
        numbers = Release.objects.readable(survey).values_list("number", flat=True)
        last = release.number if number is None else numbers.last()
        versions = with_results(survey, request.user)
        page = _page(slug, release.number, last, survey.results_public, request.user.is_authenticated, studio, versions)
        response = kept.respond(request, page, "text/html; charset=utf-8")
    patch_cache_control(response, private=True, no_cache=True)
    return response


@functools.lru_cache(maxsize=PAGES_KEPT)
def _page(
    slug: str,
    number: int,
    last: int,
    public: bool,
    signed_in: bool,
    studio: bool,
    versions: tuple[tuple[str, str, str], ...],
) -> kept.Kept:
    """The page of a release among `last`, with all that it depends on; `studio` says whether it links there."""
    survey = Survey.objects.get(slug=slug)
    releases = {release.number: release for release in Release.objects.readable(survey).filter(number__lte=last)}
    release = releases.pop(number)
    context = presentation.page(kept.document(release), survey.questions)
    context |= {"survey": survey, "release": release, "releases": list(reversed(releases.values()))}
    context |= {"texts": attributes(survey.definition)}
    context |= {
        "grows": _growth(survey, release),
        "versions": versions,
        "studio": studio,
        "user": {"is_authenticated": signed_in},
    }
    return kept.keep(render_to_string("results/page.html", context).encode())


def _growth(survey: Survey, release: Release) -> int:
    """How many more reports the next release must hold."""
    return max(survey.batch_size, -(-release.n // GROWTH))


@require_safe
def plot(request: HttpRequest, slug: str, key: str, theme: str, width: str, number: int | None = None) -> HttpResponse:
    survey, release = visible_release(request.user, slug, number)
    if release is None or theme not in THEMES or width not in WIDTHS:
        raise Http404
    picture = _picture(slug, release.number, key, theme, width)
    response = kept.respond(request, picture, "image/svg+xml")
    if survey.results_public:
        patch_cache_control(response, public=True, max_age=FRESH)
    else:
        patch_cache_control(response, private=True, no_cache=True)
    return response


def _result(document: dict[str, Any], key: str) -> dict[str, Any]:
    for result in document["questions"]:
        if result["key"] == key:
            return dict(result)
    raise Http404


@functools.lru_cache(maxsize=PLOTS_KEPT)
def _picture(slug: str, number: int, key: str, theme: str, width: str) -> kept.Kept:
    from surveys.results import plots  # matplotlib takes half a second and 50 MB: only processes that draw pay for it

    document = kept.document(Release.objects.select_related("survey").get(survey__slug=slug, number=number))
    result = _result(document, key)
    name = f"{presentation.plot_tag(result, document)}-{theme}-{width}"
    return kept.keep(plots.draw(result, document["confidence"], theme, width), name)
