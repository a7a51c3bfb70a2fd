"""The page of a release's comparisons."""

from collections.abc import Mapping
from functools import lru_cache, partial

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from surveys.access import visible_release
from surveys.life.versions import with_results
from surveys.models import Release, Survey
from surveys.researcher.analyses.comparisons import options, presentation
from surveys.researcher.analyses.comparisons.comparison import find
from surveys.researcher.analyses.comparisons.family import Family, family
from surveys.researcher.analyses.comparisons.selection import ComparisonInput, ComparisonSelection, query
from surveys.researcher.analyses.frame.derived import Visitor
from surveys.researcher.results import response_cache, routing
from surveys.researcher.results.question.presentation import of_form
from surveys.researcher.results.released import ReleasedQuestion
from surveys.researcher.results.versions import first_version
from surveys.rules.context import Context
from surveys.web.tabs import ResultsReader, reader_of

PAGES_KEPT = 64  # up to about 60 kB each
FAMILIES_KEPT = 64

Versions = tuple[tuple[str, str], ...]


@require_safe
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the comparisons that the URL selects; by default all pairs of the first question's answers."""
    survey, release = visible_release(request.user, slug, number)
    if release is None:
        raise Http404
    language, reader = get_language() or "", reader_of(request, survey)
    released = options.released_question(release, request.GET.get("question"))
    if released is None:
        body = response_cache.content(_rendered(release, {}, reader).encode())
    else:
        form = form_of(request.GET, lambda _slug: request.user, survey, released)
        if form.is_valid():
            # The form checked that the reader may see the other survey.
            body = _page(slug, number, form.choices(), form.versions, reader, language)
        else:  # an invalid input is not kept
            comparisons = family(slug, number, form.choices())
            body = response_cache.content(_rendered(release, _context(comparisons, form), reader).encode())
    response = response_cache.respond(request, body, "text/html; charset=utf-8")
    patch_cache_control(response, private=True, no_cache=True)
    return response


def form_of(query: Mapping[str, str], visitor: Visitor, survey: Survey, released: ReleasedQuestion) -> ComparisonInput:
    """Return the form with the values in the URL."""
    seen = with_results(survey, visitor(survey.slug or ""))
    versions = tuple((other, title) for _which, other, title in seen)
    return ComparisonInput(query, released.key, released.names, versions, partial(find, visitor, survey, released))


@lru_cache(maxsize=PAGES_KEPT)
def _page(
    slug: str, number: int, chosen: ComparisonSelection, versions: Versions, reader: ResultsReader, language: str
) -> response_cache.Content:
    release = Release.objects.select_related("survey").get(survey__slug=slug, number=number)
    comparisons = _family(slug, number, chosen)
    released = comparisons.released
    form = ComparisonInput(
        query(chosen, len(released.options)),
        released.key,
        released.names,
        versions,
        lambda version, address: chosen.other,
    )
    return response_cache.content(_rendered(release, _context(comparisons, form), reader).encode())


@lru_cache(maxsize=FAMILIES_KEPT)
def _family(slug: str, number: int, chosen: ComparisonSelection) -> Family:
    """Return the comparisons, cached for all languages and visitors."""
    return family(slug, number, chosen)


def _context(comparisons: Family, form: ComparisonInput) -> Context:
    wrong = {name for name, fields in presentation.FORMS.items() if any(field in form.errors for field in fields)}
    return presentation.page(comparisons) | {"form": form, "wrong": wrong}


def _rendered(release: Release, context: Context, reader: ResultsReader) -> str:
    context |= {"survey": release.survey, "release": release} | reader.context(release.survey)
    if "released" in context:
        context["first"], _place = first_version(release.survey.questions, context["released"].question["key"])
        context["of_form"] = of_form(context["released"], release.n)
        own, questions = context["released"].question, release.survey.questions
        context["routed"] = routing.beside([own], questions)
    context["groups"] = options.of_release(release)
    return render_to_string("researcher/comparisons/page.html", context)
