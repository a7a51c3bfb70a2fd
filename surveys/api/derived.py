"""The API of analyses that follow at once from published results, as JSON and as CSV."""

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import URLPattern, path
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from surveys.api.counted import variables
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import BOM, NUMBER, SLUG, operation
from surveys.api.problems import Refusal
from surveys.api.research_view import ResearchView, as_file, of_release, of_today
from surveys.researcher.analyses.frame.derived import Derived, Unanswered


def patterns(analysis: Derived, release: str) -> list[URLPattern]:
    """Return the URLs of the document and of its table as CSV, below the URL of a release."""
    document, table = _views(analysis)
    address, name = f"{release}/{analysis.api_path}", f"api-{analysis.name}"
    return [
        path(address, document.as_view(), name=name),
        path(f"{address}.csv", table.as_view(), name=f"{name}-csv"),
    ]


def _views(analysis: Derived) -> tuple[Any, Any]:
    described, name = analysis.description, analysis.name.replace("-", "_")
    parameters = [SLUG, NUMBER, *variables(analysis.fields)]
    parameters += [
        OpenApiParameter(each.name, {**each.schema}, required=each.required, description=each.description)
        for each in described.parameters
    ]

    class DocumentView(ResearchView):
        @operation(
            name,
            *described.document,
            {200: (schema(analysis.document_type), described.answer)},
            tag=described.tag,
            parameters=parameters,
            refused=described.refused,
        )
        def get(self, request: Request, slug: str, number: int | None, **fields: str) -> HttpResponse:
            return _respond(analysis, self, request, slug, number, "json", fields)

    class TableView(ResearchView):
        @operation(
            f"{name}_csv",
            *described.table,
            {(200, "text/csv"): ({"type": "string"}, "The table.")},
            tag=described.tag,
            parameters=[*parameters, BOM],
            refused=described.refused,
        )
        def get(self, request: Request, slug: str, number: int | None, **fields: str) -> HttpResponse:
            return _respond(analysis, self, request, slug, number, "csv", fields)

    return DocumentView, TableView


def _respond(
    analysis: Derived,
    view: ResearchView,
    request: Request,
    slug: str,
    number: int | None,
    format: str,
    fields: dict[str, str],
) -> HttpResponse:
    release, query = view.release(request, slug, number), request.query_params.dict()
    for parameter in analysis.description.parameters:
        if parameter.required and parameter.name not in query:
            raise ParseError(f"“{parameter.name}” is missing.")
    try:
        document = analysis.api_document(release, partial(view.visitor, request), query, **fields)
    except Unanswered as unanswered:
        raise Refusal(422, unanswered.code, unanswered.rules.strip()) from None
    name = f"{analysis.file_name(release, document)}.{format}"
    response = as_file(request, document, analysis.formats, format, name)
    return of_release(response, release.survey, number) if analysis.is_fixed else of_today(response)
