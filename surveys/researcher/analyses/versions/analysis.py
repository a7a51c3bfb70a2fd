"""The differences between versions of a question. Each person was asked one version, drawn by lot."""

from collections.abc import Mapping

from surveys.models import Release
from surveys.researcher.analyses.frame.derived import DerivedDescription, Listed, RowDocument, Visitor
from surveys.researcher.analyses.versions import table
from surveys.researcher.sheets.column import names


class WordingVersions(Listed):
    """The versions are shown on the page of results, below the first of them."""

    name = file_path = api_path = "versions"
    page_name = "release"
    columns, document_type = table.COLUMNS, table.VersionsDocument
    description = DerivedDescription(
        document=(
            "What differs between versions of a question",
            "Of every two versions each answer, or the mean: differences with intervals that hold at once for all "
            "versions of the question, p-values alone and corrected. Empty where each question has one version, or "
            "where only some people were asked and reports do not show how many.",
        ),
        table=(
            "What differs between versions of a question as CSV",
            "One row for each difference and confidence; differences are fractions of 1, of means in their unit.",
        ),
        answer="The differences.",
    )

    def document(self, release: Release, visitor: Visitor, query: Mapping[str, str], **fields: str) -> RowDocument:
        ordered = names(self.columns)
        return RowDocument(
            release, [{name: row[name] for name in ordered if name in row} for row in table.rows(release)]
        )


VERSIONS = WordingVersions()
