"""The plots of a release: those of the page, and separate ones to embed, as SVG, PNG or PDF."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ldp.document import ReleaseHeader
from ldp.question import Drawn
from surveys.access import visible_release
from surveys.figures import cells, numerals
from surveys.figures.display import Document, Result
from surveys.figures.layout import TYPES, WIDTHS
from surveys.figures.themes import THEMES
from surveys.models import Release, Survey
from surveys.researcher.results import forms, presentation, reached, response_cache, selection
from surveys.researcher.results.picture_cache import FORGOTTEN_AFTER, Failed, Shelf
from surveys.researcher.results.selection import Selection
from surveys.researcher.results.views import selection_of
from surveys.web.gate import Gate, GateBusy, later

KEPT = 256  # in memory, about 25 kB each
FRESH = 600  # seconds; the page's URLs contain a plot's digest, so an old plot never appears beside new numbers
KEEP = 31_536_000  # a year: the picture at this URL never changes

What = tuple[str, int, str, str, str, Selection, str, str]  # slug, release, key, theme, width, choice, form, language

# The page requests all its pictures at once, so they have no gate. A file takes seconds, for the glyphs of fonts.
PLOTS: Shelf[response_cache.Content] = Shelf(KEPT)
FILES: Shelf[response_cache.Content] = Shelf(KEPT, Gate())


@require_safe
def plot(request: HttpRequest, slug: str, key: str, theme: str, width: str, number: int | None = None) -> HttpResponse:
    """Return a picture of the page."""
    survey, release = visible_release(request.user, slug, number)
    if release is None or theme not in THEMES or width not in WIDTHS:
        raise Http404
    what = slug, release.number, key, theme, width, selection_of(request, release), "", get_language()
    return _answer(request, survey, what, max_age=FRESH)


@require_safe
def alone(request: HttpRequest, slug: str, number: int, key: str, format: str) -> HttpResponse:
    """Return a picture to embed elsewhere, with its question and source. The query can select theme and width."""
    survey, release = visible_release(request.user, slug, number)
    theme, width = request.GET.get("theme", "light"), request.GET.get("width", "wide")
    if release is None or format not in TYPES or theme not in THEMES or width not in WIDTHS:
        raise Http404
    what = slug, number, key, theme, width, selection_of(request, release), format, get_language()
    response = _answer(request, survey, what, max_age=KEEP, immutable=True)
    if response.status_code < 500:
        response["Content-Disposition"] = f'inline; filename="{slug}-{number}-{key}.{format}"'
    return response


def _answer(request: HttpRequest, survey: Survey, what: What, **cached: int) -> HttpResponse:
    form = what[6] or "svg"
    shelf = PLOTS if form == "svg" else FILES
    return answer(request, survey, lambda: shelf.get(what, lambda: _picture(*what)), TYPES[form], **cached)


def answer(
    request: HttpRequest, survey: Survey, get: Callable[[], response_cache.Content], media_type: str, **cached: int
) -> HttpResponse:
    """Return a release's picture from a cache, or when to come back. `cached` is the cache control if published."""
    response = drawn(request, get, media_type)
    if response.status_code >= 500:
        return response
    if survey.results_public:
        patch_cache_control(response, public=True, **cached)
        response["Cross-Origin-Resource-Policy"] = "cross-origin"  # other sites may show it
    else:
        patch_cache_control(response, private=True, no_cache=True)
    return response


def file(request: HttpRequest, get: Callable[[], response_cache.Content], media_type: str, name: str) -> HttpResponse:
    """Return a picture as a file with this name for anyone who may see the page, or when to come back."""
    response = drawn(request, get, media_type)
    if response.status_code < 500:
        patch_cache_control(response, private=True, no_cache=True)
        response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def drawn(request: HttpRequest, get: Callable[[], response_cache.Content], media_type: str) -> HttpResponse:
    """Return a picture, or a page with status 503 that says when to come back."""
    try:
        return response_cache.respond(request, get(), media_type)
    except GateBusy:
        return later(request, "researcher/results/busy.html", 5)
    except Failed:
        return later(request, "500.html", FORGOTTEN_AFTER)


def _result(document: Document, key: str, questions: list[Drawn]) -> Result:
    """Return the result with this key, or all items of a grid as one."""
    for result in document["questions"]:
        if result["key"] == key:
            return result
    items = [result for result in document["questions"] if result["key"].partition(".")[0] == key]
    if items:
        result = presentation.grid_result(next(question for question in questions if question["key"] == key), items)
        if cells.fits(result):
            return result
    raise Http404


def _picture(
    slug: str, number: int, key: str, theme: str, width: str, choice: Selection, format: str, language: str
) -> response_cache.Content:
    """Return the picture. `form` is empty for a picture of the page."""
    from surveys.researcher.results import (
        plots,  # matplotlib takes half a second and 50 MB: only processes that draw load it
    )

    release = Release.objects.select_related("survey").get(survey__slug=slug, number=number)
    document = reached.applied(selection.applied(response_cache.document(release), choice), release)
    result = _result(document, key, release.survey.questions)
    name = f"{presentation.plot_tag(result, document)}-{theme}-{width}"
    if not format:
        return response_cache.content(plots.draw(result, document["confidence"], theme, width), name)
    drawn = plots.alone(result, document["confidence"], theme, width, _foot(release, result, document), format)
    made = response_cache.content(drawn, f"{name}-{format}")
    return made if format == "svg" else made._replace(packed=b"")


def _foot(release: Release, result: Result, document: ReleaseHeader) -> str:
    """Return the line with a picture's source."""
    key = result["key"].partition(".")[0]
    question = next(each for each in release.survey.questions if each["key"] == key)
    words = {
        "title": release.survey.title,
        "number": release.number,
        "date": date_format(release.day),
        "n": numerals.count(forms.reports(result, document)),
        "alpha": forms.alpha(question),
    }
    text = _(
        "%(title)s. Release %(number)s of %(date)s, %(n)s reports, each randomized in its browser (α = %(alpha)s)."
    )
    return text % words
