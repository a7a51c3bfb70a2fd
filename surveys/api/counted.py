"""The API of analyses that a worker computes: list them, read one, request one."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.urls import URLPattern, path, reverse
from django.utils.cache import patch_cache_control
from django.utils.http import urlencode
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from surveys.access import has_role
from surveys.api.documents import AnalysisState, Page, like
from surveys.api.json_schema import Schema, schema
from surveys.api.listing import PARTS, in_parts
from surveys.api.openapi_operation import BOM, NUMBER, SLUG, operation
from surveys.api.problems import Refusal
from surveys.api.research_view import (
    Asking,
    InsufficientScope,
    ResearchView,
    answer,
    as_file,
    of_release,
    of_today,
    with_bom,
)
from surveys.models import AnalysisRun, Release, Role, Scope
from surveys.researcher.analyses.frame import requests
from surveys.researcher.analyses.frame.counted import Counted
from surveys.researcher.analyses.frame.derived import VARIABLE
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from surveys.researcher.analyses.frame.selection import canonical, parsed

ASKING = (
    "For the newest release only. A worker then counts the reports, within seconds for a million of them. Asking "
    "again changes nothing, unless counting had failed. For researchers, with a token only."
)
ABSENT = "404 if no one has asked for it; 409 if counting it failed: ask for it again."
WAITS = "It has been asked for, or is being counted: ask again in a few seconds."
_KEY = "A question's key; for an item or option with a dot and its place, from 1 on."
_AT = "https://survey.example.org/api/v1/surveys/travel/releases/3/"
_NOW = ("kept", "waiting", "old")


# The description ------------------------------------------------------------------------------------------------------


def parameters(analysis: Counted[Any]) -> list[OpenApiParameter]:
    """Return the URL parameters that name an analysis."""
    described = analysis.description
    if analysis.parameter:
        named = [OpenApiParameter(analysis.parameter, OpenApiTypes.STR, required=True, description=described.parameter)]
    else:
        named = variables({field: described.example[field] for field in analysis.fields})
    return named


def variables(examples: Mapping[str, str]) -> list[OpenApiParameter]:
    """Return the path parameters for the keys of variables, each with an example."""
    return [
        OpenApiParameter(
            name,
            {"type": "string", "pattern": f"^{VARIABLE}$", "examples": [example]},
            OpenApiParameter.PATH,
            description="The key of a question; for an item or option with a dot and its place, from 1 on.",
        )
        for name, example in examples.items()
    ]


def state_schema(analysis: Counted[Any]) -> Schema:
    """Return the schema of a run's state, with its specification."""
    described, common = analysis.description, schema(AnalysisState)
    example = described.example
    if analysis.parameter:
        named: Schema = {analysis.parameter: {"type": "object", "description": described.specification} | like(example)}
        at = f"{_AT}{analysis.paths.api_page}?{urlencode({analysis.parameter: canonical(example)})}"
    else:
        named = {field: {"type": "string", "description": _KEY} | like(example[field]) for field in analysis.fields}
        at = "/".join([f"{_AT}{analysis.paths.api_page}", *example.values()])
    release, *others = common["properties"]
    fields = {release: common["properties"][release], **named}
    fields |= {name: common["properties"][name] for name in others}
    fields["url"] |= like(at)
    return {"type": "object", "required": list(fields), "properties": fields}


def _page_schema(state: Schema) -> Schema:
    page = schema(Page)
    return {
        "type": "object",
        "required": [*page["required"], "items"],
        "properties": page["properties"] | {"items": {"type": "array", "items": state}},
    }


# The views ------------------------------------------------------------------------------------------------------------


