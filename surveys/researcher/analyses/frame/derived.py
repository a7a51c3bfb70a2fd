"""The base class of analyses that follow at once from published numbers and the URL. Nothing is stored."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypedDict

from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from ldp.tidy import Row
from surveys.models import Release
from surveys.researcher.analyses.frame.analysis import Analysis
from surveys.researcher.results import response_cache, responses
from surveys.researcher.results.responses import Made
from surveys.researcher.sheets.book import XLSX, Table, of_document
from surveys.researcher.sheets.common_columns import HEADER

VARIABLE = r"[a-z][a-z0-9_]{0,39}(?:\.[1-9][0-9]{0,3})?"

WaveNames = tuple[tuple[str, int], ...]
"""Waves by the slugs of their surveys and the numbers of their releases."""


class QueryParameter(NamedTuple):
    """A parameter of the API's query, with its JSON Schema."""

    name: str
    schema: Mapping[str, Any]
    description: str
    required: bool = False


class DerivedDescription(NamedTuple):
    """The texts in the API's description: a summary and a text for each operation."""

    document: tuple[str, str]
    table: tuple[str, str]
    answer: str
    parameters: Sequence[QueryParameter] = ()
    tag: str = "Releases"
    refused: Sequence[int] = ()


class Unanswered(Exception):
    """The query has no answer. `rules` are lines that say why; `code` is the code of the API's refusal."""

    def __init__(self, code: str, rules: str) -> None:
        super().__init__(rules)
        self.code, self.rules = code, rules


class Derived(Analysis):
    """An analysis that follows at once from published numbers. All paths are relative to a release.

    `path` leads to the page; it is empty if another analysis has the page. `file_path` leads to the files, without
    their endings, and `api_path` to the API. `fields` maps the variables in these paths to examples.
    """

    counted: ClassVar[Literal[False]] = False
    path: ClassVar[str] = ""
    file_path: ClassVar[str]
    api_path: ClassVar[str]
    fields: ClassVar[Mapping[str, str]] = {}
    page_name: ClassVar[str] = ""
    """The name of the page's URL if it differs from the default."""
    description: ClassVar[DerivedDescription]
    has_workbook: ClassVar[bool] = False
    """True if the table is a workbook, too."""
    is_fixed: ClassVar[bool] = True
    """True if a release's result never changes."""

    page: ClassVar[Callable[..., HttpResponse]]

    def document(self, release: Release, visitor: "Visitor", query: Mapping[str, str], **fields: str) -> Any:
        """Return the document that the page's query selects. Raise Http404 if it selects nothing, Unanswered if it has
        no answer."""
        raise NotImplementedError

    def api_document(self, release: Release, visitor: "Visitor", query: Mapping[str, str], **fields: str) -> Any:
        """Return the document that the API's query selects. The query has every required parameter."""
        return self.document(release, visitor, query, **fields)

    def file_name(self, release: Release, document: Any) -> str:
        """Return the file name without its ending."""
        raise NotImplementedError

    def sheet_rows(self, release: Release, waves: WaveNames) -> Iterable[Row] | None:
        """Return the rows of the sheet in a release's workbook, for readers who may see these waves; None without a
        sheet."""
        return None

    @property
    def formats(self) -> Made:
        return {**super().formats, "xlsx": (XLSX, self._workbook)} if self.has_workbook else super().formats

    def _workbook(self, document: Any) -> bytes:
        table = Table(str(self.sheet), f"{self.name}.csv", self.columns, self.rows(document))
        return of_document(document["header"], document["text"], table)


class ReleaseName(TypedDict):
    survey: str
    release: int
    date: Annotated[str, {"format": "date"}]
    totals_digest: Annotated[str, "SHA-256 of n and the score totals in canonical JSON."]
    n: Annotated[int, "All reports of the release."]


class RowDocument(NamedTuple):
    """The rows of a release. `key` is the question that all rows are about, empty without one."""

    release: Release
    rows: Sequence[Row]
    key: str = ""


class Listed(Derived):
    """An analysis whose document is a list of rows. The JSON names the release once, the CSV in every row."""

    def published(self, document: RowDocument) -> Row:
        return release_columns(document.release) | {self.name.replace("-", "_"): document.rows}

    def rows(self, document: RowDocument) -> Iterable[Row]:
        same = release_columns(document.release)
        return (same | row for row in document.rows)

    def file_name(self, release: Release, document: RowDocument) -> str:
        return "-".join(filter(None, [self.name, str(release.number), document.key]))


def release_columns(release: Release) -> Row:
    """Return the columns that name a table's release."""
    document = dict(response_cache.document(release))
    return {column.name: document[column.name] for column in HEADER}


Visitor = Callable[[str], User | AnonymousUser]
"""A function that returns the visitor, by the slug of a survey."""


@require_safe
def file(request: HttpRequest, slug: str, number: int, analysis: Derived, format: str, **fields: str) -> HttpResponse:
    """Return the document in this format. The status is 400, with the rules, if the query has no answer."""
    release = responses.release_of(request, slug, number)
    if format not in analysis.formats:
        raise Http404
    try:
        document = analysis.document(release, lambda _slug: request.user, request.GET.dict(), **fields)
    except Unanswered as unanswered:
        return responses.refused(unanswered.rules)
    name = f"{analysis.file_name(release, document)}.{format}"
    return responses.file(request, document, analysis.formats, format, name)
