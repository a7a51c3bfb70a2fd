"""A share against one that is publicly known, for programs."""

from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from ldp.honesty.known import KnownDocument
from surveys.api.analyses import VARIABLE
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import BOM, NUMBER, SLUG, operation
from surveys.api.problems import Refusal
from surveys.api.reading import Reading, as_file, of_release
from surveys.researcher.analyses.honesty import files
from surveys.researcher.analyses.honesty.forms import KnownShareForm

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
        return _file(self, request, slug, number, "json")


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
        return _file(self, request, slug, number, "csv")


def _file(view: Reading, request: Request, slug: str, number: int | None, form: str) -> HttpResponse:
    release, query = view.release(request, slug, number), request.query_params
    answer = f"{query.get('question', '')}:{query.get('option', '')}"
    typed = KnownShareForm({"answer": answer, "share": query.get("share", "")}, release)
    if missing := [each.name for each in ANSWER if each.name not in query]:
        raise ParseError(f"“{missing[0]}” is missing.")
    if not typed.is_valid() and "answer" in typed.errors:
        raise Http404("There is no such answer of a question that everybody was asked.")
    if not typed.is_valid():
        raise Refusal(422, "known_share", typed.rules().strip())
    made = typed.document()
    return of_release(as_file(request, made, files.KNOWN, form, files.known_name(made, form)), release.survey, number)
