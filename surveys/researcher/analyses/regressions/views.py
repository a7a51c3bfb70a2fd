"""Pages of a release's regressions. Whoever may see its results may see them; researchers ask for them."""

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from ldp.confidences import PERCENTS
from ldp.regression import power
from ldp.regression.document import RegressionDocument
from ldp.regression.specification import from_json
from surveys.figures import coefficients, numerals
from surveys.figures.layout import TYPES, WIDTHS
from surveys.figures.themes import THEMES
from surveys.models import Regression, Release
from surveys.researcher.analyses.crossings.findings import for_one_look
from surveys.researcher.analyses.frame import responses
from surveys.researcher.analyses.frame.requests import Refused
from surveys.researcher.analyses.regressions import choosing, files, findings, requests, texts
from surveys.researcher.analyses.regressions.selection import Selection, digest, read
from surveys.researcher.results import pictures, response_cache
from surveys.researcher.results.picture_cache import Shelf
from surveys.rules.context import Context
from surveys.web.gate import Gate
from surveys.web.language import with_language

FIELDS = ("outcome", "kind", "product", "by")  # beside one for each question that may explain
KEPT = 32  # pictures that are taken away: glyphs of fonts cost seconds
FILES: Shelf[response_cache.Content] = Shelf(KEPT, Gate())


