"""Pages of a release's regressions. Whoever may see its results may see them; researchers ask for them."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from ldp.confidences import PERCENTS
from ldp.regression import power
from ldp.regression.specification import from_json
from surveys.access import has_role, visible_release
from surveys.crossings.findings import for_one_look
from surveys.crossings.requests import Refused
from surveys.figures import coefficients, numerals
from surveys.figures.layout import WIDTHS
from surveys.figures.themes import THEMES
from surveys.models import Regression, Release, Role, Survey
from surveys.operation.fragments import HEADER, fragments, wants_fragments
from surveys.operation.gate import Busy, Gate
from surveys.operation.language import with_language
from surveys.regressions import choosing, files, findings, requests, texts
from surveys.regressions.selection import Selection, digest, read
from surveys.results import response_cache
from surveys.results.picture_cache import FORGOTTEN_AFTER, Failed, Shelf
from surveys.results.pictures import later

Data = dict[str, Any]

KEPT = 32  # pictures that are taken away: glyphs of fonts cost seconds
FILES: Shelf[response_cache.Content] = Shelf(KEPT, Gate())


@require_safe
def listing(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """All regressions of a release, and the choice of another."""
    survey, release = _release(request, slug, number)
    return _listed(request, survey, release, {"outcome": request.GET.get("outcome", "")})


def _listed(request: HttpRequest, survey: Survey, release: Release, form: Data, status: int = 200) -> HttpResponse:
    about = [question for question, _, _ in release.counted.values()]
    known = choosing.eligible(about)
    rows = Regression.objects.filter(release=release).defer("document").order_by("pk")
    names = {each.key: each.text for each in choosing.eligible(survey.questions)}
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
    ]
    context: Data = {"survey": survey, "release": release, "form": form, "made": made, "covariates": covariates}
    context |= {
        "roles": choosing.ROLES.items(),
        "kinds": choosing.NAMES.items(),
        "in_forms": "forms" in survey.definition,
    }
    context |= {"may_ask": has_role(request.user, survey, Role.RESEARCHER), "newest": release.is_newest()}
    return _private(render(request, "regressions/listing.html", context, status=status))


def _named(row: Regression, names: dict[str, str]) -> Data:
    """The questions of a model; of each that explains whether it stands there as a number."""
    model = from_json(row.model)
    others = [(names.get(each.key, each.key), each.scores is not None) for each in model.covariates]
    return {"outcome": names.get(model.outcome, model.outcome), "others": others}


@require_POST
@login_required
def ask(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Ask for a regression; what cannot be computed is said beside the choice."""
    survey, release = _release(request, slug, number)
    if not isinstance(request.user, User) or not has_role(request.user, survey, Role.RESEARCHER):
        raise Http404
    form = {name: request.POST.get(name, "") for name in request.POST}
    model = choosing.specification(form, {each.key: each for each in choosing.eligible(survey.questions)})
    try:
        if model is None:
            raise Refused("outcome")
        requests.ask(request.user, release, model)
    except Refused as refused:
        return _listed(request, survey, release, form | {"error": requests.REFUSALS[refused.reason]}, 422)
    return redirect(f"{reverse('release-regression', args=[slug, number])}?{Selection(model).query}")


@require_safe
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One regression: its finding, pictures and tables, or how far it is."""
    survey, release = _release(request, slug, number)
    chosen = read(request.GET)
    try:
        own = requests.checked(release, chosen.model)
    except Refused:
        raise Http404 from None
    row = Regression.objects.filter(release=release, digest=digest(chosen.model)).first()
    context: Data = {"survey": survey, "release": release, "row": row, "outcome": own[0], "explaining": own[1:]}
    context |= {"chosen": chosen, "roles": _form_of(chosen), "reports": requests.reports(release, chosen.model)}
    context |= {"may_ask": has_role(request.user, survey, Role.RESEARCHER), "newest": release.is_newest()}
    context["waits"] = row is not None and row.state in (Regression.State.ASKED, Regression.State.WORKING)
    context |= {"n": numerals.count(context["reports"]), "counted": numerals.count(row.counted if row else 0)}
    if row is not None and row.document is not None:
        context |= _document_context(row.document, chosen) | {"one_look": for_one_look(release)}
    if wants_fragments(request):
        return fragments(request, "regressions/regression.html", context)
    whole = _private(render(request, "regressions/page.html", context))
    patch_vary_headers(whole, [HEADER])
    return whole


def _form_of(chosen: Selection) -> list[tuple[str, str]]:
    """The fields with which the same model is asked for again."""
    model = chosen.model
    fields = [("outcome", model.outcome), ("kind", model.model)]
    fields += [(f"as.{each.key}", "categories" if each.scores is None else "scores") for each in model.covariates]
    for first, second in model.interactions[:1]:
        fields += [("product", first), ("by", second)]
    return fields


def _document_context(document: Data, chosen: Selection) -> Data:
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
        "kind": choosing.NAMES[document["model"]["model"]],
        "numbers": texts.numbers(document),
        "reaches": texts.reaches(document),
        "power": numerals.percent(power.POWER),
        "n_about": numerals.count(document["n_about"]),
        "confidences": [(level, chosen._replace(confidence=level).query) for level in PERCENTS],
    }


def _picture(document: Data, chosen: Selection, what: str) -> Data:
    """What the page says of a picture, and keeps free for it."""
    lines = files.PICTURES[what](document, chosen)
    sizes = {width: coefficients.size(lines, width) for width in WIDTHS}
    return {"what": what, "title": files.title(document, chosen, what), "lines": lines, "sizes": sizes}


@require_safe
def picture(request: HttpRequest, slug: str, number: int, what: str, theme: str, width: str, form: str) -> HttpResponse:
    """The coefficients or the marginal effects, drawn."""
    document = _document(request, slug, number)
    if (
        what not in files.PICTURES
        or theme not in THEMES
        or width not in WIDTHS
        or form not in files.TYPES
        or document["refusal"] is not None
    ):
        raise Http404
    chosen = read(request.GET)

    def drawn() -> response_cache.Content:
        return response_cache.content(files.picture(document, chosen, what, (theme, width), form))

    key = slug, number, chosen.query, what, theme, width, form, get_language()
    try:
        content = drawn() if form == "svg" else FILES.get(key, drawn)
    except Busy:
        return later(request, "results/busy.html", 5)
    except Failed:
        return later(request, "500.html", FORGOTTEN_AFTER)
    response = _private(response_cache.respond(request, content, files.TYPES[form]))
    response["Content-Disposition"] = f'inline; filename="regression-{number}-{what}.{form}"'
    return response


@require_safe
def file(request: HttpRequest, slug: str, number: int, form: str) -> HttpResponse:
    """The regression as CSV or JSON."""
    document = _document(request, slug, number)
    if form not in files.MADE:
        raise Http404
    content_type, make = files.MADE[form]
    response = response_cache.respond(request, response_cache.content(make(document).encode()), content_type)
    response["Content-Disposition"] = f'attachment; filename="regression-{number}.{form}"'
    return _private(response)


def _document(request: HttpRequest, slug: str, number: int) -> Data:
    _, release = _release(request, slug, number)
    made = Regression.objects.filter(release=release, digest=digest(read(request.GET).model), document__isnull=False)
    document = made.values_list("document", flat=True).first()
    if document is None:
        raise Http404
    return dict(document)


def _release(request: HttpRequest, slug: str, number: int) -> tuple[Survey, Release]:
    survey, release = visible_release(request.user, slug, number)
    if release is None:
        raise Http404
    return survey, release


def _private(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, private=True, no_cache=True)
    return response
