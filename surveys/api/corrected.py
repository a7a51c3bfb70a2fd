"""A cross-table's question corrected by the right answer of an attention question, for programs."""

from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from ldp.honesty.attention import TooInattentive
from ldp.honesty.document import CorrectedDocument, document
from surveys.api.analyses import PAIR, VARIABLE
from surveys.api.document_views import document_views
from surveys.api.problems import Refusal
from surveys.api.reading import Reading, as_file, of_release
from surveys.api.weighted import ABSENT
from surveys.models import Release
from surveys.researcher.analyses.honesty import files
from surveys.researcher.analyses.honesty.views import corrected_table

BY = OpenApiParameter(
    "by",
    {"type": "string", "pattern": f"^{VARIABLE}$", "examples": ["attention"]},
    description="Which of the two is the attention question; of use where both are.",
)


def _respond(
    view: Reading, request: Request, release: Release, number: int | None, form: str, first: str, second: str
) -> HttpResponse:
    table = corrected_table(release, first, second, request.query_params.get("by", ""))
    if table is None:
        raise Http404(ABSENT)
    try:
        made = document(table.header, table.crossing)
    except TooInattentive as refused:
        raise Refusal(422, "corrected_too_few", str(refused)) from None
    return of_release(as_file(request, made, files.MADE, form, files.name(made, form)), release.survey, number)


CORRECTED = document_views(
    "corrected",
    CorrectedDocument,
    "The corrected shares.",
    document=(
        "A corrected question",
        "The shares of one of a cross-table’s questions, corrected for those who did not give the right answer to the "
        "other one, an attention question: with standard errors and intervals for those who pay attention, and the "
        "uncorrected shares. Assumes that whoever pays no attention gives each answer equally often. For one look at "
        "one release. 404 where the cross-table is not made or neither question is an attention question, 422 where "
        "too few reports tell of attention.",
    ),
    table=(
        "A corrected question as CSV",
        "One row for each answer and confidence; shares are fractions of 1.",
    ),
    respond=_respond,
    parameters=[*PAIR, BY],
    tag="Cross-tables",
    refused=[422],
)
