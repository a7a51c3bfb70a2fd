"""Pages of questions weighted by several margins. Whoever may see a release may see them; researchers ask for them."""

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from ldp.confidences import PERCENTS
from ldp.inference.variables import Variable
from ldp.weighting.margins import Margins, from_json
from ldp.weighting.raking_document import KnownQuestion, RakingDocument
from surveys.figures import numerals
from surveys.models import Raking, Release
from surveys.researcher.analyses.crossings.findings import for_one_look
from surveys.researcher.analyses.frame import responses
from surveys.researcher.analyses.frame.requests import Refused
from surveys.researcher.analyses.raking import files, requests
from surveys.researcher.analyses.raking.forms import RakingForm
from surveys.researcher.analyses.raking.selection import Selection, digest, read
from surveys.researcher.analyses.subgroups.table import option_texts
from surveys.researcher.analyses.weighting import presentation
from surveys.researcher.analyses.weighting.pasted import with_files
from surveys.rules.context import Context


@require_safe
def listing(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """All weighted questions of a release, and the choice of another."""
    release = responses.release_of(request, slug, number)
    form = RakingForm(request.GET, _eligible(release))
    if "next" in request.GET and not form.parts:
        form.error = str(requests.REFUSALS["margins"])
    return _listed(request, release, form)


def _eligible(release: Release) -> list[Variable]:
    return requests.eligible([question for question, _, _ in release.counted.values()])


def _listed(request: HttpRequest, release: Release, form: RakingForm, status: int = 200) -> HttpResponse:
    names = {each.key: each.text for each in requests.eligible(release.survey.questions)}
    rows = Raking.objects.filter(release=release).defer("document").order_by("pk")
    context = responses.context(request, release) | {"form": form}
    context["parts"] = [(by, part, [{"box": box} for box in part.boxes()]) for by, part in form.parts]
    context["made"] = [{"row": row, **_named(from_json(row.margins), names)} for row in rows]
    context["without_place"] = [each["text"] for each in requests.without_place(release.survey.questions)]
    context["in_forms"] = "forms" in release.survey.definition
    return responses.private(render(request, "researcher/analyses/raking/listing.html", context, status=status))


def _named(margins: Margins, names: dict[str, str]) -> Context:
    *known, question = (names.get(key, key) for key in margins.keys)
    return {"question": question, "known": known, "query": Selection(margins).query}


@responses.posted("release-rakings")
def ask(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Ask for a weighted question; what is wrong is said beside the field."""
    release = responses.release_of(request, slug, number)
    user, form = responses.asker(request, release), RakingForm(_sent(request), _eligible(release), sent=True)
    if not form.is_valid():
        return _listed(request, release, form, 422)
    try:
        margins = read(request.POST).margins if "margins" in request.POST else form.margins()
        requests.ask(user, release, margins)
    except Refused as refused:
        form.error = str(requests.REFUSALS[refused.reason])
        return _listed(request, release, form, 422)
    return redirect(f"{reverse('release-raking', args=[slug, number])}?{Selection(margins).query}")


def _sent(request: HttpRequest) -> QueryDict:
    return with_files(request.POST, request.FILES)


@require_safe
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One weighted question, or how far the counting is."""
    release, chosen = responses.release_of(request, slug, number), read(request.GET)
    try:
        *known, question = requests.checked(release, chosen.margins)
    except Refused:
        raise Http404 from None
    row = _rows(release, chosen).first()
    context = responses.context(request, release) | responses.progress(row, requests.reports(release, chosen.margins))
    context |= {"question": question, "known": known, "chosen": chosen}
    if row is not None and row.document is not None:
        context |= _document_context(row.document, question, chosen) | {"one_look": for_one_look(release)}
    return responses.page(
        request, "researcher/analyses/raking/raking.html", "researcher/analyses/raking/page.html", context
    )


def _document_context(document: RakingDocument, question: Variable, chosen: Selection) -> Context:
    context: Context = {"document": document, "query": chosen.query}
    context |= {"n_about": numerals.count(document["n_about"]), "margins": list(map(_margin, document["margins"]))}
    context["confidences"] = [(level, chosen._replace(confidence=level).query) for level in PERCENTS]
    if document["refusal"] is not None:
        needed = document["refusal"]["needed"]
        return context | {"needed": None if needed is None else numerals.whole(needed)}
    return context | presentation.context(document, question, option_texts(document["options"]), chosen.fraction)


def _margin(known: KnownQuestion) -> Context:
    """A question with the known share of each answer, and what is estimated of it."""
    strata = known["strata"]
    decimals = min(1, numerals.decimals_for(max(stratum["standard_error"] for stratum in strata)))
    names = option_texts([stratum["option"] for stratum in strata])
    rows = [
        (name, numerals.share(stratum["share"], 1), numerals.share(stratum["estimate"], decimals))
        for name, stratum in zip(names, strata, strict=True)
    ]
    return {"key": known["key"], "text": known["text"], "rows": rows}


@require_safe
def file(request: HttpRequest, slug: str, number: int, form: str) -> HttpResponse:
    """The weighted shares as CSV or JSON."""
    document = responses.document(_rows(responses.release_of(request, slug, number), read(request.GET)))
    return responses.file(request, document, files.MADE, form, f"raking-{number}.{form}")


def _rows(release: Release, chosen: Selection) -> QuerySet[Raking]:
    return Raking.objects.filter(release=release, digest=digest(chosen.margins))
