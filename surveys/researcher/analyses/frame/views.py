"""Pages of a release's analyses. Anyone who may see the results may see them; researchers request them."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods, require_safe

from ldp.confidences import PERCENTS
from surveys.figures import numerals
from surveys.models import AnalysisRun, Release
from surveys.researcher.analyses.frame import findings, requests
from surveys.researcher.analyses.frame.counted import Counted
from surveys.researcher.analyses.frame.inputs import AnalysisInput, AnalysisRefused
from surveys.researcher.analyses.frame.selection import AnalysisSelection, canonical, from_query
from surveys.researcher.results import responses
from surveys.rules.context import Context
from surveys.web.fragments import HEADER, fragments, wants_fragments


@require_safe
def listing(request: HttpRequest, slug: str, number: int, analysis: Counted[Any]) -> HttpResponse:
    """Show all analyses of a release, and the form for another."""
    release = responses.release_of(request, slug, number)
    return _listed(request, analysis, release, analysis.form(release, request.GET))


def _listed(
    request: HttpRequest, analysis: Counted[Any], release: Release, form: AnalysisInput[Any], status: int = 200
) -> HttpResponse:
    names = {variable.key: variable.text for variable in release.survey.variables}
    rows = [(run, analysis.from_json(run.specification)) for run in requests.runs(analysis, release).defer("document")]
    context = _context(request, analysis, release) | {"form": form}
    context["runs"] = [
        {
            "state": run.state,
            "address": page_address(analysis, release, specification),
            "title": analysis.title(specification, names),
        }
        for run, specification in rows
    ]
    newest = reverse(f"release-{analysis.plural}", args=[release.survey.slug, context["newest_number"]])
    context["newest_address"] = f"{newest}?{form.choice}" if form.choice else newest
    return responses.private(render(request, "researcher/analyses/listing.html", context, status=status))


@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest, slug: str, number: int, analysis: Counted[Any]) -> HttpResponseBase:
    """Request an analysis. Errors appear beside their fields. A GET request, as from the browser's history, redirects
    to the list."""
    if request.method == "POST":
        return login_required(_ask)(request, analysis, slug, number)
    responses.release_of(request, slug, number)
    return redirect(f"release-{analysis.plural}", slug, number)


def _ask(request: HttpRequest, analysis: Counted[Any], slug: str, number: int) -> HttpResponse:
    release = responses.release_of(request, slug, number)
    user = responses.asker(request, release)
    data = analysis.sent(request)
    form = analysis.form(release, data, sent=True)
    if not form.is_valid():
        return _listed(request, analysis, release, form, 422)
    try:
        specification = _sent(analysis, form, data)
        requests.ask(analysis, user, release, specification)
    except AnalysisRefused as refused:
        form.error = analysis.refusal(refused)
        return _listed(request, analysis, release, form, 422)
    return redirect(page_address(analysis, release, analysis.ordered(release, specification)))


def _sent(analysis: Counted[Any], form: AnalysisInput[Any], data: QueryDict) -> Any:
    if analysis.parameter and analysis.parameter in data:
        return from_query(data, analysis.parameter, analysis.from_json)
    return form.specification()


@require_safe
def page(request: HttpRequest, slug: str, number: int, analysis: Counted[Any], **fields: str) -> HttpResponse:
    """Show an analysis: its result, or its progress until a worker has computed it."""
    release, specification = responses.release_of(request, slug, number), _named(request, analysis, fields)
    try:
        variables = analysis.check(release, specification)
    except AnalysisRefused:
        raise Http404 from None
    if (ordered := analysis.ordered(release, specification)) != specification:
        query = f"?{request.GET.urlencode()}" if request.GET else ""
        return redirect(page_address(analysis, release, ordered) + query)
    run, selection = requests.runs_of(analysis, release, specification).first(), analysis.read_selection(request.GET)
    context = _context(request, analysis, release) | analysis.context(release, variables)
    context |= _progress(run, analysis.reports(release, specification))
    context |= _page_context(analysis, release, specification, selection)
    if run is not None and run.document is not None:
        context |= {"document": run.document, "one_look": findings.for_one_look(release)}
        context |= analysis.document_context(release, specification, variables, run.document, selection)
    if wants_fragments(request):
        return fragments(request, "researcher/analyses/state.html", context)
    response = responses.private(render(request, "researcher/analyses/page.html", context))
    patch_vary_headers(response, [HEADER])
    return response


@require_safe
def picture(request: HttpRequest, slug: str, number: int, analysis: Counted[Any], **fields: str) -> HttpResponse:
    """Return a picture of an analysis."""
    specification = _named(request, analysis, fields)
    document = _document(analysis, responses.release_of(request, slug, number), specification)
    which = {name: text for name, text in fields.items() if name not in analysis.fields}
    name = slug, number, canonical(analysis.as_json(specification))
    return analysis.picture(request, document, analysis.read_selection(request.GET), name, **which)


@require_safe
def file(
    request: HttpRequest, slug: str, number: int, analysis: Counted[Any], format: str, **fields: str
) -> HttpResponse:
    """Return the file of an analysis, as CSV or JSON."""
    specification = _named(request, analysis, fields)
    release = responses.release_of(request, slug, number)
    document = _document(analysis, release, specification)
    name = f"{analysis.file_name(release, specification)}.{format}"
    return responses.file(request, document, analysis.formats, format, name)


def _named(request: HttpRequest, analysis: Counted[Any], fields: dict[str, str]) -> Any:
    """Return the specification in the URL. Raise Http404 without a valid one."""
    if analysis.parameter:
        return from_query(request.GET, analysis.parameter, analysis.from_json)
    return analysis.from_json({name: fields[name] for name in analysis.fields})


def _document(analysis: Counted[Any], release: Release, specification: Any) -> Any:
    document = requests.document_of(requests.runs_of(analysis, release, specification))
    if document is None:
        raise Http404
    return document


def _context(request: HttpRequest, analysis: Counted[Any], release: Release) -> Context:
    """Return the context of all pages of an analysis."""
    return responses.context(request, release) | {
        "analysis": analysis,
        "in_forms": "forms" in release.survey.definition,
        "heading": analysis.words.heading % {"title": release.survey.title},
        "listing_address": listing_address(analysis, release),
        "ask_address": reverse(f"ask-{analysis.name}", args=[release.survey.slug, release.number]),
    }


def _page_context(
    analysis: Counted[Any], release: Release, specification: Any, selection: AnalysisSelection
) -> Context:
    query = analysis.query(specification, selection)
    names = {variable.key: variable.text for variable in release.survey.variables}
    title = analysis.title(specification, names)
    downloads = {form: address(analysis, release, specification, "file", format=form) for form in analysis.formats}
    levels = [(level, analysis.query(specification, selection._replace(confidence=level))) for level in PERCENTS]
    return {
        "title": title,
        "page_title": analysis.page_title(title),
        "chosen": selection,
        "query": query,
        "address": page_address(analysis, release, specification),
        "named": analysis.named(specification).items(),
        "files": {form: f"{at}?{query}" if analysis.parameter else at for form, at in downloads.items()},
        "confidences": levels,
    }


def _progress(run: AnalysisRun | None, reports: int) -> Context:
    """Return the progress of a run: the reports read so far, out of `reports`."""
    return {
        "run": run,
        "waits": run is not None and run.state in run.UNDER_WAY,
        "reports": reports,
        "n": numerals.count(reports),
        "counted": numerals.count(run.counted if run else 0),
    }


def address(analysis: Counted[Any], release: Release, specification: Any, what: str = "", **more: str) -> str:
    """Return the path of the page of an analysis, or of a file or picture."""
    names = {"slug": release.survey.slug, "number": release.number} | more
    names |= {} if analysis.parameter else analysis.as_json(specification)
    return reverse("-".join(filter(None, ["release", analysis.name, what])), kwargs=names)


def listing_address(analysis: Counted[Any], release: Release) -> str:
    """Return the path of a release's list."""
    return reverse(f"release-{analysis.plural}", args=[release.survey.slug, release.number])


def page_address(analysis: Counted[Any], release: Release, specification: Any) -> str:
    """Return the URL of the page, with a query only if the path does not name the specification."""
    path = address(analysis, release, specification)
    return f"{path}?{analysis.query(specification, AnalysisSelection())}" if analysis.parameter else path
