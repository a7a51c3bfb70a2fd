"""Cross-tables of a release: which there are, one of them, asking for another."""

from django.http import Http404, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from ldp.crossing import CrossingDocument
from surveys.access import Visitor, has_role
from surveys.api.documents import CrossingPage, CrossingState
from surveys.api.json_schema import schema
from surveys.api.listing import PARTS, absolute, in_parts
from surveys.api.openapi_operation import BOM, NUMBER, SLUG, operation
from surveys.api.reading import Asking, InsufficientScope, Reading, answer, of_release, of_today, with_bom
from surveys.crossings import files, requests
from surveys.models import Crossing, Release, Role, Scope
from surveys.research import tables
from surveys.results import response_cache

VARIABLE = r"[a-z][a-z0-9_]{0,39}(?:\.[1-9][0-9]{0,3})?"
STATE = schema(CrossingState)
_WAITS = "It is asked for, or being counted: ask again in some seconds."
_MOVED = "The two stand in the other order in the definition: there."
_ABSENT = "Nobody has asked for this cross-table of this release."
_NOW = ("kept", "waiting", "old")


def _variable(name: str, example: str) -> OpenApiParameter:
    return OpenApiParameter(
        name,
        {"type": "string", "pattern": f"^{VARIABLE}$", "examples": [example]},
        OpenApiParameter.PATH,
        description="The key of a question; for an item or option with a dot and its place, from 1 on.",
    )


PAIR = [SLUG, NUMBER, _variable("first", "by_bike"), _variable("second", "reasons.2")]


class Refused(APIException):
    """What cannot be crossed, or not now, in the sentence of the pages."""

    def __init__(self, reason: str) -> None:
        super().__init__(str(requests.REFUSALS[reason]))
        self.status_code = 404 if reason == "unknown" else 409 if reason in _NOW else 422
        self.default_code = "crossing_" + reason.replace(" ", "_")


class Failed(APIException):
    status_code = 409
    default_code = "crossing_failed"


class CrossingsView(Reading):
    @operation(
        "crossings",
        "Its cross-tables",
        "Those that were asked for, and how far they are.",
        {200: (schema(CrossingPage), "A part of them.")},
        tag="Cross-tables",
        parameters=[SLUG, NUMBER, *PARTS],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        release = self.release(request, slug, number)
        rows = Crossing.objects.filter(release=release).defer("document").order_by("pk")
        return of_today(answer(request, in_parts(request, rows, lambda row: _state(release, row))))


class CrossingView(Asking):
    @operation(
        "crossing",
        "A cross-table",
        "Joint shares of two questions, items or options, shares within each answer, intervals, tests of independence, "
        "and the counts that they follow from. Intervals and tests are for one look at one release, also while a "
        "survey is open. 404 where nobody has asked for it; 409 where counting it failed, and it can be asked for "
        "again.",
        {200: (schema(CrossingDocument), "The cross-table."), 202: (STATE, _WAITS), 308: (None, _MOVED)},
        tag="Cross-tables",
        parameters=PAIR,
        refused=[409],
    )
    def get(self, request: Request, slug: str, number: int | None, first: str, second: str) -> HttpResponse:
        return _file(self, request, slug, number, (first, second), "json")

    @operation(
        "ask_crossing",
        "Ask for a cross-table",
        "Of the newest release, in either order. A worker then counts it, within seconds for a million reports. Asking "
        "again changes nothing, unless counting had failed. For researchers, with a token only.",
        {200: (STATE, "It was asked for before, or is ready."), 202: (STATE, "It is asked for now.")},
        tag="Cross-tables",
        parameters=PAIR,
        refused=[403, 409, 422],
        conditional=False,
        known_by=["token"],
    )
    def post(self, request: Request, slug: str, number: int | None, first: str, second: str) -> HttpResponse:
        self.require_token(request)
        release = self.release(request, slug, number)
        if not _may_ask(self.visitor(request, slug), release):
            if _may_ask(self.visitor(request, slug, Scope.MICRODATA), release):
                raise InsufficientScope
            raise Http404
        known = Crossing.objects.filter(release=release).exclude(state=Crossing.State.FAILED)
        before = set(known.values_list("pk", flat=True))
        try:
            row = requests.ask(request.user, release, first, second)
        except requests.Refused as refused:
            raise Refused(refused.reason) from None
        row.refresh_from_db(fields=["state", "reason", "counted"])
        response = JsonResponse(_state(release, row), status=200 if row.pk in before else 202)
        patch_cache_control(response, no_store=True)
        return response


class CrossingCsvView(Reading):
    @operation(
        "crossing_csv",
        "A cross-table as CSV",
        "One row for each cell, quantity and confidence; shares are fractions of 1.",
        {
            (200, "text/csv"): ({"type": "string"}, "The table."),
            202: (STATE, _WAITS),
            308: (None, _MOVED),
        },
        tag="Cross-tables",
        parameters=[*PAIR, BOM],
        refused=[409],
    )
    def get(self, request: Request, slug: str, number: int | None, first: str, second: str) -> HttpResponse:
        return _file(self, request, slug, number, (first, second), "csv")


def _may_ask(visitor: Visitor, release: Release) -> bool:
    return has_role(visitor, release.survey, Role.RESEARCHER)


def _file(
    view: Reading, request: Request, slug: str, number: int | None, pair: tuple[str, str], form: str
) -> HttpResponse:
    """The cross-table in this form, or how far it is."""
    release, bom = view.release(request, slug, number), form == "csv" and with_bom(request)
    try:
        first, second = (variable.key for variable in requests.ordered(release, *pair))
    except requests.Refused as refused:
        raise Http404(str(requests.REFUSALS[refused.reason])) from None
    if (first, second) != pair:
        return _moved(request, slug, number, first, second)
    row = Crossing.objects.filter(release=release, first=first, second=second).first()
    if row is None:
        raise Http404(_ABSENT)
    if row.state == Crossing.State.FAILED:
        raise Failed(f"Counting it failed: {row.get_reason_display()}.")
    if row.document is None:
        response = of_today(answer(request, _state(release, row)))
        response.status_code = 202 if response.status_code == 200 else response.status_code
        return response
    content_type, make = files.MADE[form]
    body = (tables.BOM if bom else b"") + make(row.document).encode()
    response = response_cache.respond(request, response_cache.content(body), content_type)
    disposition = "inline" if form == "json" else "attachment"
    response["Content-Disposition"] = f'{disposition}; filename="crossing-{release.number}-{first}-{second}.{form}"'
    return of_release(response, release.survey, number)


def _moved(request: Request, slug: str, number: int | None, first: str, second: str) -> HttpResponse:
    """To the same in the definition's order, so that nobody takes rows for columns."""
    assert request.resolver_match is not None
    query = request.META.get("QUERY_STRING", "")
    address = reverse(request.resolver_match.view_name, args=(slug, number, first, second))
    return of_today(HttpResponsePermanentRedirect(address + (f"?{query}" if query else ""), preserve_request=True))


def _state(release: Release, row: Crossing) -> CrossingState:
    return {
        "release": release.number,
        "first": row.first,
        "second": row.second,
        "state": row.state,
        "reason": row.get_reason_display() if row.reason else None,
        "reports": requests.reports(release, requests.ordered(release, row.first, row.second)),
        "counted": row.counted,
        "url": absolute("api-crossing", release.survey.slug, release.number, row.first, row.second),
    }
