"""What anchors tell, for programs: a cross-table's question corrected by the right answer of an attention question, and
a share against one that is publicly known."""

from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException, ParseError
from rest_framework.request import Request

from ldp.honesty.attention import TooInattentive
from ldp.honesty.document import CorrectedDocument, document
from ldp.honesty.known import KnownDocument
from surveys.api.crossings import PAIR, VARIABLE
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import BOM, NUMBER, SLUG, operation
from surveys.api.reading import Reading, of_release
from surveys.api.weighted import ABSENT, as_file
from surveys.honesty import files
from surveys.honesty.forms import KnownShareForm
from surveys.honesty.views import corrected_table

BY = OpenApiParameter(
    "by",
    {"type": "string", "pattern": f"^{VARIABLE}$", "examples": ["attention"]},
    description="Which of the two is the attention question; of use where both are.",
)


class Refused(APIException):
    """Too few reports tell of attention."""

    status_code = 422
    default_code = "corrected_too_few"


class CorrectedView(Reading):
    @operation(
        "corrected",
        "A corrected question",
        "The shares of one of a cross-table’s questions, corrected for those who did not give the right answer to the "
        "other one, an attention question: with standard errors and intervals for those who pay attention, and the "
        "uncorrected shares. Assumes that whoever pays no attention gives each answer equally often. For one look at "
        "one release. 404 where the cross-table is not made or neither question is an attention question, 422 where "
        "too few reports tell of attention.",
        {200: (schema(CorrectedDocument), "The corrected shares.")},
        tag="Cross-tables",
        parameters=[*PAIR, BY],
        refused=[422],
    )
    def get(self, request: Request, slug: str, number: int | None, first: str, second: str) -> HttpResponse:
        return _file(self, request, slug, number, (first, second), "json")


class CorrectedCsvView(Reading):
    @operation(
        "corrected_csv",
        "A corrected question as CSV",
        "One row for each answer and confidence; shares are fractions of 1.",
        {(200, "text/csv"): ({"type": "string"}, "The table.")},
        tag="Cross-tables",
        parameters=[*PAIR, BY, BOM],
        refused=[422],
    )
    def get(self, request: Request, slug: str, number: int | None, first: str, second: str) -> HttpResponse:
        return _file(self, request, slug, number, (first, second), "csv")


def _file(
    view: Reading, request: Request, slug: str, number: int | None, pair: tuple[str, str], form: str
) -> HttpResponse:
    release = view.release(request, slug, number)
    table = corrected_table(release, *pair, request.query_params.get("by", ""))
    if table is None:
        raise Http404(ABSENT)
    try:
        made = document(table.header, table.crossing)
    except TooInattentive as refused:
        raise Refused(str(refused)) from None
    return of_release(as_file(request, made, files.MADE, form, files.name(made, form)), release.survey, number)


# A known share --------------------------------------------------------------------------------------------------------

ANSWER = [
    OpenApiParameter(
        "question",
        {"type": "string", "pattern": f"^{VARIABLE}$", "examples": ["by_bike"]},
        required=True,
        description="The key of a question that everybody was asked; for an item with a dot and its place.",
    ),
    OpenApiParameter("option", {"type": "integer", "minimum": 1}, required=True, description="Its answer, from 1 on."),
    OpenApiParameter(
        "share",
        {"type": "string", "pattern": r"^(?:100|[0-9]{1,2}(?:\.[0-9]{1,6})?)$", "examples": ["12.5"]},
        required=True,
        description="The answer's true share, in percent. It is stored nowhere.",
    ),
]


class NoKnownShare(APIException):
    """A share that is none."""

    status_code = 422
    default_code = "known_share"


class KnownView(Reading):
    @operation(
        "known",
        "A share against a known one",
        "The estimated share of an answer less its true one, where that is publicly known, with intervals for the "
        "population. Who takes part, honesty and attention are in the difference together.",
        {200: (schema(KnownDocument), "The difference.")},
        tag="Releases",
        parameters=[SLUG, NUMBER, *ANSWER],
        refused=[422],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        return _known_file(self, request, slug, number, "json")


class KnownCsvView(Reading):
    @operation(
        "known_csv",
        "A share against a known one as CSV",
        "One row for each confidence; shares are fractions of 1.",
        {(200, "text/csv"): ({"type": "string"}, "The table.")},
        tag="Releases",
        parameters=[SLUG, NUMBER, *ANSWER, BOM],
        refused=[422],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        return _known_file(self, request, slug, number, "csv")


def _known_file(view: Reading, request: Request, slug: str, number: int | None, form: str) -> HttpResponse:
    release, query = view.release(request, slug, number), request.query_params
    answer = f"{query.get('question', '')}:{query.get('option', '')}"
    typed = KnownShareForm({"answer": answer, "share": query.get("share", "")}, release)
    if missing := [each.name for each in ANSWER if each.name not in query]:
        raise ParseError(f"“{missing[0]}” is missing.")
    if not typed.is_valid() and "answer" in typed.errors:
        raise Http404("There is no such answer of a question that everybody was asked.")
    if not typed.is_valid():
        raise NoKnownShare(typed.rules().strip())
    made = typed.document()
    return of_release(as_file(request, made, files.KNOWN, form, files.known_name(made, form)), release.survey, number)
