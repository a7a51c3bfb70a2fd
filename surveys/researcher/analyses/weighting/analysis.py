"""The analysis that weights a question of a cross-table by the known shares of the other one."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from django.utils.translation import gettext_lazy

from ldp.weighting import document as weighted
from ldp.weighting.document import WeightedDocument
from ldp.weighting.margin import TooFewStrata
from surveys.models import Release
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.crossings.grid import options
from surveys.researcher.analyses.frame.derived import (
    VARIABLE,
    Derived,
    DerivedDescription,
    QueryParameter,
    Unanswered,
    Visitor,
)
from surveys.researcher.analyses.weighting import views
from surveys.researcher.analyses.weighting.columns import COLUMNS
from surveys.researcher.analyses.weighting.inputs import KnownSharesInput
from surveys.researcher.analyses.weighting.table import ABSENT, WeightingTable, of_release

_SHARES = "weighting_shares"


class Weighted(Derived):
    name = "weighted"
    path = file_path = "cross/<str:first>/<str:second>/weighted"
    api_path = "crossings/<variable:first>/<variable:second>/weighted"
    fields = CROSSINGS.description.example
    columns, document_type = COLUMNS, WeightedDocument
    rows = staticmethod(weighted.rows)
    sheet, has_workbook = gettext_lazy("Weighted"), True
    page = staticmethod(views.page)
    description = DerivedDescription(
        document=(
            "A weighted question",
            "The shares of one of a cross-table’s questions, weighted by the known shares of the other one’s answers: "
            "with standard errors and intervals for the population, the unweighted shares, the design effect and the "
            "effective number of answers; for a scale or bins also the mean. For one look at one release. 404 if the "
            "cross-table is not made, 422 if the shares are not valid or an answer has too few reports.",
        ),
        table=(
            "A weighted question as CSV",
            "One row for each answer and confidence; shares are fractions of 1.",
        ),
        answer="The weighted shares.",
        parameters=[
            QueryParameter(
                "by",
                {"type": "string", "pattern": f"^{VARIABLE}$", "examples": ["by_bike"]},
                "Which of the two has known shares; the other one is weighted.",
                required=True,
            ),
            QueryParameter(
                "shares",
                {"type": "string"},
                "The share of each of its answers in the population, in percent and in their order, with commas "
                "between them: 25,75. They add up to 100 and are stored nowhere.",
                required=True,
            ),
        ],
        tag="Cross-tables",
        refused=[422],
    )

    def document(self, release: Release, visitor: Visitor, query: Mapping[str, str], **fields: str) -> WeightedDocument:
        table = of_release(release, fields["first"], fields["second"], query.get("by", ""))
        if table is None:
            raise Http404(ABSENT)
        return _weighted(table, KnownSharesInput(query, options(table.by)))

    def api_document(
        self, release: Release, visitor: Visitor, query: Mapping[str, str], **fields: str
    ) -> WeightedDocument:
        if query["by"] not in fields.values():
            raise Http404("“by” must be one of the two questions.")
        table = of_release(release, fields["first"], fields["second"], query["by"])
        if table is None:
            raise Http404(ABSENT)
        parts, names = query["shares"].split(","), options(table.by)
        if len(parts) != len(names):
            raise Unanswered(_SHARES, f"There must be {len(names)} shares, one for each answer.")
        typed: dict[str, Any] = {f"share_{place}": part for place, part in enumerate(parts, 1)}
        return _weighted(table, KnownSharesInput(typed, names))

    def file_name(self, release: Release, document: WeightedDocument) -> str:
        return f"weighted-{release.number}-{document['question']}-by-{document['by']}"


def _weighted(table: WeightingTable, form: KnownSharesInput) -> WeightedDocument:
    if not form.is_valid():
        raise Unanswered(_SHARES, form.rules())
    try:
        return weighted.document(table.header, table.crossing, form.shares())
    except TooFewStrata as refused:
        raise Unanswered("weighting_too_few", str(refused)) from None


WEIGHTED = Weighted()
