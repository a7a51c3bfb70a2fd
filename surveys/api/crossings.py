"""Cross-tables of a release: which there are, one of them, asking for another."""

from django.http import Http404, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from ldp.crossing import CrossingDocument
from surveys.api import counting
from surveys.api.counting import WAITS
from surveys.api.documents import CrossingPage, CrossingState
from surveys.api.json_schema import schema
from surveys.api.listing import PARTS, absolute
from surveys.api.openapi_operation import BOM, NUMBER, SLUG, operation
from surveys.api.reading import Asking, Reading, of_today
from surveys.models import Crossing, Release
from surveys.researcher.analyses.crossings import files, requests
from surveys.researcher.analyses.frame.requests import Refused

VARIABLE = r"[a-z][a-z0-9_]{0,39}(?:\.[1-9][0-9]{0,3})?"
STATE = schema(CrossingState)
_MOVED = "The two stand in the other order in the definition: there."


def variable(name: str, example: str) -> OpenApiParameter:
    return OpenApiParameter(
        name,
        {"type": "string", "pattern": f"^{VARIABLE}$", "examples": [example]},
        OpenApiParameter.PATH,
        description="The key of a question; for an item or option with a dot and its place, from 1 on.",
    )


PAIR = [SLUG, NUMBER, variable("first", "by_bike"), variable("second", "reasons.2")]


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
        return KIND.listed(request, self.release(request, slug, number))


class CrossingView(Asking):
    @operation(
        "crossing",
        "A cross-table",
        "Joint shares of two questions, items or options, shares within each answer, intervals, tests of independence, "
        "and the counts that they follow from. Intervals and tests are for one look at one release, also while a "
        "survey is open. 404 where nobody has asked for it; 409 where counting it failed, and it can be asked for "
        "again.",
        {200: (schema(CrossingDocument), "The cross-table."), 202: (STATE, WAITS), 308: (None, _MOVED)},
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
        release = counting.release_to_ask_of(self, request, slug, number)
        return KIND.ask(release, lambda: requests.ask(request.user, release, first, second))


class CrossingCsvView(Reading):
    @operation(
        "crossing_csv",
        "A cross-table as CSV",
        "One row for each cell, quantity and confidence; shares are fractions of 1.",
        {
            (200, "text/csv"): ({"type": "string"}, "The table."),
            202: (STATE, WAITS),
            308: (None, _MOVED),
        },
        tag="Cross-tables",
        parameters=[*PAIR, BOM],
        refused=[409],
    )
    def get(self, request: Request, slug: str, number: int | None, first: str, second: str) -> HttpResponse:
        return _file(self, request, slug, number, (first, second), "csv")


def _file(
    view: Reading, request: Request, slug: str, number: int | None, pair: tuple[str, str], form: str
) -> HttpResponse:
    """The cross-table in this form, or how far it is."""
    release = view.release(request, slug, number)
    try:
        first, second = (variable.key for variable in requests.ordered(release, *pair))
    except Refused as refused:
        raise Http404(str(requests.REFUSALS[refused.reason])) from None
    if (first, second) != pair:
        return _moved(request, slug, number, first, second)
    row = Crossing.objects.filter(release=release, first=first, second=second).first()
    return KIND.file(request, release, number, row, form, f"crossing-{release.number}-{first}-{second}")


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


KIND = counting.Kind(
    Crossing,
    "crossing",
    requests.REFUSALS,
    "Nobody has asked for this cross-table of this release.",
    _state,
    files.MADE,
)
