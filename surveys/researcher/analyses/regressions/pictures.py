"""The pictures of a regression: coefficients and marginal effects."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ldp.regression.document import RegressionDocument
from surveys.figures import coefficients
from surveys.figures.layout import TYPES, WIDTHS
from surveys.figures.themes import THEMES
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.researcher.analyses.regressions import texts
from surveys.researcher.results import pictures, response_cache
from surveys.researcher.results.picture_cache import Shelf
from surveys.rules.context import Context
from surveys.web.gate import Gate

KEPT = 32  # downloaded pictures: the glyphs of fonts take seconds
FILES: Shelf[response_cache.Content] = Shelf(KEPT, Gate())

# The lines of each picture.
LINES = {
    "coefficients": texts.coefficients,
    "effects": texts.effects,
}


def context(document: RegressionDocument, chosen: AnalysisSelection, what: str) -> Context:
    """Return the picture's text on the page and its size."""
    lines = LINES[what](document, chosen)
    sizes = {width: coefficients.size(lines, width) for width in WIDTHS}
    return {"what": what, "title": _title(document, chosen, what), "lines": lines, "sizes": sizes}


def respond(
    request: HttpRequest,
    document: RegressionDocument,
    chosen: AnalysisSelection,
    name: Sequence[object],
    which: dict[str, str],
) -> HttpResponse:
    """Return a picture as SVG, or as a file for download. The file is cached."""
    what, theme, width, form = (which[part] for part in ("what", "theme", "width", "format"))
    if what not in LINES or theme not in THEMES or width not in WIDTHS or form not in TYPES or document["refusal"]:
        raise Http404

    def draw() -> response_cache.Content:
        return response_cache.content(_draw(document, chosen, what, (theme, width), form))

    key = *name, chosen, what, theme, width, form, get_language()
    get = draw if form == "svg" else lambda: FILES.get(key, draw)
    return pictures.file(request, get, TYPES[form], f"regression-{document['header']['release']}-{what}.{form}")


def _title(document: RegressionDocument, chosen: AnalysisSelection, what: str) -> str:
    words = {"outcome": texts.question(document, texts.outcome(document)), "level": chosen.confidence}
    if what == "coefficients":
        return _("Coefficients of the model of “%(outcome)s”, with %(level)s%% intervals") % words
    return _("Marginal effects on “%(outcome)s”, with %(level)s%% intervals") % words


def _draw(
    document: RegressionDocument, chosen: AnalysisSelection, what: str, look: tuple[str, str], format: str = "svg"
) -> bytes:
    """Return the picture's bytes. `look` is a theme and a plot's width."""
    linear = document["model"]["model"] == "linear"
    axis = _("in the unit of the outcome") if linear else _("percentage points")
    if what == "coefficients" and not linear:
        axis = _("logarithm of the odds ratio")
    return coefficients.draw(LINES[what](document, chosen), _title(document, chosen, what), axis, look, format)
