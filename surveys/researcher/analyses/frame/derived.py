"""An analysis that follows at once from what is published and what the URL says: nothing of it is stored."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.views.decorators.http import require_safe

from ldp.tidy import Row
from surveys.models import Release
from surveys.researcher.results import responses
from surveys.researcher.results.responses import Made
from surveys.researcher.sheets import tables
from surveys.researcher.sheets.book import XLSX, Table, of_document
from surveys.researcher.sheets.column import Column, names

VARIABLE = r"[a-z][a-z0-9_]{0,39}(?:\.[1-9][0-9]{0,3})?"


class QueryParameter(NamedTuple):
    """What the API's query names, with its JSON Schema."""

    name: str
    schema: Mapping[str, Any]
    description: str
    required: bool = False


class DerivedDescription(NamedTuple):
    """A summary and a text for each operation, as in the description of the API."""

    document: tuple[str, str]
    table: tuple[str, str]
    answer: str
    parameters: Sequence[QueryParameter] = ()
    tag: str = "Releases"
    refused: Sequence[int] = ()


class Missing(Exception):
    """The query lacks what the sentence names."""


class Unanswered(Exception):
    """`rules` say, in a line each, why the query has no answer; `code` is that of the API's refusal."""

    def __init__(self, code: str, rules: str) -> None:
        super().__init__(rules)
        self.code, self.rules = code, rules


class Derived:
    """`path` is that of its page below a release, `file_path` that of its files without their endings and `api_path`
    that of the API; `fields` are the keys of variables in them, with an example of each."""

    name: ClassVar[str]
    path: ClassVar[str]
    file_path: ClassVar[str]
    api_path: ClassVar[str]
    fields: ClassVar[Mapping[str, str]] = {}
    page_name: ClassVar[str] = ""
    """The name of its page's URL where that is not its own."""
    columns: ClassVar[tuple[Column, ...]]
    document_type: ClassVar[Any]
    description: ClassVar[DerivedDescription]
    sheet: ClassVar[Promise | None] = None
    """The title of its sheet, where its table is a workbook too."""
    is_fixed: ClassVar[bool] = True
    """Whether a release has the same for ever."""

    page: ClassVar[Callable[..., HttpResponse]]

    def document(self, release: Release, visitor: "Visitor", query: Mapping[str, str], **fields: str) -> Any:
        """What the query of its page asks for. Http404 where that is nothing, Unanswered where it has no answer."""
        raise NotImplementedError

    def api_document(self, release: Release, visitor: "Visitor", query: Mapping[str, str], **fields: str) -> Any:
        """What the API's query asks for; Missing where it lacks something, else as of the page."""
        return self.document(release, visitor, query, **fields)

    def published(self, document: Any) -> Mapping[str, object]:
        """The document as its JSON file has it."""
        return dict(document)

    def rows(self, document: Any) -> Iterable[Row]:
        """The rows of its table."""
        raise NotImplementedError

    def file_name(self, release: Release, document: Any) -> str:
        """The name of its files, without an ending."""
        raise NotImplementedError

    @property
    def formats(self) -> Made:
        csv = "text/csv; charset=utf-8", lambda made: tables.csv_text(names(self.columns), self.rows(made))
        made: Made = {"csv": csv, "json": ("application/json", lambda made: tables.json_text(self.published(made)))}
        return made if self.sheet is None else {**made, "xlsx": (XLSX, self._workbook)}

    def _workbook(self, document: Any) -> bytes:
        table = Table(str(self.sheet), f"{self.name}.csv", self.columns, self.rows(document))
        return of_document(document["header"], document["text"], table)


Visitor = Callable[[str], User | AnonymousUser]
"""Who asks, by the slug of a survey."""


@require_safe
def file(request: HttpRequest, slug: str, number: int, analysis: Derived, format: str, **fields: str) -> HttpResponse:
    """The document in this form; 400 with the rules where the query has no answer."""
    release = responses.release_of(request, slug, number)
    if format not in analysis.formats:
        raise Http404
    try:
        document = analysis.document(release, lambda _slug: request.user, request.GET.dict(), **fields)
    except Unanswered as unanswered:
        return responses.refused(unanswered.rules)
    name = f"{analysis.file_name(release, document)}.{format}"
    return responses.file(request, document, analysis.formats, format, name)
