"""The analyses of attention and honesty: shares corrected by an attention question, and a share against a known one."""

from collections.abc import Iterable, Mapping

from django.http import Http404
from django.utils.translation import gettext_lazy

from ldp.honesty import document as corrected
from ldp.honesty import known
from ldp.honesty.attention import TooInattentive
from ldp.honesty.document import CorrectedDocument
from ldp.honesty.known import KnownDocument
from ldp.tidy import Row
from surveys.models import Release
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.frame.derived import (
    VARIABLE,
    Derived,
    DerivedDescription,
    QueryParameter,
    Unanswered,
    Visitor,
    WaveNames,
)
from surveys.researcher.analyses.honesty import anchors, planning, views
from surveys.researcher.analyses.honesty.columns import CORRECTED as CORRECTED_COLUMNS
from surveys.researcher.analyses.honesty.columns import KNOWN_SHARE
from surveys.researcher.analyses.honesty.inputs import KnownShareInput
from surveys.researcher.analyses.weighting.table import ABSENT


class Corrected(Derived):
    name = "corrected"
    path = file_path = "cross/<str:first>/<str:second>/corrected"
    api_path = "crossings/<variable:first>/<variable:second>/corrected"
    fields = CROSSINGS.description.example
    columns, document_type = CORRECTED_COLUMNS, CorrectedDocument
    rows = staticmethod(corrected.rows)
    sheet, has_workbook = gettext_lazy("Corrected shares"), True
    page = staticmethod(views.page)
    description = DerivedDescription(
        document=(
            "A corrected question",
            "The shares of one of a cross-table’s questions, corrected for those who did not give the right answer to "
            "the other one, an attention question: with standard errors and intervals for those who pay attention, "
            "and the uncorrected shares. Assumes that people who pay no attention give each answer equally often. For "
            "one look at one release. 404 if the cross-table is not made or neither question is an attention "
            "question, 422 if too few reports show attention.",
        ),
        table=(
            "A corrected question as CSV",
            "One row for each answer and confidence; shares are fractions of 1.",
        ),
        answer="The corrected shares.",
        parameters=[
            QueryParameter(
                "by",
                {"type": "string", "pattern": f"^{VARIABLE}$", "examples": ["attention"]},
                "Which of the two is the attention question; needed if both are.",
            )
        ],
        tag="Cross-tables",
        refused=[422],
    )

    def document(
        self, release: Release, visitor: Visitor, query: Mapping[str, str], **fields: str
    ) -> CorrectedDocument:
        table = views.corrected_table(release, fields["first"], fields["second"], query.get("by", ""))
        if table is None:
            raise Http404(ABSENT)
        try:
            return corrected.document(table.header, table.crossing)
        except TooInattentive as refused:
            raise Unanswered("corrected_too_few", str(refused)) from None

    def file_name(self, release: Release, document: CorrectedDocument) -> str:
        return f"corrected-{release.number}-{document['question']}-by-{document['anchor']}"

    def sheet_rows(self, release: Release, waves: WaveNames) -> Iterable[Row] | None:
        documents = list(anchors.corrected(release))
        return (row for document in documents for row in self.rows(document)) if documents else None


class Known(Derived):
    name, page_name, folder = "known", "release-honesty", "honesty"
    path, file_path, api_path = "honesty", "honesty/known", "known"
    columns, document_type = KNOWN_SHARE, KnownDocument
    rows = staticmethod(known.rows)
    outlook = staticmethod(planning.outlook)
    sheet, has_workbook = gettext_lazy("Against a known share"), True
    page = staticmethod(views.overview)
    description = DerivedDescription(
        document=(
            "A share against a known one",
            "The estimated share of an answer less its true one, where that is publicly known, with intervals for the "
            "population. Who takes part, honesty and attention are in the difference together.",
        ),
        table=(
            "A share against a known one as CSV",
            "One row for each confidence; shares are fractions of 1.",
        ),
        answer="The difference.",
        parameters=[
            QueryParameter(
                "question",
                {"type": "string", "pattern": f"^{VARIABLE}$", "examples": ["by_bike"]},
                "The key of a question that everyone was asked; for an item with a dot and its place.",
                required=True,
            ),
            QueryParameter("option", {"type": "integer", "minimum": 1}, "Its answer, from 1 on.", required=True),
            QueryParameter(
                "share",
                {"type": "string", "pattern": r"^(?:100|[0-9]{1,2}(?:\.[0-9]{1,6})?)$", "examples": ["12.5"]},
                "The answer's true share, in percent. It is stored nowhere.",
                required=True,
            ),
        ],
        refused=[422],
    )

    def document(self, release: Release, visitor: Visitor, query: Mapping[str, str], **fields: str) -> KnownDocument:
        return _against(KnownShareInput(query, release))

    def api_document(
        self, release: Release, visitor: Visitor, query: Mapping[str, str], **fields: str
    ) -> KnownDocument:
        answer = f"{query['question']}:{query['option']}"
        form = KnownShareInput({"answer": answer, "share": query["share"]}, release)
        if not form.is_valid() and "answer" in form.errors:
            raise Http404("There is no such answer of a question that everyone was asked.")
        return _against(form)

    def file_name(self, release: Release, document: KnownDocument) -> str:
        return f"known-{release.number}-{document['question']}"


def _against(form: KnownShareInput) -> KnownDocument:
    if not form.is_valid():
        raise Unanswered("known_share", form.rules())
    return form.document()


CORRECTED, KNOWN = Corrected(), Known()
