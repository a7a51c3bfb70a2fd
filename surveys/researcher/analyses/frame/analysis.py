"""What every analysis is: a name, a table with its columns, files, and perhaps what a designer sees of it."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import override

from ldp.tidy import Row
from surveys.researcher.analyses.frame.planning import QuestionPlan
from surveys.researcher.results.responses import Made
from surveys.researcher.sheets import tables
from surveys.researcher.sheets.column import Column, names


class Analysis:
    """`name` stands in the names of URLs, operations and files, `folder` in those of templates."""

    name: ClassVar[str]
    folder: ClassVar[str] = ""
    columns: ClassVar[tuple[Column, ...]]
    """Those of its rows."""
    document_type: ClassVar[Any]
    sheet: ClassVar[Promise | str] = ""
    """The title of its sheet in a workbook."""

    def published(self, document: Any) -> Any:
        """The document as its JSON file has it, in the language that is active."""
        return document

    def rows(self, document: Any) -> Iterable[Row]:
        """The rows of its CSV and of its sheet in a workbook."""
        raise NotImplementedError

    @property
    def formats(self) -> Made:
        """What can be made of its documents."""
        return {"csv": ("text/csv; charset=utf-8", self.csv_text), "json": ("application/json", self.json_text)}

    @override("en")  # one file for everybody
    def csv_text(self, document: Any) -> str:
        return tables.csv_text(names(self.columns), self.rows(document))

    def json_text(self, document: Any) -> str:
        return tables.json_text(self.published(document))

    # Before a survey opens ----------------------------------------------------------------------------------------

    @property
    def planning_template(self) -> str:
        return f"researcher/analyses/{self.folder}/planning.html"

    def outlook(self, questions: Sequence[QuestionPlan], data: QueryDict, n: int) -> object | None:
        """The form in which a designer asks what it would show of so many people, with what follows; None where the
        questions allow none."""
        return None
