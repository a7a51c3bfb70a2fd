"""The page of one question of a release, and its pictures."""

import functools
from collections.abc import Callable, Hashable, Mapping
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from ldp.question import Drawn, asked_in
from surveys.access import visible_release
from surveys.figures import cells, numerals
from surveys.figures.display import displayed
from surveys.figures.layout import WIDTHS
from surveys.figures.targets import people, usual_target
from surveys.figures.themes import THEMES
from surveys.models import Release, Survey
from surveys.researcher.results import cards, forms, reached, response_cache
from surveys.researcher.results.findings import findings_of_grid
from surveys.researcher.results.presentation import claims, grid_result, picture_of
from surveys.researcher.results.question import presentation, trend
from surveys.researcher.results.question.selection import QuestionInput, QuestionSelection
from surveys.researcher.results.released import ReleasedQuestion, of_grid, of_release
from surveys.researcher.results.versions import first_version
from surveys.researcher.results.views import ReaderState
from surveys.researcher.results.widths import at_every_release
from surveys.rules.context import Context
from surveys.survey import kinds
from surveys.web.language import with_language
from surveys.web.tabs import ResultsReader, reader_of

# Called with the release, the reader's offer, and the key of a question or item; returns links.
Links = Callable[[Release, Any, str], Context]

PAGES_KEPT = 128  # up to about 100 kB each
PICTURES_KEPT = 256  # about 25 kB each


@require_safe
def page(
    request: HttpRequest, slug: str, key: str, state: ReaderState, links: Links, number: int | None = None
) -> HttpResponse:
    """Show the question in the newest release, or in the release `number`. `state` and `links` lead to its analyses."""
    survey, release = visible_release(request.user, slug, number)
    if release is None:
        if all(question["key"] != key.partition(".")[0] for question in survey.questions):
            raise Http404
        return redirect("results", slug)  # the page says when the first release comes
    if _has_no_report(release, key):
        return redirect("release", slug, release.number)  # the page says why
    reader, language = reader_of(request, survey), get_language() or ""
    offer = state(request, release)
    if _is_grid(survey.questions, key):
        body = _overview(slug, release.number, key, reader, language, links, offer)
    else:
        released = of_release(slug, release.number, key)
        form = read(released, with_usual(request.GET, survey))
        if form.is_valid():
            body = _page(slug, release.number, key, form.choices(), reader, language, links, offer)
        else:  # an invalid input is not kept
            body = response_cache.content(
                _rendered(release, released, form, reader, links(release, offer, key)).encode()
            )
    response = response_cache.respond(request, body, "text/html; charset=utf-8")
    patch_cache_control(response, private=True, no_cache=True)
    return response


def read(released: ReleasedQuestion, query: Mapping[str, str]) -> QuestionInput:
    """Return the form. The value for a mean is in the mean's unit, else in percent."""
    ends = (released.question["low"], released.question["high"]) if released.is_mean else ("0", "100")
    low, high = map(Decimal, ends)
    n = min(tallied.n for tallied, _ in released.rows)
    return QuestionInput(query, released.names, (low, high), n, in_form=bool(released.forms))


def with_usual(query: Mapping[str, str], survey: Survey) -> Mapping[str, str]:
    """Return the query, with the survey's default target if the query has none."""
    if query.get("target"):
        return query
    return dict(query.items()) | {"target": usual_target(survey.definition)}


def _has_no_report(release: Release, key: str) -> bool:
    """Return whether the survey has the question, but no released report of a form with it."""
    keys = {question["key"] for question in release.survey.questions}
    return key.partition(".")[0] in keys - release.counted.keys()


def _is_grid(questions: list[Drawn], key: str) -> bool:
    return any(question["key"] == key and kinds.of(question).items(question) for question in questions)


@functools.lru_cache(maxsize=PAGES_KEPT)
def _page(
    slug: str,
    number: int,
    key: str,
    chosen: QuestionSelection,
    reader: ResultsReader,
    language: str,
    links: Links,
    offer: Hashable,
) -> response_cache.Content:
    release = Release.objects.select_related("survey").get(survey__slug=slug, number=number)
    released = of_release(slug, number, key)
    form = read(released, QueryDict(presentation.query_string(chosen)))
    analyses = links(release, offer, key)
    return response_cache.content(_rendered(release, released, form, reader, analyses).encode())


