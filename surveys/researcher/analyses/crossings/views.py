"""Pages of a release's crossings. Whoever may see its results may see them; researchers ask for them."""

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from ldp.confidences import PERCENTS
from ldp.crossing import Crossed, CrossingDocument, Side
from ldp.honesty import attention
from ldp.inference.variables import Variable
from surveys.figures import heat, numerals
from surveys.figures.themes import THEMES
from surveys.models import Crossing, Release
from surveys.researcher.analyses.crossings import files, findings, outlook, rebuilding, requests, selection
from surveys.researcher.analyses.crossings.fillers import filler
from surveys.researcher.analyses.crossings.grid import depends, grid, options, pairs_tested
from surveys.researcher.analyses.frame import responses
from surveys.researcher.analyses.frame.requests import Refused
from surveys.researcher.results import response_cache, routing
from surveys.rules.context import Context
from surveys.web.language import with_language


@require_safe
def listing(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """All crossings of a release, and the choice of another."""
    release = responses.release_of(request, slug, number)
    keys, wanted = _keys(requests.choices(release)), request.GET.get("first")
    first = next((key for key in keys if wanted in (key, key.partition(".")[0])), keys[0] if keys else "")
    second = _other(requests.partners(release, first)[0], first)
    return _listed(request, release, {"first": first, "second": second})


def _keys(choices: requests.Choices) -> list[str]:
    return [key for _, members in choices for key, _ in members]


def _other(choices: requests.Choices, first: str) -> str:
    """The first variable of another question; empty where there is none."""
    return next((key for key in _keys(choices) if key.partition(".")[0] != first.partition(".")[0]), "")


def _listed(request: HttpRequest, release: Release, form: Context, status: int = 200) -> HttpResponse:
    rows = Crossing.objects.filter(release=release).defer("document").order_by("pk")
    every = requests.grouped(release.survey.questions)  # also those that no report is about: they may be asked for
    names = {variable: text for _, members in every for variable, text in members}
    groups = {variable: text for text, members in every for variable, _ in members}

    def text(key: str) -> str:
        return groups[key] if names[key] == groups[key] else f"{groups[key]} — {names[key]}"

    context = responses.context(request, release) | {"form": form, "choices": requests.choices(release)}
    context["made"] = [{"row": row, "first": text(row.first), "second": text(row.second)} for row in rows]
    context["partners"], context["apart"] = requests.partners(release, form["first"])
    context |= {"in_forms": "forms" in release.survey.definition, "alone": len(_keys(context["partners"])) < 2}
    return responses.private(render(request, "researcher/analyses/crossings/listing.html", context, status=status))


@responses.posted("release-crossings")
def ask(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Ask for a crossing of two variables; what cannot be crossed is said beside the choice."""
    release = responses.release_of(request, slug, number)
    user = responses.asker(request, release)
    first, second = request.POST.get("first", ""), request.POST.get("second", "")
    try:
        row = requests.ask(user, release, first, second)
    except Refused as refused:
        form = {"first": first, "second": second, "error": requests.REFUSALS[refused.reason]}
        return _listed(request, release, form, 422)
    return redirect("release-cross", slug, number, row.first, row.second)


@require_safe
def page(request: HttpRequest, slug: str, number: int, first: str, second: str) -> HttpResponse:
    """One crossing: its finding, picture and table, or how far it is."""
    release = responses.release_of(request, slug, number)
    try:
        pair = requests.ordered(release, first, second)
    except Refused:
        raise Http404 from None
    if (pair[0].key, pair[1].key) != (first, second):
        query = f"?{request.GET.urlencode()}" if request.GET else ""
        response = redirect("release-cross", slug, number, pair[0].key, pair[1].key)
        response["Location"] += query
        return response
    row = _rows(release, first, second).first()
    context = responses.context(request, release) | responses.progress(row, requests.reports(release, pair))
    context |= {"first": pair[0], "second": pair[1], "in_forms": "forms" in release.survey.definition}
    context["all"] = numerals.count(release.n)
    context["routed"] = routing.beside((one.question for one in pair), release.survey.questions)
    context["anchors"] = [{"by": one.key, "question": other.text} for one, other in attention.correcting(pair)]
    if row is not None and row.document is not None:
        chosen = selection.read(request.GET)
        context |= _document_context(row.document, chosen, pair) | {"one_look": findings.for_one_look(release)}
        share = requests.share(release, pair, row.document["n_about"])
        context["sentences"] += _outlook(row.document, chosen, rebuilding.crossing(release, pair, row.document), share)
    return responses.page(
        request, "researcher/analyses/crossings/crossing.html", "researcher/analyses/crossings/page.html", context
    )


def _document_context(
    document: CrossingDocument, choice: selection.Selection, pair: tuple[Variable, Variable]
) -> Context:
    picture, test = files.heat(document, choice), document["independence"]
    width, height = heat.size(picture)
    return {
        "document": document,
        "chosen": choice,
        "headline": findings.headline(document, choice),
        "sentences": findings.sentences(document, choice, (filler(pair[0]), filler(pair[1]))),
        "level": numerals.percent(choice.fraction),
        "error": numerals.percent(round(1 - choice.fraction, 4)),
        "grid": grid(document, choice),
        "untested": "" if pairs_tested(document) else findings.untested(document),
        "jointly": "joint_form" in document,
        "picture": {"width": width, "height": height, "title": picture.title, "query": with_language(choice.query)},
        "margins": [_margin(document[side]) for side in ("first", "second")],
        "n_about": numerals.count(document["n_about"]),
        "p_value": None if test is None else numerals.small(test["p_value"], 2),
        "shares": selection.SHARES.items(),
        "confidences": PERCENTS,
    }


def _outlook(document: CrossingDocument, choice: selection.Selection, crossing: Crossed, share: float) -> list[str]:
    """What would show dependence where nothing does."""
    if depends(document, choice):
        return []
    sides = options(document["first"]), options(document["second"])
    return outlook.sentences(outlook.of(document, crossing, choice.fraction), crossing, *sides, share)


def _margin(side: Side) -> list[tuple[str, str]]:
    errors = [category["standard_error"] for category in side["categories"]]
    decimals = min(1, numerals.decimals_for(max(errors)))
    shares = (numerals.share(category["estimate"], decimals) for category in side["categories"])
    return list(zip(options(side), shares, strict=True))


@require_safe
def picture(request: HttpRequest, slug: str, number: int, first: str, second: str, theme: str) -> HttpResponse:
    """The heat map, as SVG."""
    document = responses.document(_rows(responses.release_of(request, slug, number), first, second))
    if theme not in THEMES:
        raise Http404
    svg = heat.draw(files.heat(document, selection.read(request.GET)), theme)
    return responses.private(response_cache.respond(request, response_cache.content(svg), "image/svg+xml"))


@require_safe
def file(request: HttpRequest, slug: str, number: int, first: str, second: str, form: str) -> HttpResponse:
    """The crossing as CSV or JSON."""
    document = responses.document(_rows(responses.release_of(request, slug, number), first, second))
    return responses.file(request, document, files.MADE, form, f"crossing-{number}-{first}-{second}.{form}")


def _rows(release: Release, first: str, second: str) -> QuerySet[Crossing]:
    return Crossing.objects.filter(release=release, first=first, second=second)
