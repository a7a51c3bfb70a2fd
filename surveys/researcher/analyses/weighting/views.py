"""The page of a cross-table's question weighted by the known shares of the other one. The known shares are part of the
URL and not stored. Anyone who may see the cross-table may see the page."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from ldp.confidences import PERCENTS
from ldp.crossing import Side
from ldp.weighting.document import document
from ldp.weighting.margin import TooFewStrata
from surveys.figures import numerals
from surveys.researcher.analyses.crossings.grid import options
from surveys.researcher.analyses.frame import findings
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.researcher.analyses.weighting import presentation, sentences
from surveys.researcher.analyses.weighting.inputs import KnownSharesInput
from surveys.researcher.analyses.weighting.pasted import with_files
from surveys.researcher.analyses.weighting.table import WeightingTable, of_release
from surveys.researcher.results import responses
from surveys.rules.context import Context


@csrf_exempt  # an uploaded file changes nothing: its shares become a URL
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, slug: str, number: int, first: str, second: str) -> HttpResponse:
    """Show the form for known shares, and the weighted shares if the URL has known ones. A pasted table or a file
    becomes such a URL. Redirect to the cross-table's page if no cross-table of everyone exists."""
    release = responses.release_of(request, slug, number)
    table = of_release(release, first, second, request.GET.get("by", ""))
    if table is None:
        return redirect("release-crossing", slug, number, first, second)
    sent = request.method == "POST"
    query = with_files(request.POST, request.FILES) if sent else request.GET
    form, choice = KnownSharesInput(query, options(table.by), sent=sent), AnalysisSelection.read(request.GET)
    if form.is_valid() and form.is_pasted:
        shares = {"by": table.by["key"], "confidence": choice.confidence} | form.query()
        return redirect(f"{reverse('release-weighted', args=[slug, number, first, second])}?{urlencode(shares)}#shares")
    context: Context = {"survey": release.survey, "release": release, "pair": (first, second)}
    context |= {"by": table.by, "question": table.question, "sides": table.sides, "form": form, "chosen": choice}
    context |= {"strata": _strata(table.by, form), "n_about": numerals.count(table.crossing.n)}
    context |= {"one_look": findings.for_one_look(release), "too_few": [], "table": []}
    if form.is_valid():
        context |= _results(table, form, choice)
    status = 422 if sent else 200
    return responses.private(render(request, "researcher/weighting/page.html", context, status=status))


def _results(table: WeightingTable, form: KnownSharesInput, choice: AnalysisSelection) -> Context:
    """Return the weighted shares, or why there are none."""
    try:
        made = document(table.header, table.crossing, form.shares())
    except TooFewStrata as refused:
        shown = dict(zip(table.crossing.first.options, options(table.by), strict=True))
        return {"too_few": sentences.too_few(refused, shown)}
    return presentation.context(made, table.crossing.second, options(table.question), choice.fraction) | {
        "query": urlencode({"by": table.by["key"]} | form.query()),
        "confidences": PERCENTS,
    }


def _strata(side: Side, form: KnownSharesInput) -> list[Context]:
    """Return each answer's field for its known share, and its estimate among people who were asked both questions."""
    errors = [category["standard_error"] for category in side["categories"]]
    decimals = min(1, numerals.decimals_for(max(errors)))
    return [
        {"box": box, "estimate": numerals.share(category["estimate"], decimals), "is_large": category["subgroup"]}
        for box, category in zip(form.boxes(), side["categories"], strict=True)
    ]
