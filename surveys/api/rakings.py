"""Questions of a release weighted by several known margins: which there are, one of them, asking for another."""

from django.http import HttpResponse
from django.utils.http import urlencode
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from ldp.weighting.margins import Margins, from_json
from ldp.weighting.raking_document import RakingDocument
from surveys.api import counting
from surveys.api.counting import WAITS
from surveys.api.documents import RakingPage, RakingState
from surveys.api.json_schema import schema
from surveys.api.listing import PARTS, absolute
from surveys.api.openapi_operation import BOM, NUMBER, SLUG, operation
from surveys.api.reading import Asking, Reading
from surveys.models import Raking, Release
from surveys.researcher.analyses.frame.requests import Refused
from surveys.researcher.analyses.raking import files, requests
from surveys.researcher.analyses.raking.selection import digest, text

STATE = schema(RakingState)
MARGINS = OpenApiParameter(
    "margins",
    OpenApiTypes.STR,
    required=True,
    description="What is weighted, as JSON: `question`, and `margins` with `key` and `shares`, one for each answer in "
    'their order, as fractions that add up to 1: {"question":"by_bike","margins":[{"key":"town","shares":[0.4,0.6]},'
    '{"key":"age","shares":[0.3,0.5,0.2]}]}. The shares are kept with the release.',
)


class RakingsView(Reading):
    @operation(
        "rakings",
        "Its weighted questions",
        "Questions that were weighted by several known margins, and how far they are.",
        {200: (schema(RakingPage), "A part of them.")},
        tag="Weights",
        parameters=[SLUG, NUMBER, *PARTS],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        return KIND.listed(request, self.release(request, slug, number))


class RakingView(Asking):
    @operation(
        "raking",
        "A question weighted by several margins",
        "Its shares weighted by raking, with standard errors and intervals for the population, the unweighted shares, "
        "design effects and effective numbers of answers, and where answers are numbers the mean; of a question that "
        "is averaged by one bit the mean alone, also by one margin. For one look at one release. Where there are too "
        "few reports it has a `refusal` in their place. 404 where nobody has asked for it; 409 where counting failed, "
        "and it can be asked for again.",
        {200: (schema(RakingDocument), "The weighted shares."), 202: (STATE, WAITS)},
        tag="Weights",
        parameters=[SLUG, NUMBER, MARGINS],
        refused=[409, 422],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        return _file(self, request, slug, number, "json")

    @operation(
        "ask_raking",
        "Ask for a weighted question",
        "Of the newest release. A worker then counts the reports and weights, within seconds for a million of them. "
        "Asking again changes nothing, unless counting had failed. For researchers, with a token only.",
        {200: (STATE, "It was asked for before, or is ready."), 202: (STATE, "It is asked for now.")},
        tag="Weights",
        parameters=[SLUG, NUMBER, MARGINS],
        refused=[403, 409, 422],
        conditional=False,
        known_by=["token"],
    )
    def post(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        release = counting.release_to_ask_of(self, request, slug, number)
        margins = _margins(request)
        return KIND.ask(release, lambda: requests.ask(request.user, release, margins))


class RakingCsvView(Reading):
    @operation(
        "raking_csv",
        "A question weighted by several margins, as CSV",
        "One row for each answer and confidence; shares are fractions of 1.",
        {(200, "text/csv"): ({"type": "string"}, "The table."), 202: (STATE, WAITS)},
        tag="Weights",
        parameters=[SLUG, NUMBER, MARGINS, BOM],
        refused=[409, 422],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        return _file(self, request, slug, number, "csv")


def _margins(request: Request) -> Margins:
    return counting.typed(request, "margins", "raking_margins", from_json)


def _file(view: Reading, request: Request, slug: str, number: int | None, form: str) -> HttpResponse:
    """The weighted question in this form, or how far it is."""
    release, margins = view.release(request, slug, number), _margins(request)
    try:
        requests.checked(release, margins)
    except Refused as refused:
        raise KIND.refusal(refused) from None
    row = Raking.objects.filter(release=release, digest=digest(margins)).first()
    return KIND.file(request, release, number, row, form, f"raking-{release.number}")


def _state(release: Release, row: Raking) -> RakingState:
    margins = from_json(row.margins)
    at = absolute("api-raking", release.survey.slug, release.number)
    return {
        "release": release.number,
        "margins": row.margins,
        "state": row.state,
        "reason": row.get_reason_display() if row.reason else None,
        "reports": requests.reports(release, margins),
        "counted": row.counted,
        "url": f"{at}?{urlencode({'margins': text(margins)})}",
    }


KIND = counting.Kind(
    Raking, "raking", requests.REFUSALS, "Nobody has asked for this of this release.", _state, files.MADE
)
