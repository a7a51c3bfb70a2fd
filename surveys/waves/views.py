"""The page of what changed from wave to wave. Whoever may see a release's results may see it, with those of the earlier
waves that they may see too."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ldp.confidences import PERCENTS
from surveys.counting import responses
from surveys.crossings import selection
from surveys.figures import numerals
from surveys.waves import files, sentences, table
from surveys.waves.changes import changes, visible


@require_safe
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    release = responses.release_of(request, slug, number)
    names, hidden = visible(request.user, release)
    chosen = selection.read(request.GET)
    compared = changes(names, chosen.fraction)
    context = responses.context(request, release) | {
        "chosen": chosen,
        "confidences": PERCENTS,
        "hidden": hidden,
        "waves": [(table.wave_name(each, place), each) for place, each in enumerate(compared.releases, 1)],
        "headline": sentences.headline(compared),
        "sentences": sentences.sentences(compared),
        "panels": table.panels(compared),
        "unmatched": [(one.question["text"], one.item) for one in compared.unmatched],
        "together": numerals.whole(compared.together),
        "error": numerals.percent(round(1 - chosen.fraction, 4)),
        "watched": compared.watched,
    }
    return responses.private(render(request, "waves/page.html", context))


@require_safe
def file(request: HttpRequest, slug: str, number: int, form: str) -> HttpResponse:
    """The shares of all waves with their changes, as CSV or JSON."""
    names, _hidden = visible(request.user, responses.release_of(request, slug, number))
    return responses.file(request, names, files.MADE, form, f"waves-{number}.{form}")
