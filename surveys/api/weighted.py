"""A cross-table's question weighted by known shares of the other one's answers."""

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from ldp.weighting.document import WeightedDocument, document
from ldp.weighting.margin import TooFewStrata
from surveys.api.analyses import PAIR, VARIABLE
from surveys.api.document_views import document_views
from surveys.api.problems import Refusal
from surveys.api.reading import Reading, as_file, of_release
from surveys.models import Release
from surveys.researcher.analyses.crossings.grid import options
from surveys.researcher.analyses.weighting import files
from surveys.researcher.analyses.weighting.forms import KnownSharesForm
from surveys.researcher.analyses.weighting.table import WeightingTable
from surveys.researcher.analyses.weighting.table import of_release as table_of

BY = OpenApiParameter(
    "by",
    {"type": "string", "pattern": f"^{VARIABLE}$", "examples": ["by_bike"]},
    required=True,
    description="Which of the two has known shares; the other one is weighted.",
)
SHARES = OpenApiParameter(
    "shares",
    OpenApiTypes.STR,
    required=True,
    description="The share of each of its answers in the population, in percent and in their order, with commas "
    "between them: 25,75. They add up to 100 and are stored nowhere.",
)
ABSENT = "Nobody has asked for this cross-table of this release, or it is not ready."


def _respond(
    view: Reading, request: Request, release: Release, number: int | None, form: str, first: str, second: str
) -> HttpResponse:
    by = request.query_params.get("by")
    if by is None:
        raise ParseError("“by” is missing.")
    if by not in (first, second):
        raise Http404("“by” must be one of the two questions.")
    table = table_of(release, first, second, by)
    if table is None:
        raise Http404(ABSENT)
    made = _document(table, request.query_params.get("shares"))
    return of_release(as_file(request, made, files.MADE, form, files.name(made, form)), release.survey, number)


def _document(table: WeightingTable, typed: str | None) -> WeightedDocument:
    if typed is None:
        raise ParseError("“shares” are missing.")
    parts, names = typed.split(","), options(table.by)
    if len(parts) != len(names):
        raise Refusal(422, "weighting_shares", f"There must be {len(names)} shares, one for each answer.")
    form = KnownSharesForm({f"share_{place}": part for place, part in enumerate(parts, 1)}, names)
    if not form.is_valid():
        raise Refusal(422, "weighting_shares", form.rules().strip())
    try:
        return document(table.header, table.crossing, form.shares())
    except TooFewStrata as refused:
        raise Refusal(422, "weighting_too_few", str(refused)) from None


WEIGHTED = document_views(
    "weighted",
    WeightedDocument,
    "The weighted shares.",
    document=(
        "A weighted question",
        "The shares of one of a cross-table’s questions, weighted by the known shares of the other one’s answers: with "
        "standard errors and intervals for the population, the unweighted shares, the design effect and the effective "
        "number of answers; of a scale or of bins the mean likewise. For one look at one release. 404 where the "
        "cross-table is not made, 422 where the shares are none or an answer has too few reports.",
    ),
    table=(
        "A weighted question as CSV",
        "One row for each answer and confidence; shares are fractions of 1.",
    ),
    respond=_respond,
    parameters=[*PAIR, BY, SHARES],
    tag="Cross-tables",
    refused=[422],
)