def views(analysis: Counted[Any]) -> tuple[Any, Any, Any]:
    """Return three views: the list; the document as JSON with the request for it; and the CSV."""
    described, state, named = analysis.description, state_schema(analysis), [SLUG, NUMBER, *parameters(analysis)]
    name, refused = analysis.name, [409, 422] if analysis.parameter else [409]
    moved: dict[int | tuple[int, str], tuple[Any, str]] = {308: (None, described.moved)} if described.moved else {}

    class RunsView(ResearchView):
        @operation(
            analysis.plural.replace("-", "_"),
            *described.listing,
            {200: (_page_schema(state), "Part of the list.")},
            tag=described.tag,
            parameters=[SLUG, NUMBER, *PARTS],
        )
        def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
            return _listed(analysis, request, self.release(request, slug, number))

    class DocumentView(Asking):
        @operation(
            name,
            described.document[0],
            f"{described.document[1]} {ABSENT}",
            {200: (schema(analysis.document_type), described.answer), 202: (state, WAITS), **moved},
            tag=described.tag,
            parameters=named,
            refused=refused,
        )
        def get(self, request: Request, slug: str, number: int | None, **fields: str) -> HttpResponse:
            return _file(analysis, request, self.release(request, slug, number), number, fields, "json")

        @operation(
            f"ask_{name}",
            described.asking,
            ASKING,
            {200: (state, "The request exists, or the result is ready."), 202: (state, "Requested.")},
            tag=described.tag,
            parameters=named,
            refused=[403, 409, 422],
            conditional=False,
            known_by=["token"],
        )
        def post(self, request: Request, slug: str, number: int | None, **fields: str) -> HttpResponse:
            release = _release_to_ask_of(self, request, slug, number)
            return _ask(analysis, request, release, _specification(analysis, request, fields))

    class TableView(ResearchView):
        @operation(
            f"{name}_csv",
            *described.table,
            {(200, "text/csv"): ({"type": "string"}, "The table."), 202: (state, WAITS), **moved},
            tag=described.tag,
            parameters=[*named, BOM],
            refused=refused,
        )
        def get(self, request: Request, slug: str, number: int | None, **fields: str) -> HttpResponse:
            return _file(analysis, request, self.release(request, slug, number), number, fields, "csv")

    return RunsView, DocumentView, TableView


def patterns(analysis: Counted[Any], release: str) -> list[URLPattern]:
    runs, document, table = views(analysis)
    page = "/".join([analysis.paths.api_page, *(f"<variable:{field}>" for field in analysis.fields)])
    return [
        path(f"{release}/{analysis.paths.api_listing}", runs.as_view(), name=f"api-{analysis.plural}"),
        path(f"{release}/{page}", document.as_view(), name=f"api-{analysis.name}"),
        path(f"{release}/{page}.csv", table.as_view(), name=f"api-{analysis.name}-csv"),
    ]


def _listed(analysis: Counted[Any], request: Request, release: Release) -> HttpResponse:
    rows = requests.runs(analysis, release).defer("document")
    return of_today(answer(request, in_parts(request, rows, lambda run: _state(analysis, release, run), "pk")))


def _ask(analysis: Counted[Any], request: Request, release: Release, specification: Any) -> HttpResponse:
    """Request the run unless it exists, and return its state. The status of a new run is 202."""
    known = AnalysisRun.objects.filter(release=release, kind=analysis.name).exclude(state=AnalysisRun.State.FAILED)
    before = set(known.values_list("pk", flat=True))
    try:
        run = requests.ask(analysis, request.user, release, specification)
    except AnalysisRefused as refused:
        raise _refusal(analysis, refused) from None
    response = JsonResponse(_state(analysis, release, run), status=200 if run.pk in before else 202)
    patch_cache_control(response, no_store=True)
    return response


