"""The page of a cross-table's question weighted by the known shares of the other one, and its files.

The known shares are a part of the address and stored nowhere: what is shown follows from them and the cross-table, so
whoever may see the one may see the other.
"""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from ldp.confidences import PERCENTS
from ldp.weighting.document import document
from ldp.weighting.margin import TooFew
from surveys.access import visible_release
from surveys.crossings import findings, selection
from surveys.crossings.grid import options
from surveys.figures import numerals
from surveys.models import Release
from surveys.results import response_cache
from surveys.weighting import files, presentation, sentences
from surveys.weighting.forms import KnownSharesForm
from surveys.weighting.table import WeightingTable, of_release

Data = dict[str, Any]


@require_safe
def page(request: HttpRequest, slug: str, number: int, first: str, second: str) -> HttpResponse:
    """The known shares to type, and what follows from those of the address. Of a cross-table that is not made its own
    page says so; a pasted table becomes an address of shares."""
    release = _release(request, slug, number)
    table = of_release(release, first, second, request.GET.get("by", ""))
    if table is None:
        return redirect("release-cross", slug, number, first, second)
    form, choice = KnownSharesForm(request.GET, options(table.by)), selection.read(request.GET)
    if form.is_valid() and form.is_pasted:
        query = {"by": table.by["key"], "confidence": choice.confidence} | form.query()
        return redirect(f"{reverse('release-weighted', args=[slug, number, first, second])}?{urlencode(query)}#shares")
    context: Data = {"survey": release.survey, "release": release, "pair": (first, second)}
    context |= {"by": table.by, "question": table.question, "sides": table.sides, "form": form, "chosen": choice}
    context |= {"strata": _strata(table.by, form), "n_about": numerals.count(table.crossing.n)}
    context |= {"one_look": findings.for_one_look(release), "too_few": [], "table": []}
    if form.is_valid():
        context |= _results(table, form, choice)
    return _private(render(request, "weighting/page.html", context))


def _results(table: WeightingTable, form: KnownSharesForm, choice: selection.Selection) -> Data:
    """What follows from valid shares, or why nothing does."""
    try:
        made = document(table.header, table.crossing, form.shares())
    except TooFew as refused:
        shown = dict(zip(table.crossing.first.options, options(table.by), strict=True))
        return {"too_few": sentences.too_few(refused, shown)}
    place, names = made["confidences"].index(choice.fraction), options(table.question)
    return {
        "table": presentation.table(made, names, place),
        "sentences": sentences.sentences(made, names, place, presentation.decimals(made)),
        "level": numerals.percent(choice.fraction),
        "query": urlencode({"by": table.by["key"]} | form.query()),
        "confidences": PERCENTS,
    }


@require_safe
def file(request: HttpRequest, slug: str, number: int, first: str, second: str, form: str) -> HttpResponse:
    """The weighted shares as CSV or JSON; 400 with the rule where the address has no shares, or no such ones."""
    table = of_release(_release(request, slug, number), first, second, request.GET.get("by", ""))
    if table is None or form not in files.MADE:
        raise Http404
    shares = KnownSharesForm(request.GET, options(table.by))
    if not shares.is_valid():
        return _private(HttpResponse(shares.rules(), status=400, content_type="text/plain; charset=utf-8"))
    try:
        made = document(table.header, table.crossing, shares.shares())
    except TooFew as refused:
        return _private(HttpResponse(f"{refused}\n", status=400, content_type="text/plain; charset=utf-8"))
    content_type, make = files.MADE[form]
    response = response_cache.respond(request, response_cache.content(make(made).encode()), content_type)
    response["Content-Disposition"] = f'attachment; filename="{files.name(made, form)}"'
    return _private(response)


def _release(request: HttpRequest, slug: str, number: int) -> Release:
    _, release = visible_release(request.user, slug, number)
    if release is None:
        raise Http404
    return release


def _strata(side: Data, form: KnownSharesForm) -> list[Data]:
    """Each answer's field, with what is estimated of those who were asked both."""
    errors = [category["standard_error"] for category in side["categories"]]
    decimals = min(1, numerals.decimals_for(max(errors)))
    return [
        {"box": box, "estimate": numerals.share(category["estimate"], decimals), "is_large": category["subgroup"]}
        for box, category in zip(form.boxes(), side["categories"], strict=True)
    ]


def _private(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, private=True, no_cache=True)
    return response
