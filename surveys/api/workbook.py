"""The API of a release's workbook."""

from functools import partial
from typing import Annotated, TypedDict

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException, ParseError
from rest_framework.request import Request

from surveys.api.documents import like
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import NUMBER, SLUG, operation
from surveys.api.problems import Refusal
from surveys.api.research_view import ResearchView, of_today
from surveys.researcher.analyses.waves.changes import visible
from surveys.researcher.sheets.book import XLSX
from surveys.researcher.workbook import requests, views

LANGUAGE = OpenApiParameter(
    "language",
    OpenApiTypes.STR,
    enum=[tag for tag, _ in settings.LANGUAGES],
    description="That of its headings; English by default.",
)


class WorkbookState(TypedDict):
    """The state of an unfinished workbook."""

    release: Annotated[int, like(3)]
    done: Annotated[float, "The part of it, from 0 to 1.", like(0.4)]


class Unavailable(APIException):
    """Too many workbooks of the survey are unfinished, or this one failed."""

    status_code = 503
    default_code = "workbook_unavailable"
    default_detail = "The workbook cannot be made now: try again a little later."
    wait = views.AGAIN_AFTER  # seconds, which REST framework sends in Retry-After


class WorkbookView(ResearchView):
    @operation(
        "release_workbook",
        "All its tables as a workbook",
        "A sheet for each table, with headings and codes in words. The first request starts a worker. Repeat it after "
        "the seconds in Retry-After until the status is 200.",
        {
            (200, XLSX): (OpenApiTypes.BINARY, "The workbook."),
            202: (schema(WorkbookState), "Unfinished: repeat the request."),
        },
        tag="Releases",
        parameters=[SLUG, NUMBER, LANGUAGE],
        refused=[409, 503],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        release = self.release(request, slug, number)
        if request.query_params.get("language", settings.LANGUAGE_CODE) not in dict(settings.LANGUAGES):
            raise ParseError(f"“language” must be one of {', '.join(dict(settings.LANGUAGES))}.")
        try:
            by = self.visitor(request, slug)
            row = requests.ask(release, visible(partial(self.visitor, request), release)[0], by)
        except requests.Older:
            raise Refusal(409, "not_newest", "Without a role on it, only of the newest release.") from None
        except requests.WorkbookBusy:
            raise Unavailable from None
        if row.state == row.State.FAILED:
            raise Unavailable
        if row.state == row.State.READY:
            # Another workbook may have other tables: its reader sees other waves, or it contains later requests.
            return of_today(views.file(request, row))
        response = JsonResponse(WorkbookState(release=release.number, done=views.done(row)), status=202)
        response["Retry-After"] = str(views.AGAIN_AFTER)
        patch_cache_control(response, no_store=True)
        return response