def _file(
    analysis: Counted[Any],
    request: Request,
    release: Release,
    number: int | None,
    fields: dict[str, str],
    format: str,
) -> HttpResponse:
    """Return the document in this format, or the progress."""
    specification = _specification(analysis, request, fields)
    try:
        analysis.check(release, specification)
    except AnalysisRefused as refused:
        if analysis.parameter:
            raise _refusal(analysis, refused) from None
        raise Http404(analysis.refusal(refused)) from None
    if (ordered := analysis.ordered(release, specification)) != specification:
        return _moved(request, release, number, analysis.as_json(ordered))
    if format == "csv":
        with_bom(request)  # raises 400, even before the table exists
    document = _document(analysis, release, specification)
    if isinstance(document, AnalysisRun):
        response = of_today(answer(request, _state(analysis, release, document)))
        response.status_code = 202 if response.status_code == 200 else response.status_code
        return response
    name = f"{analysis.file_name(release, specification)}.{format}"
    response = as_file(request, document, analysis.formats, format, name)
    return of_release(response, release.survey, number)


def _document(analysis: Counted[Any], release: Release, specification: Any) -> Any:
    """Return the document, or the run until it is ready. Raise 404 if no one requested it, 409 if it failed."""
    run = requests.runs_of(analysis, release, specification).first()
    if run is None:
        raise Http404(analysis.description.absent)
    if run.state == AnalysisRun.State.FAILED:
        raise Refusal(409, f"{analysis.name}_failed", f"Counting it failed: {run.get_reason_display()}.")
    return run if run.document is None else run.document


def _specification(analysis: Counted[Any], request: Request, fields: dict[str, str]) -> Any:
    """Return the specification in the URL. Raise 400 if a parameter is missing, 422 if none fits."""
    if not analysis.parameter:
        return analysis.from_json(fields)
    typed = request.query_params.get(analysis.parameter)
    if typed is None:
        raise ParseError(f"“{analysis.parameter}” is missing.")
    try:
        return parsed(typed, analysis.from_json)
    except ValueError as wrong:
        code, sentence = f"{analysis.name}_{analysis.parameter}", f"“{analysis.parameter}”: {wrong}"
        raise Refusal(422, code, sentence) from None


def _refusal(analysis: Counted[Any], refused: AnalysisRefused) -> Refusal:
    """Return why a specification cannot be counted, or not now, in the words of the pages."""
    status = 404 if refused.reason == "unknown" else 409 if refused.reason in _NOW else 422
    code = f"{analysis.name}_{refused.reason.replace(' ', '_')}"
    return Refusal(status, code, analysis.refusal(refused))


def _moved(request: Request, release: Release, number: int | None, fields: dict[str, str]) -> HttpResponse:
    """Redirect to the definition's order of the same variables, so that no one mixes up rows and columns."""
    assert request.resolver_match is not None
    query = request.META.get("QUERY_STRING", "")
    names = {"slug": release.survey.slug, "number": number, **fields}
    address = reverse(request.resolver_match.view_name, kwargs=names)
    return of_today(HttpResponsePermanentRedirect(address + (f"?{query}" if query else ""), preserve_request=True))


def _state(analysis: Counted[Any], release: Release, run: AnalysisRun) -> Any:
    specification = analysis.from_json(run.specification)
    names = {"slug": release.survey.slug, "number": release.number}
    names |= {} if analysis.parameter else run.specification
    url = settings.STAFF_URL + reverse(f"api-{analysis.name}", kwargs=names)
    query = f"?{urlencode(analysis.named(specification))}" if analysis.parameter else ""
    return {
        "release": release.number,
        **({analysis.parameter: run.specification} if analysis.parameter else run.specification),
        "state": run.state,
        "reason": run.get_reason_display() if run.reason else None,
        "reports": analysis.reports(release, specification),
        "counted": run.counted,
        "url": url + query,
    }


def _release_to_ask_of(view: Asking, request: Request, slug: str, number: int | None) -> Release:
    """Return the release if the user may request analyses of it. Raise 401, 403 or 404 otherwise."""
    view.require_token(request)
    release = view.release(request, slug, number)
    if has_role(view.visitor(request, slug), release.survey, Role.RESEARCHER):
        return release
    if has_role(view.visitor(request, slug, Scope.MICRODATA), release.survey, Role.RESEARCHER):
        raise InsufficientScope
    raise Http404
