"""The page of a cross-table's question weighted by the known shares of the other one, and its files.

The known shares are a part of the address and stored nowhere: what is shown follows from them and the cross-table, so
whoever may see the one may see the other.
"""

from typing import Any
from urllib.parse import urlencode

import numpy as np
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from ldp.confidences import PERCENTS
from ldp.crossing import Crossed
from ldp.document import Header
from ldp.forms import results
from ldp.inference.crossed import Crossing
from ldp.weighting.document import COLUMNS, WeightedDocument, document, rows
from ldp.weighting.margin import TooFew
from surveys.access import visible_release
from surveys.crossings import findings, requests, selection
from surveys.crossings.files import json_text
from surveys.crossings.grid import options
from surveys.figures import numerals
from surveys.models import Crossing as CrossingRow
from surveys.models import Release
from surveys.research import tables
from surveys.results import response_cache
from surveys.weighting import presentation, sentences
from surveys.weighting.forms import KnownSharesForm

Data = dict[str, Any]


def _csv_text(made: WeightedDocument) -> str:
    return tables.csv_text(COLUMNS, rows(made))


MADE = {
    "csv": ("text/csv; charset=utf-8", _csv_text),
    "json": ("application/json", lambda made: json_text(dict(made))),
}


@require_safe
def page(request: HttpRequest, slug: str, number: int, first: str, second: str) -> HttpResponse:
    """The known shares to type, and what follows from those of the address. Of a cross-table that is not made its own
    page says so; a pasted table becomes an address of shares."""
    release = _release(request, slug, number)
    crossing, stored = _crossing(release, first, second)
    if crossing is None or stored is None:
        return redirect("release-cross", slug, number, first, second)
    crossing, sides = _by(crossing, stored, request.GET.get("by", ""))
    form = KnownSharesForm(request.GET, options(sides[0]))
    choice = selection.read(request.GET)
    if form.is_valid() and form.is_pasted:
        query = {"by": crossing.first.key, "confidence": choice.confidence} | form.query()
        return redirect(f"{reverse('release-weighted', args=[slug, number, first, second])}?{urlencode(query)}#shares")
    context: Data = {"survey": release.survey, "release": release, "pair": (first, second)}
    context |= {"by": sides[0], "question": sides[1], "sides": [stored["first"], stored["second"]]}
    context |= {"form": form, "strata": _strata(sides[0], form), "chosen": choice, "too_few": [], "table": []}
    context |= {"n_about": numerals.count(stored["n_about"]), "one_look": findings.for_one_look(release)}
    if form.is_valid():
        context |= _results(stored["header"], crossing, sides, form, choice)
    return _private(render(request, "weighting/page.html", context))


def _results(
    header: Header, crossing: Crossed, sides: tuple[Data, Data], form: KnownSharesForm, choice: selection.Selection
) -> Data:
    """What follows from valid shares, or why nothing does."""
    by, question = sides
    try:
        made = document(header, crossing, form.shares())
    except TooFew as refused:
        shown = dict(zip(crossing.first.options, options(by), strict=True))
        return {"too_few": sentences.too_few(refused, shown)}
    place, names = made["confidences"].index(choice.fraction), options(question)
    found = sentences.sentences(made, names, place, presentation.decimals(made))
    query = {"by": crossing.first.key} | form.query()
    return {
        "table": presentation.table(made, names, place),
        "sentences": found,
        "level": numerals.percent(choice.fraction),
        "query": urlencode(query),
        "confidences": PERCENTS,
    }


@require_safe
def file(request: HttpRequest, slug: str, number: int, first: str, second: str, form: str) -> HttpResponse:
    """The weighted shares as CSV or JSON; 400 with the rule where the address has no shares, or no such ones."""
    release = _release(request, slug, number)
    crossing, stored = _crossing(release, first, second)
    if crossing is None or stored is None or form not in MADE:
        raise Http404
    crossing, sides = _by(crossing, stored, request.GET.get("by", ""))
    shares = KnownSharesForm(request.GET, options(sides[0]))
    if not shares.is_valid():
        return _private(HttpResponse(_rules(shares), status=400, content_type="text/plain; charset=utf-8"))
    try:
        made = document(stored["header"], crossing, shares.shares())
    except TooFew as refused:
        return _private(HttpResponse(f"{refused}\n", status=400, content_type="text/plain; charset=utf-8"))
    content_type, make = MADE[form]
    response = response_cache.respond(request, response_cache.content(make(made).encode()), content_type)
    name = f"weighted-{number}-{crossing.second.key}-by-{crossing.first.key}.{form}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return _private(response)


def _release(request: HttpRequest, slug: str, number: int) -> Release:
    _, release = visible_release(request.user, slug, number)
    if release is None:
        raise Http404
    return release


def _crossing(release: Release, first: str, second: str) -> tuple[Crossed | None, Any]:
    """A cross-table with its document, made anew from its counts; nothing where there is none of these in this order.
    Http404 where they cannot be crossed."""
    try:
        pair = requests.ordered(release, first, second)
    except requests.Refused:
        raise Http404 from None
    made = CrossingRow.objects.filter(release=release, first=first, second=second, document__isnull=False)
    stored = made.values_list("document", flat=True).first()
    if stored is None:
        return None, None
    jointly = results.crossing(release.survey.definition, release.form_tallies, *pair)
    return jointly or Crossing(*pair, np.array(stored["counts"])), stored


def _by(crossing: Crossed, stored: Data, by: str) -> tuple[Crossed, tuple[Data, Data]]:
    """Turned so that the question with the known shares is the first one, and both sides of its document."""
    if by == crossing.second.key:
        return crossing.turned(), (stored["second"], stored["first"])
    return crossing, (stored["first"], stored["second"])


def _strata(side: Data, form: KnownSharesForm) -> list[Data]:
    """Each answer's field, with what is estimated of those who were asked both."""
    errors = [category["standard_error"] for category in side["categories"]]
    decimals = min(1, numerals.decimals_for(max(errors)))
    return [
        {"box": box, "estimate": numerals.share(category["estimate"], decimals), "is_large": category["subgroup"]}
        for box, category in zip(form.boxes(), side["categories"], strict=True)
    ]


def _rules(form: KnownSharesForm) -> str:
    """What is wrong, a line for each field."""
    if not form.is_bound:
        return "share_1, share_2, ...: name a share in percent for each answer.\n"
    return "".join(f"{name}: {text}\n" for name, texts in form.errors.items() for text in texts)


def _private(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, private=True, no_cache=True)
    return response
