"""The base class of every analysis: a name, a table with columns, files, and perhaps a planning panel."""

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
    """`name` is part of the names of URLs, operations and files; `folder` is the folder of the templates."""

    name: ClassVar[str]
    folder: ClassVar[str] = ""
    columns: ClassVar[tuple[Column, ...]]
    """Those of its rows."""
    document_type: ClassVar[Any]
    sheet: ClassVar[Promise | str] = ""
    """The title of its sheet in a workbook."""

    def published(self, document: Any) -> Any:
        """Return the document of the JSON file, in the active language."""
        return document

    def rows(self, document: Any) -> Iterable[Row]:
        """Return the rows of the CSV and of the workbook's sheet."""
        raise NotImplementedError

    @property
    def formats(self) -> Made:
        """Return the content type and the writer of each file format."""
        return {"csv": ("text/csv; charset=utf-8", self.csv_text), "json": ("application/json", self.json_text)}

    @override("en")  # one file for everyone
    def csv_text(self, document: Any) -> str:
        return tables.csv_text(names(self.columns), self.rows(document))

    def json_text(self, document: Any) -> str:
        return tables.json_text(self.published(document))

    # Before a survey opens ----------------------------------------------------------------------------------------

    @property
    def planning_template(self) -> str:
        return f"researcher/analyses/{self.folder}/planning.html"

    def outlook(self, questions: Sequence[QuestionPlan], data: QueryDict, n: int) -> object | None:
        """Return a form that asks what the analysis would show with `n` people, and the answer; None if no questions
        allow that."""
        return None
