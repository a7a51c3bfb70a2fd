"""What follows at once from what is published of a release: for each document a view as JSON and one as CSV."""

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpResponse
from django.urls import URLPattern, path
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from surveys.api.json_schema import schema
from surveys.api.openapi_operation import BOM, NUMBER, SLUG, operation
from surveys.api.research_view import ResearchView

Respond = Callable[..., HttpResponse]
"""Called with a view, its request, the release, its number if it was named, and "json" or "csv"; by name with what the
path names beside."""


def document_views(
    name: str,
    kind: Any,
    answer: str,
    document: tuple[str, str],
    table: tuple[str, str],
    respond: Respond,
    parameters: Sequence[OpenApiParameter] = (),
    tag: str = "Releases",
    refused: Sequence[int] = (),
) -> tuple[Any, Any]:
    """`kind` is the type of the document, `document` and `table` are a summary and a text for each view."""

    class DocumentView(ResearchView):
        @operation(
            name,
            *document,
            {200: (schema(kind), answer)},
            tag=tag,
            parameters=[SLUG, NUMBER, *parameters],
            refused=refused,
        )
        def get(self, request: Request, slug: str, number: int | None, **fields: str) -> HttpResponse:
            return respond(self, request, self.release(request, slug, number), number, "json", **fields)

    class TableView(ResearchView):
        @operation(
            f"{name}_csv",
            *table,
            {(200, "text/csv"): ({"type": "string"}, "The table.")},
            tag=tag,
            parameters=[SLUG, NUMBER, *parameters, BOM],
            refused=refused,
        )
        def get(self, request: Request, slug: str, number: int | None, **fields: str) -> HttpResponse:
            return respond(self, request, self.release(request, slug, number), number, "csv", **fields)

    return DocumentView, TableView


def patterns(address: str, name: str, views: tuple[Any, Any]) -> list[URLPattern]:
    """The address of the document, and that of its table with .csv behind."""
    document, table = views
    return [
        path(address, document.as_view(), name=f"api-{name}"),
        path(f"{address}.csv", table.as_view(), name=f"api-{name}-csv"),
    ]
