"""A share against one that is publicly known, for programs."""

from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from ldp.honesty.known import KnownDocument
from surveys.api.analyses import VARIABLE
from surveys.api.document_views import document_views
from surveys.api.problems import Refusal
from surveys.api.reading import Reading, as_file, of_release
from surveys.models import Release
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


def _respond(view: Reading, request: Request, release: Release, number: int | None, form: str) -> HttpResponse:
    query = request.query_params
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


KNOWN = document_views(
    "known",
    KnownDocument,
    "The difference.",
    document=(
        "A share against a known one",
        "The estimated share of an answer less its true one, where that is publicly known, with intervals for the "
        "population. Who takes part, honesty and attention are in the difference together.",
    ),
    table=(
        "A share against a known one as CSV",
        "One row for each confidence; shares are fractions of 1.",
    ),
    respond=_respond,
    parameters=ANSWER,
    refused=[422],
)