@require_safe
def listing(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """All regressions of a release, and the choice of another."""
    release = responses.release_of(request, slug, number)
    return _listed(request, release, _choice(request.GET))


def _choice(query: QueryDict) -> dict[str, str]:
    """The fields of the form that an address or a form sent names."""
    return {name: query.get(name, "") for name in query if name in FIELDS or name.startswith("as.")}


def _listed(request: HttpRequest, release: Release, form: Context, status: int = 200) -> HttpResponse:
    about = [question for question, _, _ in release.counted.values()]
    known = choosing.eligible(about)
    rows = Regression.objects.filter(release=release).defer("document").order_by("pk")
    names = {each.key: each.text for each in choosing.eligible(release.survey.questions)}
    made = [
        {
            "row": row,
            "query": Selection(from_json(row.model)).query,
            "names": _named(row, names),
            "kind": choosing.NAMES[row.model["model"]],
        }
        for row in rows
    ]
    covariates = [
        {
            "key": each.key,
            "text": each.text,
            "role": form.get(f"as.{each.key}", ""),
            "number": bool(choosing.scores(each)),
        }
        for each in known
        if each.scale is None
    ]
    context = responses.context(request, release) | {"form": form, "made": made, "covariates": covariates}
    context |= {
        "outcomes": known,
        "kinds": choosing.NAMES.items(),
        "in_forms": "forms" in release.survey.definition,
        "choice": urlencode({name: value for name, value in form.items() if name != "error"}),
    }
    return responses.private(render(request, "researcher/analyses/regressions/listing.html", context, status=status))


def _named(row: Regression, names: dict[str, str]) -> Context:
    """The questions of a model; of each that explains whether it stands there as a number."""
    model = from_json(row.model)
    others = [(names.get(each.key, each.key), each.scores is not None) for each in model.covariates]
    return {"outcome": names.get(model.outcome, model.outcome), "others": others}


@responses.posted("release-regressions")
def ask(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Ask for a regression; what cannot be computed is said beside the choice."""
    release = responses.release_of(request, slug, number)
    user = responses.asker(request, release)
    form = _choice(request.POST)
    model = choosing.specification(form, {each.key: each for each in choosing.eligible(release.survey.questions)})
    try:
        if model is None:
            raise Refused("outcome")
        requests.ask(user, release, model)
    except Refused as refused:
        return _listed(request, release, form | {"error": requests.REFUSALS[refused.reason]}, 422)
    return redirect(f"{reverse('release-regression', args=[slug, number])}?{Selection(model).query}")


@require_safe
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One regression: its finding, pictures and tables, or how far it is."""
    release = responses.release_of(request, slug, number)
    chosen = read(request.GET)
    try:
        own = requests.checked(release, chosen.model)
    except Refused:
        raise Http404 from None
    row = _rows(release, chosen).first()
    context = responses.context(request, release) | responses.progress(row, requests.reports(release, chosen.model))
    fields = _form_of(chosen)
    context |= {
        "outcome": own[0],
        "explaining": own[1:],
        "chosen": chosen,
        "roles": fields,
        "choice": urlencode(fields),
    }
    if row is not None and row.document is not None:
        context |= _document_context(row.document, chosen) | {"one_look": for_one_look(release)}
        context["total_alpha"] = numerals.decimal(texts.total_alpha(own))
    return responses.page(
        request, "researcher/analyses/regressions/regression.html", "researcher/analyses/regressions/page.html", context
    )


def _form_of(chosen: Selection) -> list[tuple[str, str]]:
    """The fields with which the same model is asked for again."""
    model = chosen.model
    fields = [("outcome", model.outcome), ("kind", model.model)]
    fields += [(f"as.{each.key}", "categories" if each.scores is None else "scores") for each in model.covariates]
    for first, second in model.interactions[:1]:
        fields += [("product", first), ("by", second)]
    return fields


def _document_context(document: RegressionDocument, chosen: Selection) -> Context:
    pictures = [_picture(document, chosen, what) for what in files.PICTURES]
    return {
        "document": document,
        "headline": findings.headline(document, chosen),
        "sentences": findings.sentences(document, chosen),
        "pictures": pictures if document["refusal"] is None else [],
        "query": with_language(chosen.query),
        "predicted": texts.predicted(document, chosen),
        "linear": document["model"]["model"] == "linear",
        "profile": any(row["profile"] for row in document["coefficients"]),
        "unlimited": any(None in ends for row in document["coefficients"] for ends in row["intervals"]),
        "kind": choosing.NAMES[document["model"]["model"]],
        "numbers": texts.numbers(document),
        "reaches": texts.reaches(document),
        "power": numerals.percent(power.POWER),
        "n_about": numerals.count(document["n_about"]),
        "confidences": [(level, chosen._replace(confidence=level).query) for level in PERCENTS],
    }


def _picture(document: RegressionDocument, chosen: Selection, what: str) -> Context:
    """What the page says of a picture, and keeps free for it."""
    lines = files.PICTURES[what](document, chosen)
    sizes = {width: coefficients.size(lines, width) for width in WIDTHS}
    return {"what": what, "title": files.title(document, chosen, what), "lines": lines, "sizes": sizes}


@require_safe
def picture(request: HttpRequest, slug: str, number: int, what: str, theme: str, width: str, form: str) -> HttpResponse:
    """The coefficients or the marginal effects, drawn."""
    document = responses.document(_rows(responses.release_of(request, slug, number), read(request.GET)))
    if (
        what not in files.PICTURES
        or theme not in THEMES
        or width not in WIDTHS
        or form not in TYPES
        or document["refusal"] is not None
    ):
        raise Http404
    chosen = read(request.GET)

    def draw() -> response_cache.Content:
        return response_cache.content(files.picture(document, chosen, what, (theme, width), form))

    key = slug, number, chosen.query, what, theme, width, form, get_language()
    get = draw if form == "svg" else lambda: FILES.get(key, draw)
    return pictures.file(request, get, TYPES[form], f"regression-{number}-{what}.{form}")


@require_safe
def file(request: HttpRequest, slug: str, number: int, form: str) -> HttpResponse:
    """The regression as CSV or JSON."""
    document = responses.document(_rows(responses.release_of(request, slug, number), read(request.GET)))
    return responses.file(request, document, files.MADE, form, f"regression-{number}.{form}")


def _rows(release: Release, chosen: Selection) -> QuerySet[Regression]:
    return Regression.objects.filter(release=release, digest=digest(chosen.model))