def _rendered(
    release: Release, released: ReleasedQuestion, form: QuestionInput, reader: ResultsReader, analyses: Context
) -> str:
    slug, chosen = release.survey.slug or "", form.choices()
    steps = trend.steps(slug, release.number, released.key, chosen)
    context = presentation.page(released, chosen, steps, response_cache.document(release))
    context["first"], _place = first_version(release.survey.questions, released.question["key"])
    context |= {"survey": release.survey, "release": release, "form": form} | reader.context(release.survey)
    context |= {"comparable": "" if released.is_mean or not reached.shows_who(released) else released.key}
    context |= {"analyses": analyses, "about": people(release.survey.definition, chosen.target), "choice": chosen}
    context |= _shared(release, released.question["key"])
    wrong = {name for name, fields in presentation.FORMS.items() if any(field in form.errors for field in fields)}
    return render_to_string("researcher/results/question.html", context | {"wrong": wrong})


@functools.lru_cache(maxsize=PAGES_KEPT)
def _overview(
    slug: str, number: int, key: str, reader: ResultsReader, language: str, links: Links, offer: Hashable
) -> response_cache.Content:
    release = Release.objects.select_related("survey").get(survey__slug=slug, number=number)
    every = of_grid(slug, number, key)
    question = next(one for one in release.survey.questions if one["key"] == key)
    table, document = presentation.overview(every, QuestionSelection()), response_cache.document(release)
    own = [result for result in document["questions"] if result["key"].partition(".")[0] == key]
    results = reached.of_release(displayed(own), release)
    together = grid_result(question, results) if results else None
    context = {"survey": release.survey, "release": release, "question": question, "alpha": forms.alpha(question)}
    context |= {"n": numerals.count(forms.reports(question, document)), "in_form": asked_in(question) is not None}
    context |= {"table": table, "rows": list(zip(every, table.rows, strict=True))}
    context |= {"picture_query": with_language("")}
    context |= {"picture": picture_of(together, document) if together and cells.fits(together) else None}
    context |= _shared(release, key)
    context |= {"at_every_release": at_every_release(document), "analyses": links(release, offer, key)}
    sentences = findings_of_grid(results, kinds.of(question).items(question)) if results else []
    context |= claims(sentences) if sentences else {}
    context |= {"missing": len(question["items"]) - len(every)} | reader.context(release.survey)
    return response_cache.content(render_to_string("researcher/results/question_grid.html", context).encode())


def _shared(release: Release, key: str) -> Context:
    own = cards.of_release(release, only=key)
    return {"shared": cards.shared(release, own, "release-question", key), "site": settings.SITE_URL}


# Pictures -------------------------------------------------------------------------------------------------------------


@require_safe
def picture(
    request: HttpRequest, slug: str, number: int, key: str, figure: str, theme: str, width: str
) -> HttpResponse:
    """Return the picture of the shares at the selected confidence, or of an answer over the releases."""
    visible_release(request.user, slug, number)
    if theme not in THEMES or width not in WIDTHS or figure not in ("shares", "trend"):
        raise Http404
    form = read(of_release(slug, number, key), request.GET)
    if not form.is_valid():
        raise Http404
    chosen = form.choices()
    drawn = _picture(slug, number, key, figure, theme, width, chosen, get_language() or "")
    response = response_cache.respond(request, drawn, "image/svg+xml")
    patch_cache_control(response, private=True, no_cache=True)
    return response


@functools.lru_cache(maxsize=PICTURES_KEPT)
def _picture(
    slug: str, number: int, key: str, figure: str, theme: str, width: str, chosen: QuestionSelection, language: str
) -> response_cache.Content:
    released = of_release(slug, number, key)
    if figure == "trend":
        return response_cache.content(
            trend.picture(released, chosen, trend.steps(slug, number, key, chosen), theme, width)
        )
    from surveys.researcher.results import (
        plots,  # matplotlib takes half a second and 50 MB: only processes that draw load it
    )

    return response_cache.content(
        plots.draw(
            reached.narrowed(released.displayed(chosen.confidence, chosen.target), released),
            chosen.confidence,
            theme,
            width,
        )
    )
