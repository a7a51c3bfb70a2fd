"""The comparisons that a reader selects: those of the comparison page, and an answer with a value."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from django.http import Http404

from ldp.confidences import CONFIDENCES
from ldp.tidy import Row
from surveys.models import Release
from surveys.researcher.analyses.comparisons import options, views
from surveys.researcher.analyses.comparisons.document import (
    COMPARED,
    VALUE_COMPARED,
    ComparisonsDocument,
    ValueComparisonDocument,
    compared_rows,
    value_row,
)
from surveys.researcher.analyses.comparisons.family import family
from surveys.researcher.analyses.comparisons.selection import ComparisonInput, ComparisonSelection
from surveys.researcher.analyses.frame.derived import (
    VARIABLE,
    DerivedDescription,
    Listed,
    QueryParameter,
    RowDocument,
    Unanswered,
    Visitor,
)
from surveys.researcher.results.question.selection import QuestionInput, QuestionSelection
from surveys.researcher.results.question.views import read, with_usual
from surveys.researcher.results.released import of_release

C = TypeVar("C")

_QUESTION = QueryParameter(
    "question",
    {"type": "string", "pattern": f"^{VARIABLE}$", "examples": ["by_bike"]},
    "Its key; for an item of a grid with a dot and its place.",
    required=True,
)
_OPTION = QueryParameter("option", {"type": "integer", "minimum": 1}, "The answer, from 1 on; else 1.")
_NUMBER = {"type": "string", "pattern": r"^-?[0-9]{1,9}(?:\.[0-9]{1,6})?$", "examples": ["12.5"]}


class SelectedRows(Listed, Generic[C]):
    """The rows that a URL's form selects, at every confidence. `code` is the code of the API's refusal."""

    code: ClassVar[str]

    def typed(self, release: Release, visitor: Visitor, query: Mapping[str, str], **fields: str) -> tuple[str, Any]:
        """Return the question's key and the form."""
        raise NotImplementedError

    def listed(self, release: Release, key: str, chosen: C) -> list[Row]:
        raise NotImplementedError

    def document(self, release: Release, visitor: Visitor, query: Mapping[str, str], **fields: str) -> RowDocument:
        return self._document(release, *self.typed(release, visitor, query, **fields))

    def api_document(self, release: Release, visitor: Visitor, query: Mapping[str, str], **fields: str) -> RowDocument:
        key, form = self.typed(release, visitor, {**query, "address": query.get("other", "")})
        if "option" in form.errors:
            raise Http404("There is no such answer.")
        return self._document(release, key, form, {"address": "other"})

    def _document(
        self, release: Release, key: str, form: Any, names: Mapping[str, str] = MappingProxyType({})
    ) -> RowDocument:
        if not form.is_valid():
            rules = (f"{names.get(name, name)}: {texts[0]}\n" for name, texts in form.errors.items())
            raise Unanswered(self.code, "".join(rules))
        return RowDocument(release, self.listed(release, key, form.choices()), key)


class Comparisons(SelectedRows[ComparisonSelection]):
    name = path = api_path = "comparisons"
    file_path = "comparisons/comparisons"
    code = "comparison"
    columns, document_type = COMPARED, ComparisonsDocument
    is_fixed = False
    page = staticmethod(views.page)
    description = DerivedDescription(
        document=(
            "Comparisons of your choice",
            "A question’s answers with each other, one of them with a value, and all with those of another survey: "
            "differences with intervals that hold at once for all of them, p-values alone and corrected.",
        ),
        table=(
            "Comparisons of your choice as CSV",
            "One row for each comparison and confidence; differences are fractions of 1.",
        ),
        answer="The comparisons.",
        parameters=[
            _QUESTION,
            QueryParameter(
                "pairs",
                {"type": "string", "pattern": "^(all|[1-9][0-9]{0,2})$"},
                "“all”, or the place of the answer that others are compared with. Else all, and of more than twelve "
                "answers the first with those that follow it.",
            ),
            _OPTION,
            QueryParameter(
                "value",
                {"type": "string", "pattern": r"^(?:100|[0-9]{1,2}(?:\.[0-9]{1,6})?)$", "examples": ["12.5"]},
                "The value that the answer is compared with, in percent.",
            ),
            QueryParameter(
                "other",
                {"type": "string", "pattern": "^[-a-zA-Z0-9_]+(/[1-9][0-9]{0,8})?$", "examples": ["travel/2"]},
                "Another survey that asks the same, whose answers are compared with these: its slug, and with a slash "
                "the release, else the newest.",
            ),
        ],
        refused=[422],
    )

    def typed(
        self, release: Release, visitor: Visitor, query: Mapping[str, str], **fields: str
    ) -> tuple[str, ComparisonInput]:
        released = options.released_question(release, query.get("question"))
        if released is None:
            raise Http404
        return released.key, views.form_of(query, visitor, release.survey, released)

    def listed(self, release: Release, key: str, chosen: ComparisonSelection) -> list[Row]:
        slug = release.survey.slug or ""
        every = (family(slug, release.number, chosen._replace(confidence=confidence)) for confidence in CONFIDENCES)
        return [row for compared in every for row in compared_rows(compared)]


class ValueComparison(SelectedRows[QuestionSelection]):
    """The comparison on the page of a question."""

    name = api_path = "value-comparison"
    file_path = "questions/<str:key>/value-comparison"
    page_name = "release-question"
    code = "value_comparison"
    columns, document_type = VALUE_COMPARED, ValueComparisonDocument
    description = DerivedDescription(
        document=(
            "Whether a share is more, or less, than a value",
            "One answer, or a mean, and one value that was picked before looking: yes, no or unknown at each "
            "confidence, with the interval and the exact one-sided p-value where one is known.",
        ),
        table=(
            "A share against a value as CSV",
            "One row for each confidence; shares are fractions of 1, means in their unit.",
        ),
        answer="The answer.",
        parameters=[
            _QUESTION,
            _OPTION,
            QueryParameter("value", _NUMBER, "A share in percent, or a mean in its unit.", required=True),
            QueryParameter("than", {"type": "string", "enum": ["more", "less"]}, "What is asked; else more."),
            QueryParameter(
                "target",
                {"type": "string", "enum": ["population", "respondents"]},
                "Else as the results page is at first: the respondents of a survey by invitation, the population of "
                "any other.",
            ),
        ],
        refused=[422],
    )

    def typed(
        self, release: Release, visitor: Visitor, query: Mapping[str, str], **fields: str
    ) -> tuple[str, QuestionInput]:
        """Return the question's key and the form. The URL of a file has the key in its path."""
        key = fields.get("key") or query["question"]
        form = read(of_release(release.survey.slug or "", release.number, key), with_usual(query, release.survey))
        if form.is_valid() and form.choices().value is None:
            form.add_error("value", "name a value.")
        return key, form

    def listed(self, release: Release, key: str, chosen: QuestionSelection) -> list[Row]:
        released = of_release(release.survey.slug or "", release.number, key)
        return [value_row(released, chosen._replace(confidence=confidence)) for confidence in CONFIDENCES]


COMPARISONS, VALUE_COMPARISON = Comparisons(), ValueComparison()
