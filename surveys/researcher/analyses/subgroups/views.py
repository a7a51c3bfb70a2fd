"""Pages of a release's subgroups. Whoever may see its results may see them; researchers ask for them."""

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from ldp.confidences import PERCENTS
from ldp.subgroups import SubgroupsDocument
from surveys.figures import numerals
from surveys.models import Release, Subgroups
from surveys.researcher.analyses.crossings import selection
from surveys.researcher.analyses.crossings.findings import for_one_look
from surveys.researcher.analyses.crossings.requests import grouped
from surveys.researcher.analyses.frame import responses
from surveys.researcher.analyses.frame.requests import Refused
from surveys.researcher.analyses.subgroups import files, findings, power, requests, table
from surveys.rules.context import Context

_NOT_SHOWN = requests.REFUSALS | {"nobody": Subgroups.Reason.NOBODY.label}


@require_safe
def listing(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """All subgroups of a release, and the choice of another stratum."""
    release = responses.release_of(request, slug, number)
    return _listed(request, release, {"stratum": request.GET.get("stratum", "")})


def _listed(request: HttpRequest, release: Release, form: Context, status: int = 200) -> HttpResponse:
    names = {key: _named(text, part) for text, members in grouped(release.survey.questions) for key, part in members}
    rows = Subgroups.objects.filter(release=release).defer("document").order_by("pk")
    context = responses.context(request, release) | {"form": form, "choices": requests.choices(release)}
    context["made"] = [{"row": row, "text": names.get(row.stratum, row.stratum)} for row in rows]
    return responses.private(render(request, "researcher/analyses/subgroups/listing.html", context, status=status))


def _named(text: str, part: str) -> str:
    return text if part == text else f"{text} — {part}"


@responses.posted("release-subgroups")
def ask(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Ask for subgroups by a stratum; what can be none is said beside the choice."""
    release = responses.release_of(request, slug, number)
    user, stratum = responses.asker(request, release), request.POST.get("stratum", "")
    try:
        requests.ask(user, release, stratum)
    except Refused as refused:
        return _listed(request, release, {"stratum": stratum, "error": requests.REFUSALS[refused.reason]}, 422)
    return redirect("release-by-stratum", slug, number, stratum)


@require_safe
def page(request: HttpRequest, slug: str, number: int, stratum: str) -> HttpResponse:
    """Every question by one stratum, or how far the counting is."""
    release = responses.release_of(request, slug, number)
    try:
        own, others = requests.checked(release, stratum)
    except Refused:
        raise Http404 from None
    row = _rows(release, stratum).first()
    context = responses.context(request, release) | responses.progress(row, requests.reports(release, own, others))
    context["stratum"] = own
    if row is not None and row.document is not None:
        chosen = selection.read(request.GET)
        context |= _document_context(row.document, chosen) | {"one_look": for_one_look(release)}
        if not findings.differences(row.document, row.document["confidences"].index(chosen.fraction)):
            context["sentences"] += power.sentences(release, row.document, own, others, chosen.fraction)
    return responses.page(
        request, "researcher/analyses/subgroups/subgroups.html", "researcher/analyses/subgroups/page.html", context
    )


def _document_context(document: SubgroupsDocument, chosen: selection.Selection) -> Context:
    place = document["confidences"].index(chosen.fraction)
    return {
        "document": document,
        "chosen": chosen,
        "headline": findings.headline(document, place),
        "sentences": findings.sentences(document, place),
        "parts": table.parts(document, place),
        "left_out": [(each["text"], _NOT_SHOWN[each["reason"]]) for each in document["left_out"]],
        "together": numerals.whole(document["together"]),
        "compared": numerals.whole(document["compared"]),
        "error": numerals.percent(round(1 - chosen.fraction, 4)),
        "jointly": all(question["joint"] for question in document["questions"]),
        "confidences": PERCENTS,
    }


@require_safe
def file(request: HttpRequest, slug: str, number: int, stratum: str, form: str) -> HttpResponse:
    """The subgroups as CSV or JSON."""
    document = responses.document(_rows(responses.release_of(request, slug, number), stratum))
    return responses.file(request, document, files.MADE, form, f"subgroups-{number}-{stratum}.{form}")


def _rows(release: Release, stratum: str) -> QuerySet[Subgroups]:
    return Subgroups.objects.filter(release=release, stratum=stratum)
