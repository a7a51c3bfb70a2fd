"""The workbook of a release, for programs."""

from functools import partial

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException, ParseError
from rest_framework.request import Request

from surveys.api.openapi_operation import NUMBER, SLUG, operation
from surveys.api.reading import Reading, of_release
from surveys.operation.gate import Busy
from surveys.results import response_cache
from surveys.results.picture_cache import Failed
from surveys.sheets.book import XLSX
from surveys.waves.changes import visible
from surveys.workbook import views

LANGUAGE = OpenApiParameter(
    "language",
    OpenApiTypes.STR,
    enum=[tag for tag, _ in settings.LANGUAGES],
    description="That of its headings; by default as browsers ask.",
)


class Unavailable(APIException):
    """Too many workbooks are being made, or this one could not be."""

    status_code = 503
    default_code = "workbook_unavailable"
    default_detail = "The workbook cannot be made now: try again a little later."

    def __init__(self, wait: int) -> None:
        super().__init__()
        self.wait = wait  # seconds, which REST framework says in Retry-After


class WorkbookView(Reading):
    @operation(
        "release_workbook",
        "All its tables as a workbook",
        "A sheet for each table, with headings and codes in words. The first of a release takes seconds, and is made "
        "once.",
        {(200, XLSX): (OpenApiTypes.BINARY, "The workbook.")},
        tag="Releases",
        parameters=[SLUG, NUMBER, LANGUAGE],
        refused=[503],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        release = self.release(request, slug, number)
        if request.query_params.get("language", settings.LANGUAGE_CODE) not in dict(settings.LANGUAGES):
            raise ParseError(f"“language” must be one of {', '.join(dict(settings.LANGUAGES))}.")
        try:
            made = views.content_of(release, visible(partial(self.visitor, request), release)[0])
        except (Busy, Failed) as refused:
            raise Unavailable(views.again_after(refused)) from None
        response = response_cache.respond(request, made, XLSX)
        response["Content-Disposition"] = f'attachment; filename="{views.name_of(release)}"'
        return of_release(response, release.survey, number)
