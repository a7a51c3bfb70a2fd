"""The results page of a survey."""

import functools
from collections.abc import Callable, Hashable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ldp.document import Document
from ldp.forms.audiences import Reports, audiences
from ldp.forms.definition import groups
from ldp.inference.estimates import TARGETS
from ldp.scores import Target
from surveys.access import visible_release
from surveys.figures import strengths
from surveys.figures.audiences import sentences
from surveys.figures.numerals import local, percentage
from surveys.figures.targets import people, usual_target
from surveys.life.versions import with_results
from surveys.models import GROWTH, Release, Survey
from surveys.models.release import first_release
from surveys.researcher.results import cards, presentation, reached, response_cache, selection
from surveys.researcher.results.glossary import METHODS
from surveys.researcher.results.selection import Selection
from surveys.rules.context import Context
from surveys.survey.definition.languages import attributes
from surveys.web.language import with_language
from surveys.web.tabs import ResultsReader, reader_of

# Called with the release, the key of the first version and the confidence; returns the part below that question.
Compare = Callable[[Release, str, float], Context | None]
# The reader's offer of analyses of a release, and the links to these by question.
ReaderState = Callable[[HttpRequest, Release], Hashable]
Links = Callable[[Release, Any], dict[str, Context]]

PAGES_KEPT = 32  # up to about a megabyte each


@require_safe
def page(
    request: HttpRequest, slug: str, compare: Compare, state: ReaderState, links: Links, number: int | None = None
) -> HttpResponse:
    """Show the newest release, or the release `number`, with the choice in the query. `compare` compares the versions
    of a question. `state` and `links` lead to its analyses."""
    survey, release = visible_release(request.user, slug, number)
    if release is None:
        context = {"survey": survey, "texts": attributes(survey.definition)}
        first_from, first_to = first_release(survey.batch_size)
        context |= {"first_from": first_from, "first_to": first_to}
        context |= {"least": settings.RELEASE_LEAST, "in_forms": "forms" in survey.definition}
        context["in_groups"] = bool(groups(survey.definition))
        response = render(request, "researcher/results/page.html", context)
    else:
        numbers = Release.objects.readable(survey).values_list("number", flat=True)
        last = release.number if number is None else numbers.last()
        versions = with_results(survey, request.user)
        page = _page(
            slug, release.number, last, survey.results_public, reader_of(request, survey), versions,
            selection_of(request, release, usual_target(survey.definition)), get_language(), compare, links,
            state(request, release),
        )  # fmt: skip
        response = response_cache.respond(request, page, "text/html; charset=utf-8")
        described = reverse("release-dataset", args=[slug, release.number])
        response["Link"] = f'<{described}>; rel="describedby"; type="application/ld+json"'
    patch_cache_control(response, private=True, no_cache=True)
    return response


def selection_of(request: HttpRequest, release: Release, usual: Target = TARGETS[0]) -> Selection:
    """Return the choice in the URL, by default for the target `usual`. Raise Http404 if the release lacks it."""
    if not selection.NAMES & request.GET.keys():
        return selection.USUAL._replace(target=usual)
    try:
        return selection.of_query(request.GET, response_cache.document(release), usual)
    except selection.UnknownSelection:
        raise Http404 from None


@functools.lru_cache(maxsize=PAGES_KEPT)
def _page(
    slug: str,
    number: int,
    last: int,
    public: bool,
    reader: ResultsReader,
    versions: tuple[tuple[str, str, str], ...],
    choice: Selection,
    language: str,
    compare: Compare,
    links: Links,
    offer: Hashable,
) -> response_cache.Content:
    """Return the page of a release, cached by all its inputs. `last` is the newest release."""
    survey = Survey.objects.get(slug=slug)
    releases = {release.number: release for release in Release.objects.readable(survey).filter(number__lte=last)}
    release = releases.pop(number)
    document, usual = response_cache.document(release), usual_target(survey.definition)
    applied = reached.applied(selection.applied(document, choice), release)
    context = presentation.page(applied, survey.questions, choice.projected)
    shown, analyses = cards.of_release(release), links(release, offer)
    context["refusals"] = _of_every_question(analyses)
    for question in context["questions"]:
        question["analyses"] = analyses.get(question["key"])
        if question["key"] in shown:
            question["card"] = shown[question["key"]].alternative
        if question["first"] == question["key"]:
            question["arms"] = compare(release, question["key"], applied["confidence"])
    context |= {"survey": survey, "release": release, "releases": list(reversed(releases.values()))}
    context |= {"texts": attributes(survey.definition), "strength": strengths.of_definition(survey.definition)}
    context |= {
        "grows": max(survey.batch_size, -(-release.n // GROWTH)),  # reports until the next release
        "readers": _readers(release),
        "versions": versions,
        "choices": _options(document, choice, usual) | {"about": people(survey.definition, choice.target)},
        "choice": choice,
        "query": choice.address(usual),
        "view": choice.view(usual),
        "picture_query": with_language(choice.query),
        "card_language": cards.language(survey),
        "shared": cards.shared(release, shown, "release"),
        "site": settings.SITE_URL if public else settings.STAFF_URL,
    } | reader.context(survey)
    return response_cache.content(render_to_string("researcher/results/page.html", context).encode())


def _of_every_question(analyses: dict[str, Context]) -> list[str]:
    """Remove the refusals that all questions share, and return them to be shown once."""
    every = [each["refusals"] for each in analyses.values()]
    shared = [text for text in every[0] if all(text in texts for texts in every)] if len(every) > 1 else []
    for each in analyses.values():
        each["refusals"] = [text for text in each["refusals"] if text not in shared]
    return shared


def _readers(release: Release) -> list[str]:
    """Return what readers of this and all earlier releases can learn at most (M49)."""
    survey, numbers = release.survey, Release.objects.numbers(release.survey, release.number)
    known = audiences(Reports.of(survey.definition), numbers, survey.publishes_once)
    return sentences(known) if known else []


# What a reader can choose ---------------------------------------------------------------------------------------------


def _options(document: Document, choice: Selection, about: Target) -> Context:
    """Return the form's fields as (value, text, selected), and the URLs that change one choice. `about` is the page's
    default target."""
    usual = selection.in_percent(document["confidence"])
    confidence = choice.confidence or usual
    those = _("Only those who were asked") if "forms" in document else _("Only those who took part")
    targets = {TARGETS[0]: _("The population"), TARGETS[1]: those}
    targets = {target: targets[target] for target in sorted(TARGETS, key=lambda each: each != about)}
    methods = selection.methods(document)
    named = {"": _("The usual one for each question")} | {name: str(METHODS[name][0]) for name in methods}
    return {
        "targets": [(target, text, target == choice.target) for target, text in targets.items()],
        "confidences": [(p, percentage(local(p)), p == confidence) for p in selection.confidences(document)],
        "methods": [(name, text, name == choice.method) for name, text in named.items()] if methods else [],
        "chosen": choice != selection.USUAL._replace(target=about),
        "summary": _summary(choice, targets, confidence),
        "respondents": choice._replace(target=TARGETS[1]).address(about),
        "population": choice._replace(target=TARGETS[0]).address(about),
        "by": {name: choice._replace(method=name).address(about) for name in methods},
    }


def _summary(choice: Selection, targets: dict[Target, str], confidence: str) -> str:
    parts = [targets[choice.target], _("%(level)s confidence") % {"level": percentage(local(confidence))}]
    if choice.method:
        parts.append(str(METHODS[choice.method][0]))
    if choice.projected:
        parts.append(_("with projected shares"))
    return " · ".join(parts)
