"""The page of changes from wave to wave, with the earlier waves that the reader may see. Anyone who may see a release's
results may see it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from ldp.confidences import PERCENTS
from surveys.figures import numerals
from surveys.figures.layout import TYPES, WIDTHS
from surveys.figures.themes import THEMES
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.researcher.analyses.waves import pictures, sentences, table
from surveys.researcher.analyses.waves.changes import changes, visible
from surveys.researcher.results import response_cache, responses
from surveys.researcher.results.picture_cache import Shelf
from surveys.researcher.results.pictures import file as picture_file
from surveys.web.gate import Gate
from surveys.web.language import with_language

KEPT = 32  # pictures: the glyphs of fonts take seconds
FILES: Shelf[response_cache.Content] = Shelf(KEPT, Gate())


@require_safe
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    release = responses.release_of(request, slug, number)
    names, hidden = visible(lambda _slug: request.user, release)
    chosen = AnalysisSelection.read(request.GET)
    compared = changes(names, chosen.fraction)
    alone = len(names) == 1 and not hidden
    context = responses.context(request, release) | {
        "chosen": chosen,
        "confidences": PERCENTS,
        "hidden": hidden,
        "waves": [(table.wave_name(each, place), each) for place, each in enumerate(compared.releases, 1)],
        "alone": alone,
        "headline": sentences.headline(compared, alone),
        "sentences": sentences.sentences(compared),
        "panels": table.panels(compared),
        "unmatched": [(one.question["text"], one.item) for one in compared.unmatched],
        "unshown": [(one.question["text"], one.item) for one in compared.unshown],
        "together": numerals.integer(compared.together),
        "compared": numerals.integer(compared.compared),
        "error": numerals.percent(round(1 - chosen.fraction, 4)),
        "watched": compared.watched,
        "query": with_language(f"confidence={chosen.confidence}"),
    }
    return responses.private(render(request, "researcher/waves/page.html", context))


@require_safe
def picture(
    request: HttpRequest, slug: str, number: int, key: str, theme: str, width: str, format: str
) -> HttpResponse:
    """Return the picture of a question's answers over the waves."""
    names, _hidden = visible(lambda _slug: request.user, responses.release_of(request, slug, number))
    chosen = AnalysisSelection.read(request.GET)
    compared = changes(names, chosen.fraction)
    part = next((each for each in compared.parts if each.now.key == key), None)
    if part is None or theme not in THEMES or width not in WIDTHS or format not in TYPES:
        raise Http404

    def draw() -> response_cache.Content:
        return response_cache.content(pictures.draw(compared, part, theme, width, format))

    name = (names, chosen, key, theme, width, format, get_language())
    return picture_file(request, lambda: FILES.get(name, draw), TYPES[format], f"waves-{number}-{key}.{format}")
