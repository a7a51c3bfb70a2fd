"""The base class of analyses that a worker counts on request. Pages, files and API follow from one class."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import override

from ldp.document import Header
from ldp.forms.definition import questionnaire
from ldp.inference.variables import Variable
from surveys.models import Release
from surveys.researcher.analyses.frame.analysis import Analysis
from surveys.researcher.analyses.frame.inputs import AnalysisInput, AnalysisRefused
from surveys.researcher.analyses.frame.reports import Reports
from surveys.researcher.analyses.frame.selection import AnalysisSelection, canonical
from surveys.rules.context import Context


class Keyed(Protocol):
    """A specification of an analysis, with the keys of its variables."""

    @property
    def keys(self) -> tuple[str, ...]: ...


S = TypeVar("S", bound=Keyed)


class Paths(NamedTuple):
    """Paths below a release's URL: the list and the page of an analysis, and the same two of the API."""

    listing: str
    page: str
    api_listing: str
    api_page: str


class PageWords(NamedTuple):
    """The texts of an analysis's pages. `heading` contains %(title)s, the survey's title."""

    short: Promise
    link: Promise
    heading: Promise
    lead: Promise
    new: Promise
    button: Promise
    newest: Promise
    appears: Promise
    failed: Promise


class Title(NamedTuple):
    """The title of an analysis: `subject` `relation` `others`, a remark on each, and a remark on the whole."""

    subject: str
    relation: Promise | str
    others: list[tuple[str, str]]
    remark: str = ""


class Description(NamedTuple):
    """The texts in the API's description: a summary and a text for each operation. `example` is a specification as
    JSON."""

    tag: str
    listing: tuple[str, str]
    document: tuple[str, str]
    asking: str
    table: tuple[str, str]
    answer: str
    specification: str
    example: Mapping[str, Any]
    parameter: str = ""
    absent: str = "No one has asked for this of this release."
    moved: str = ""
    """The URL that a different order of the fields redirects to."""


class Counted(Analysis, Generic[S]):
    """`plural` is part of the names of URLs and operations. A URL names a specification by path components (`fields`),
    or by JSON (`parameter`)."""

    counted: ClassVar[Literal[True]] = True
    plural: ClassVar[str]
    paths: ClassVar[Paths]
    subject: ClassVar[str]
    """The form field that a question's link fills."""
    fields: ClassVar[tuple[str, ...]] = ()
    parameter: ClassVar[str] = ""
    words: ClassVar[PageWords]
    refusals: ClassVar[Mapping[str, Promise]]
    description: ClassVar[Description]
    shares: ClassVar[Mapping[str, Promise]] = {}
    """The kinds of shares that a reader can select; the first is the default."""
    picture_path: ClassVar[str] = ""
    is_about_sample: ClassVar[bool] = True
    """True if the page says whom the results describe."""

    @property
    def form_template(self) -> str:
        return f"researcher/analyses/{self.folder}/form.html"

    @property
    def document_template(self) -> str:
        return f"researcher/analyses/{self.folder}/document.html"

    # The specification --------------------------------------------------------------------------------------------

    def as_json(self, specification: S, /) -> dict[str, Any]:
        raise NotImplementedError

    def from_json(self, data: Any, /) -> S:
        """Return the specification. The ValueError for a wrong one says what is wrong."""
        raise NotImplementedError

    def check(self, release: Release, specification: S) -> Sequence[Variable]:
        """Return the specification's variables. Raise AnalysisRefused if it cannot be computed."""
        raise NotImplementedError

    def refusal(self, refused: AnalysisRefused) -> str:
        """Return a sentence that says why the specification cannot be computed."""
        text = str(self.refusals[refused.reason])
        return text % refused.words if refused.words else text

    def ordered(self, release: Release, specification: S) -> S:
        """Return the specification as stored: several can mean the same."""
        return specification

    def reports(self, release: Release, specification: S) -> int:
        """Return the number of reports whose form has all questions of the specification."""
        keys = [key.partition(".")[0] for key in specification.keys]
        forms = questionnaire(release.survey.definition).reports_about(*keys)
        return sum(release.tallies[form]["n"] for form in forms)

    def about(self, release: Release, key: str) -> Iterator[tuple[str, S]]:
        """Yield small specifications about a question, each with the variable for the form's field `subject`. If none
        of them can be computed, the question gets no link to this analysis."""
        raise NotImplementedError

    def form(self, release: Release, data: QueryDict, sent: bool = False) -> AnalysisInput[S]:
        """Return the form that selects a specification. `sent` is true if the form was submitted."""
        raise NotImplementedError

    def sent(self, request: HttpRequest) -> QueryDict:
        """Return the submitted form data."""
        return request.POST

    # The document -------------------------------------------------------------------------------------------------

    def document(self, header: Header, specification: S, reports: Reports) -> Any:
        """Return the document that a worker computes and the site stores. Raise NoReports if no report is about its
        questions."""
        raise NotImplementedError

    @override("en")  # one file for everyone
    def json_text(self, document: Any) -> str:
        return super().json_text(document)

    def file_name(self, release: Release, specification: S) -> str:
        """Return the file name without its ending."""
        fields = () if self.parameter else self.as_json(specification).values()
        return "-".join([self.name, str(release.number), *fields])

    # The page -----------------------------------------------------------------------------------------------------

    def title(self, specification: S, names: Mapping[str, str]) -> Title:
        """Return the title. `names` are the texts of variables by key."""
        raise NotImplementedError

    def page_title(self, title: Title) -> str:
        raise NotImplementedError

    def context(self, release: Release, variables: Sequence[Variable]) -> Context:
        """Return the page's context without the document."""
        return {}

    def document_context(
        self,
        release: Release,
        specification: S,
        variables: Sequence[Variable],
        document: Any,
        selection: AnalysisSelection,
    ) -> Context:
        """Return the context of the document's template."""
        raise NotImplementedError

    def picture(
        self, request: HttpRequest, document: Any, selection: AnalysisSelection, name: Sequence[object], **which: str
    ) -> HttpResponse:
        """Return the picture at `picture_path`. `name` distinguishes documents."""
        raise NotImplementedError

    # URLs --------------------------------------------------------------------------------------------------------

    def named(self, specification: S) -> dict[str, str]:
        """Return the specification's fields in a form or URL."""
        data = self.as_json(specification)
        return {self.parameter: canonical(data)} if self.parameter else data

    def query(self, specification: S, selection: AnalysisSelection) -> str:
        """Return the query of the page with this selection."""
        named = self.named(specification) if self.parameter else {}
        shares = {"shares": selection.shares} if self.shares else {}
        return urlencode(named | shares | {"confidence": str(selection.confidence)})

    def read_selection(self, query: QueryDict) -> AnalysisSelection:
        return AnalysisSelection.read(query, tuple(self.shares))
