"""The analysis of changes from wave to wave."""

from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext_lazy

from ldp.tidy import Row
from surveys.models import Release
from surveys.researcher.analyses.frame.derived import Derived, DerivedDescription, Visitor, WaveNames
from surveys.researcher.analyses.waves import files, views
from surveys.researcher.analyses.waves.changes import visible
from surveys.researcher.analyses.waves.document import WavesDocument


class Waves(Derived):
    """The document is made from the names of the waves that the reader may see."""

    name = path = api_path = "waves"
    file_path = "waves/waves"
    columns, document_type = files.COLUMNS, WavesDocument
    sheet = gettext_lazy("Waves")
    is_fixed = False
    page = staticmethod(views.page)
    description = DerivedDescription(
        document=(
            "Changes from wave to wave",
            "For a survey that asks the people of an earlier one again: each answer in each wave that asked it the "
            "same way, with its changes since the wave before and since the first. All intervals hold at once, no "
            "matter who answered several waves. Earlier waves whose results you may not see are left out; empty if "
            "there is no other.",
        ),
        table=(
            "Changes from wave to wave as CSV",
            "One row for each answer, wave and confidence; shares are fractions of 1, means in their unit.",
        ),
        answer="Waves and shares.",
    )

    def document(self, release: Release, visitor: Visitor, query: Mapping[str, str], **fields: str) -> WaveNames:
        return visible(visitor, release)[0]

    def published(self, document: WaveNames) -> Mapping[str, object]:
        """Return the document with sentences in the active language."""
        return {**files.document(document)}

    def rows(self, document: WaveNames) -> Iterable[Row]:
        return map(dict, files.rows(document))

    def file_name(self, release: Release, document: Sequence[object]) -> str:
        return f"waves-{release.number}"

    def sheet_rows(self, release: Release, waves: WaveNames) -> Iterable[Row] | None:
        return self.rows(waves) if len(waves) > 1 else None


WAVES = Waves()
